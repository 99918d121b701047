import { expect, type Locator, type Page } from '@playwright/test';
import type { Api } from '../api.ts';

/** What several stories begin with, made by a script beside the app. */

export interface DeviceIds {
  readonly project_id: string;
  readonly device_id: string;
}

export interface MadeDevice extends DeviceIds {
  readonly token: string;
}

/** Makes a project; gives its id. */
export async function makeProject(api: Api, name: string, description = ''): Promise<string> {
  const { data } = await expectDone(api('POST', '/_local/v1/projects', { body: { name, description } }));
  return (data as { id: string }).id;
}

/** Makes a device that stores over HTTP. */
export async function makeDevice(
  api: Api,
  project_id: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeDevice> {
  const body = { name, source: 'http', ...more };
  const { data } = await expectDone(api('POST', `/v2/projects/${project_id}/devices`, { body }));
  const { metadata } = data as { metadata: { device_id: string; device_token: string } };
  return { project_id, device_id: metadata.device_id, token: metadata.device_token };
}

/** Stores records as the device does, with its token. */
export async function store(api: Api, { token }: MadeDevice, records: unknown): Promise<void> {
  await expectDone(api('POST', '/integrations/http', { key: token, body: records }));
}

/** Fails with the service's words where it refuses. */
export async function expectDone(answer: ReturnType<Api>): ReturnType<Api> {
  const { status, message } = await answer;
  expect([200, 201], message).toContain(status);
  return answer;
}

/** The address of a device's records on /v2; a query follows. */
export function dataPath({ project_id, device_id }: DeviceIds): string {
  return `/v2/projects/${project_id}/devices/${device_id}/data`;
}

/** Goes to a screen by its address behind the "#", as a bookmark would. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), address);
}

/** Goes to a device's page and waits until it shows. */
export async function visitDevice(page: Page, { project_id, device_id }: DeviceIds, tab = ''): Promise<void> {
  await visit(page, `#/projects/${project_id}/devices/${device_id}${tab && `/${tab}`}`);
  await expect(page.getByRole('tab', { name: 'Chart' })).toBeVisible();
}

/** Opens what stands behind "⋯" on a device's page. */
export async function openAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses from a list that can be searched. */
export async function choose(within: Page | Locator, label: string, option: string): Promise<void> {
  const field = within.getByRole('combobox', { name: label });
  await field.click();
  await field.fill(option);
  const page = 'page' in within ? within.page() : within;
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The chart once it shows so many records. */
export async function expectChart(page: Page, points: number): Promise<void> {
  const chart = page.getByTestId('chart');
  await expect(chart).toHaveAttribute('data-points', String(points));
  await expect(chart).toHaveAttribute('data-state', 'ready');
}

/** What the dialog of a delete says would go, by row. */
export const removedRows = (dialog: Locator): Locator =>
  dialog.getByRole('table', { name: 'What would be removed' }).getByRole('row');
