import type { Page } from '@playwright/test';
import type { Api } from '../../api.ts';
import { expect, test } from '../../app.ts';
import { drag, pickRange, toggleKey } from '../../chart-steps.ts';
import { acts, countedActs, link, selection } from '../../hour-steps.ts';
import {
  expectChart,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
  type MadeDevice,
} from '../../steps.ts';

/*
 * What a task costs at most, in clicks, drags and keys; a word that is typed is one. Files are counted in import-table.spec.ts and
 * import-kinds.spec.ts, an hour by mouse and by keyboard in technician-hour.spec.ts and technician-hour-keys.spec.ts.
 */

const MINUTES = 120;

/** So many like devices of which the last drifts, a reading a minute up to now. */
async function makeDevices(api: Api, count: number): Promise<readonly MadeDevice[]> {
  const project_id = await makeProject(api, 'Plant');
  const begun = Date.now() - MINUTES * 60_000;
  const devices: MadeDevice[] = [];
  for (let n = 1; n <= count; n++) {
    const device = await makeDevice(api, project_id, `PT-${100 + n}`);
    const drift = n === count ? 6 : 0;
    const readings = Array.from({ length: MINUTES }, (_, minute) => ({
      timestamp: new Date(begun + minute * 60_000).toISOString(),
      temperature: 20 + Math.sin(minute / 9) + ((minute * 7 + n) % 5) / 10 + (drift * minute) / MINUTES,
      pressure: 1000 + (minute % 7),
    }));
    await store(api, device, readings);
    devices.push(device);
  }
  return devices;
}

/** Fails where a task took more than so many acts. */
async function expectActs(page: Page, most: number, task: string): Promise<void> {
  expect(await acts(page), task).toBeLessThanOrEqual(most);
}

test('the one of many that drifts: 1 act; its neighbour beside it: 2', async ({ page, api }) => {
  const devices = await makeDevices(api, 6);
  await visit(page, `#/projects/${devices[0]!.project_id}`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table.getByRole('columnheader', { name: /temperature, last day/ })).toBeVisible();
  await countedActs(page);
  await table.getByRole('columnheader', { name: 'Deviation' }).getByRole('button').click();
  await expect(table.getByRole('row').nth(1).getByRole('link')).toHaveText('PT-106');
  await expectActs(page, 1, 'the drifting one on top');

  await link(page, 'PT-106').click();
  await expectChart(page, MINUTES);
  await acts(page);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog', { name: 'Compare' }).getByRole('button', { name: 'PT-105' }).click();
  await expect(page.getByTestId('compare')).toHaveAttribute('data-points', String(2 * MINUTES));
  await expectActs(page, 2, 'compared with the neighbour');
});

test('the last 5 minutes, live: 2 acts; a note on a span: 3, its text 1 more', async ({ page, api }) => {
  const [device] = await makeDevices(api, 1);
  await visitDevice(page, device!);
  await expectChart(page, MINUTES);
  await countedActs(page);
  await drag(page, 0.4, 0.6);
  await selection(page).getByRole('button', { name: 'Note…' }).click();
  const note = page.getByRole('dialog', { name: 'New note' });
  await note.getByRole('textbox', { name: 'Note' }).fill('Door open');
  await note.getByRole('button', { name: 'Add note' }).click();
  await expect(note).toHaveCount(0);
  await expectActs(page, 3, 'a note on a span');

  await pickRange(page, 'Last 5 minutes');
  await expect(page.getByRole('button', { name: /^Range: Last 5 minutes/ })).toBeVisible();
  await expectActs(page, 2, 'the last 5 minutes');
});

test('what is hidden is not exported: 2 acts; a key for 30 days: 2, its name and end typed', async ({
  page,
  api,
}) => {
  const [device] = await makeDevices(api, 1);
  await visitDevice(page, device!);
  await expectChart(page, MINUTES);
  await toggleKey(page, 'pressure');
  await countedActs(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export…' }).click();
  await page
    .getByRole('dialog', { name: /^Export/ })
    .getByRole('button', { name: 'Export', exact: true })
    .click();
  await saved;
  await expectActs(page, 2, 'exported as it is seen');

  await visit(page, '#/api-keys');
  await acts(page);
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Gateway');
  await dialog.getByRole('textbox', { name: 'Expires' }).fill('30 days');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await expect(page.getByRole('dialog')).toContainText('Gateway');
  await expectActs(page, 2, 'a key for 30 days');
});
