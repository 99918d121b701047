import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Api } from '../api.ts';
import type { DeviceIds } from './steps.ts';

/* What a technician's hour begins with, and what it looks at. */

const NAMES = ['Boiler 1', 'Boiler 2', 'Boiler 3'];
export const FAULTY = 'Boiler 2';
const START = Date.UTC(2026, 0, 5, 8);
export const MINUTES = 480;
/** Minutes of the fault: the sensor says 85 °C, which it is not. */
export const FAULT = { from: 240, to: 300 };

/** A file of each boiler, as loggers write them: minutes of a shift, °C. */
export async function recordingsIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const [n, name] of NAMES.entries()) {
    const rows = Array.from({ length: MINUTES }, (_, minute) => {
      const isFault = name === FAULTY && minute >= FAULT.from && minute < FAULT.to;
      const value = isFault ? 85 : 60 + 4 * Math.sin(minute / 60 + n);
      return `${new Date(START + minute * 60_000).toISOString()},${value.toFixed(2)}`;
    });
    files.push(join(folder, `${name}.csv`));
    await writeFile(files.at(-1)!, ['time,t1', ...rows, ''].join('\n'));
  }
  return files;
}

export const countedActs = (page: Page) =>
  page.evaluate(() => {
    const counted = window as unknown as { acts: number };
    counted.acts = 0;
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => counted.acts++, true);
  });

/** Clicks and keys since the last look. */
export const acts = (page: Page) =>
  page.evaluate(() => {
    const counted = window as unknown as { acts: number };
    const { acts: seen } = counted;
    counted.acts = 0;
    return seen;
  });

/** Fails where a task took more than so many acts. */
export async function expectActs(page: Page, most: number, task: string): Promise<void> {
  expect(await acts(page), task).toBeLessThanOrEqual(most);
}

export async function deviceOf(api: Api, project_id: string, name: string): Promise<DeviceIds> {
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices`);
  const found = (data as { id: string; name: string }[]).find((device) => device.name === name);
  if (!found) throw new Error(`There is no device ${name}.`);
  return { project_id, device_id: found.id };
}

export const exportPath = ({ project_id, device_id }: DeviceIds) =>
  `/_local/v1/projects/${project_id}/devices/${device_id}/records?format=ndjson`;

export const selection = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
export const link = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Devices' }).getByRole('link', { name, exact: true });

/** Chooses files where the button opens the system's own dialog. */
export async function chooseFiles(
  page: Page,
  press: () => Promise<void>,
  files: readonly string[],
): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press();
  await (await choosing).setFiles([...files]);
}
