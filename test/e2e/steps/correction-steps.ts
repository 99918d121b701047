import { expect, type Locator, type Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expectDone, makeDevice, makeProject, store, type DeviceIds, type MadeDevice } from './steps.ts';

/* What specs of corrections begin with. */

/** Of the first reading, in ms. */
const AT = Date.UTC(2026, 10, 19, 8);
export const MINUTES = 240;
/** The time of a reading, as the service writes it. */
export const timeOf = (minute: number) => new Date(AT + minute * 60_000).toISOString();

/** Four hours of a cold store: a reading a minute, with the door open for the second half of the third hour. */
export const COLD = Array.from({ length: MINUTES }, (_, minute) => ({
  timestamp: timeOf(minute),
  air: minute >= 150 && minute < 180 ? 12 : 4 + (minute % 10) / 10,
  humidity: 60 + (minute % 5),
  door: minute >= 150 && minute < 180 ? 'open' : 'shut',
}));

/** A flag of that half hour. */
export const BAD = {
  kind: 'quality',
  keys: null,
  quality: 'fail',
  reason: 'door open',
  from: timeOf(150),
  to: timeOf(179),
};

/** Makes a cold store that has stored its four hours. */
export async function makeColdStore(api: Api, name = 'Cold store 2'): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Pharmacy'), name);
  await store(api, device, COLD);
  return device;
}

export const correctionsPath = ({ project_id, device_id }: DeviceIds) =>
  `/_local/v1/projects/${project_id}/devices/${device_id}/corrections`;

/** Corrects a device, as a program would. */
export async function correct(api: Api, device: DeviceIds, body: object): Promise<void> {
  await expectDone(api('POST', correctionsPath(device), { body }));
}

/** A figure of a key in the legend, to the last digit. */
export function figureOf(page: Page, key: string, figure: string): Locator {
  return page.getByTestId('chart-readout').locator(`[data-line="${key}"] [data-figure="${figure}"]`);
}

/** Chooses what is to be put right of the selection. */
export async function correctSelection(page: Page, item: string): Promise<Locator> {
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Correct' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Shows a device through another view. */
export async function chooseView(page: Page, view: 'Raw' | 'Corrected' | 'Both'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'View' }).getByText(view, { exact: true }).click();
}
