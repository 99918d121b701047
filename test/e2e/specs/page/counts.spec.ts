import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from '../../api.ts';
import { expect, test } from '../../app.ts';
import { drag, pickRange, toggleKey } from '../../steps/chart-steps.ts';
import { dropFiles } from '../../files.ts';
import { acts, chooseFiles, countedActs, expectActs, link, selection } from '../../steps/hour-steps.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
  type MadeDevice,
} from '../../steps/steps.ts';

/*
 * What a task costs at most, in clicks, drags and keys; a word that is typed is one, with the Enter that ends it. Files are counted in
 * import-table.spec.ts and import-kinds.spec.ts, what needs a service beside it or a restart in counts-apart.spec.ts, an hour by mouse and by
 * keyboard in technician-hour.spec.ts and technician-hour-keys.spec.ts, the lines of a start in start-says.test.ts.
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

test('the last 5 minutes, live: 2 acts; a note on a span: 3', async ({ page, api }) => {
  const [device] = await makeDevices(api, 1);
  await visitDevice(page, device!);
  await expectChart(page, MINUTES);
  await countedActs(page);
  await drag(page, 0.4, 0.6);
  await selection(page).getByRole('button', { name: 'Note…' }).click();
  const note = page.getByRole('dialog', { name: 'New note' });
  await note.getByRole('textbox', { name: 'Note' }).fill('Door open');
  await note.getByRole('textbox', { name: 'Note' }).press('Enter');
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

test('unit and normal range of a key of 60 devices: 6 acts, 3 of them words; taken back: 1', async ({
  page,
  api,
}) => {
  const devices = await makeDevices(api, 60);
  const settings = async () => {
    const path = `/_local/v1/projects/${devices[0]!.project_id}/key-settings`;
    const all = (await expectDone(api('GET', path))).data as readonly Record<string, unknown>[];
    return all.map(
      ({ key, unit, low, high }) => `${String(key)}: ${String(low)} to ${String(high)} ${String(unit)}`,
    );
  };
  await visitDevice(page, devices[0]!, 'keys');
  await expect(page.getByRole('table', { name: 'Keys' }).getByRole('row')).toHaveCount(3);
  await countedActs(page);
  await page
    .getByRole('table', { name: 'Keys' })
    .getByRole('row', { name: /temperature/ })
    .click();
  const editor = page.getByRole('region', { name: 'temperature' });
  await editor.getByRole('combobox', { name: 'Unit' }).fill('°C');
  await editor.getByRole('textbox', { name: 'Normal from' }).fill('18');
  await editor.getByRole('textbox', { name: 'Normal up to' }).fill('24');
  await editor.getByRole('checkbox', { name: /Apply to all devices/ }).click();
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved for 60 devices.')).toBeVisible();
  await expectActs(page, 3, 'unit and normal range beside 3 words');
  expect(await settings()).toEqual(devices.map(() => 'temperature: 18 to 24 °C'));
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText(/^Taken back: .* of temperature for 60 devices/)).toBeVisible();
  expect(await settings()).toEqual([]);
});

test('an hour deleted: 3 acts, and had back by Ctrl Z alone', async ({ page, api }) => {
  const [device] = await makeDevices(api, 1);
  await visitDevice(page, device!);
  await expectChart(page, MINUTES);
  await countedActs(page);
  await drag(page, 0.25, 0.75);
  await selection(page)
    .getByRole('button', { name: /^Delete \d+…$/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete \d+ records$/ })
    .click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect
    .poll(async () => Number(await page.getByTestId('chart').getAttribute('data-points')))
    .toBeLessThan(MINUTES);
  await expectActs(page, 3, 'an hour deleted');
  await page.keyboard.press('ControlOrMeta+z');
  await expectChart(page, MINUTES);
});

test('files that are in are in the way of no later import: 0 acts; the way back still leads to them', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const paths = ['mon.csv', 'tue.csv', 'wed.csv', 'thu.csv'].map((name) => join(dataDirectory, name));
  for (const [n, path] of paths.entries())
    await writeFile(path, `time,bar\n2026-01-0${n + 5}T08:00:00Z,1\n2026-01-0${n + 5}T08:01:00Z,2\n`);
  const last = paths.at(-1) ?? '';
  const files = page.getByRole('navigation', { name: 'Files' });
  const fromHeader = page.getByRole('main').getByRole('button', { name: 'Import files…' });
  const button = page.getByRole('button', { name: 'Choose files…' });
  const choose = (some: number) => chooseFiles(page, () => button.click(), paths.slice(0, some));
  await visit(page, `#/projects/${project_id}`);
  await fromHeader.click();
  await choose(3);
  await page.getByRole('button', { name: 'Import 3 files' }).click();
  await expect(files.getByText('Imported')).toHaveCount(3);
  // On to a chart, and back to the other results.
  await page.getByRole('button', { name: 'Open the device' }).click();
  await expectChart(page, 2);
  await page.goBack();
  await expect(files.getByText('Imported')).toHaveCount(3);

  await visit(page, `#/projects/${project_id}`);
  await fromHeader.click();
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
  await choose(1);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(files.getByText('Imported')).toHaveCount(1);
  // A drop begins anew, too.
  await visit(page, `#/projects/${project_id}`);
  await expect(fromHeader).toBeVisible();
  await countedActs(page);
  await dropFiles(page, [last]);
  await expect(page.getByRole('region', { name: 'thu.csv' })).toBeVisible();
  await expect(files.getByRole('button', { name: /^Remove / })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Import 1 file' })).toBeEnabled();
  await expectActs(page, 0, 'what was imported before is gone');
});
