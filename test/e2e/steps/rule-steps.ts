import type { Locator, Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expect } from '../app.ts';
import { expectDone, store, type DeviceIds, type MadeDevice } from './steps.ts';

/* A boiler that was too hot now and then, and the rule that finds that. */

const MINUTE_MS = 60_000;
const EVERY_MS = 5 * MINUTE_MS;
const DAYS = 3;

/** Days ago at which it was above 85 °C, for half an hour each. */
const HOT_DAYS = [2.5, 1.5, 0.5];

/** Three days of a boiler, a reading each five minutes: 80 °C, and thrice 90 °C for half an hour. */
export async function storeBoiler(api: Api, device: MadeDevice, now = Date.now()): Promise<void> {
  const first = now - DAYS * 86_400_000;
  const records = Array.from({ length: (now - first) / EVERY_MS }, (_, at) => {
    const time = first + at * EVERY_MS;
    const isHot = HOT_DAYS.some((days) => {
      const since = time - (now - days * 86_400_000);
      return since >= 0 && since < 30 * MINUTE_MS;
    });
    return { timestamp: new Date(time).toISOString(), supply: isHot ? 90 : 80 + (at % 5) / 2 };
  });
  await store(api, device, records);
  await expectDone(
    api('PATCH', `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/key-settings`, {
      body: { key: 'supply', shown_as: 'Supply', unit: '°C' },
    }),
  );
}

/** Adds a rule as a program does; null is for the devices with the tag of its condition. */
export async function makeRule(
  api: Api,
  { project_id, device_id }: Omit<DeviceIds, 'device_id'> & { readonly device_id: string | null },
  name: string,
  condition: object,
  fields: object = {},
): Promise<string> {
  const body = { ...(device_id !== null && { device_id }), name, type: 'rule', condition, ...fields };
  const { data } = await expectDone(api('POST', `/_local/v1/projects/${project_id}/functions`, { body }));
  return (data as { id: string }).id;
}

/** What the rule that is written would have done. */
export const wouldHave = (page: Page): Locator =>
  page.getByRole('status', { name: 'What it would have done' });

/** The firings of the rule that is written, as lines of the list. */
export const firingsOf = (page: Page): Locator =>
  page.getByRole('list', { name: 'Firings' }).getByRole('listitem');

/** Bars of alarms, or of firings that are tried, over a chart. */
export const barsOf = (page: Page, kind: 'open' | 'ended' | 'tried'): Locator =>
  page.getByTestId('chart').locator(`button[data-alarm][data-kind="${kind}"]`);

/** Writes the first condition of a rule: supply above a limit. */
export async function writeLimit(page: Page, limit: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Limit (°C)' }).fill(limit);
  await expect(wouldHave(page)).not.toHaveText(/^Reading/);
}
