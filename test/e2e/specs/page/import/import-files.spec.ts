import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import {
  choose,
  dataPath,
  makeDevice,
  makeProject,
  visitDevice,
  type DeviceIds,
} from '../../../steps/steps.ts';

/* Files that could be read in more than one way, or not at all: nothing is stored before a person has seen how. */

async function atDevice(page: Page, api: Api): Promise<DeviceIds> {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  return device;
}

const screen = (page: Page) => page.getByRole('main');
const importButton = (page: Page) => screen(page).getByRole('button', { name: 'Import 1 file' });

async function stored(api: Api, device: DeviceIds) {
  return (await api('GET', `${dataPath(device)}?page=1&limit=100&range=all`)).data as Record<
    string,
    unknown
  >[];
}

test('Enter imports once the preview is up, and the buttons are in view in the lowest window', async ({
  page,
  api,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'recording.csv');
  const lines = Array.from({ length: 60 }, (_, n) => `2026-01-05T08:${String(n).padStart(2, '0')}:00Z,${n}`);
  await writeFile(file, ['time,bar', ...lines].join('\n'));
  const device = await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  await expect(importButton(page)).toBeFocused();
  // Nothing that cannot be seen stops the Tab key.
  await expect(page.locator('[role="presentation"][tabindex="0"]')).toHaveCount(0);
  for (const size of [
    { width: 820, height: 600 },
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(size);
    await expect(importButton(page)).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Enter');
  await expect(screen(page)).toContainText('60 records imported');
  await expect(screen(page).getByRole('button', { name: 'Done', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Chart' })).toBeVisible();
  expect(await stored(api, device)).toHaveLength(60);

  const copy = join(dataDirectory, 'copy.csv');
  await copyFile(file, copy);
  await page.getByLabel('File to import').setInputFiles(copy);
  await expect(screen(page)).toContainText('60 records are already stored');
  await screen(page).getByText('Add them again').click();
  await shot(page, 'import-again');
  await importButton(page).click();
  await expect(screen(page)).toContainText('60 records of this device already lay between');
});

test('a workbook is named as one, and there is nothing to import', async ({ page, api, dataDirectory }) => {
  const file = join(dataDirectory, 'recording.csv');
  await writeFile(file, 'PK\u0003\u0004\u0014\u0000[Content_Types].xml xl/workbook.xml');
  await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  await expect(screen(page)).toContainText('it is an Excel workbook. Save it as CSV UTF-8');
  await expect(screen(page).getByRole('button', { name: 'Import files' })).toBeDisabled();
  await shot(page, 'import-workbook');
});

test('a file comes in by the encoding it has or that is chosen, as the preview shows it', async ({
  page,
  api,
  dataDirectory,
}) => {
  const text = 'time;T °C\n2026-01-05T08:00:00Z;21,5\n2026-01-05T08:01:00Z;21,6\n';
  const device = await atDevice(page, api);
  const wide = join(dataDirectory, 'wide.csv');
  await writeFile(wide, `\uFEFF${text}`, 'utf16le');
  await page.getByLabel('File to import').setInputFiles(wide);
  await expect(screen(page).getByRole('columnheader', { name: 'T °C number' })).toBeVisible();
  await importButton(page).click();
  await expect(screen(page)).toContainText('2 records imported');
  await screen(page).getByRole('button', { name: 'Done', exact: true }).click();

  const latin = join(dataDirectory, 'latin.csv');
  await writeFile(latin, text.replaceAll('T08', 'T09'), 'latin1');
  await page.getByLabel('File to import').setInputFiles(latin);
  await expect(screen(page).getByRole('combobox', { name: 'Encoding' })).toHaveValue('Windows-1252');
  await expect(screen(page)).toContainText('Read as Windows-1252: “T °C”');
  await shot(page, 'import-encoding');
  await expect(screen(page).getByRole('columnheader', { name: 'T °C number' })).toBeVisible();
  await importButton(page).click();
  await expect(screen(page)).toContainText('2 records imported');
  expect((await stored(api, device)).map((record) => record['T'])).toEqual([21.6, 21.5, 21.6, 21.5]);
});

test('seconds since the start begin when it is said', async ({ page, api, dataDirectory }) => {
  const file = join(dataDirectory, 'test-run.csv');
  await writeFile(file, 't_s,bar\n0.00,1\n0.25,2\n90.5,3\n');
  const device = await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  const start = screen(page).getByRole('textbox', { name: 'The recording began' });
  await expect(start).toHaveValue(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await choose(screen(page), 'Time zone', 'Europe/Berlin');
  await start.fill('2026-01-05 09:00');
  await start.blur();
  await expect(screen(page).getByText('First row:').getByRole('time').last()).toHaveAttribute(
    'datetime',
    '2026-01-05T08:01:30.500000Z',
  );
  await shot(page, 'import-elapsed');
  await importButton(page).click();
  await expect(screen(page)).toContainText('3 records imported');
  expect((await stored(api, device)).map(({ timestamp }) => timestamp)).toEqual([
    '2026-01-05T08:01:30.500000Z',
    '2026-01-05T08:00:00.250000Z',
    '2026-01-05T08:00:00.000000Z',
  ]);
});

test('a table behind a title, without times, is only imported when that is chosen', async ({
  page,
  api,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'logger.csv');
  await writeFile(file, 'Logger 7\nSerial 4711\nzip,bar\n00501,1\n10501,2\n');
  const device = await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  await screen(page)
    .getByRole('button', { name: /3 lines above, names in line 3/ })
    .click();
  await expect(
    screen(page).getByRole('list', { name: 'Lines above the data' }).getByRole('listitem'),
  ).toHaveText([/^1Logger 7/, /^2Serial 4711/, /^3zip,barnames/]);
  await expect(screen(page).getByRole('columnheader', { name: 'zip text' })).toBeVisible();
  await expect(screen(page).getByRole('button', { name: 'Import files' })).toBeDisabled();
  await shot(page, 'import-no-time');
  await screen(page)
    .getByRole('combobox', { name: 'Time column' })
    .selectOption('None: the time of the import');
  await expect(screen(page)).toContainText('all of them will lie at one instant');
  await importButton(page).click();
  await expect(screen(page)).toContainText('2 records imported');
  expect((await stored(api, device)).map(({ zip }) => zip)).toEqual(['10501', '00501']);
});

test('a button pressed before the page can take a drop asks for the file all the same', async ({
  page,
  api,
  host,
}) => {
  test.skip(host !== 'console', 'a part of the page is held back at its server');
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await page.route(/file-drop/, () => {});
  await visitDevice(page, device);
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import…' }).click();
  await (
    await asked
  ).setFiles({
    name: 'press.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('time,bar\n2026-11-19T18:00:00Z,4\n'),
  });
  await expect(page).toHaveURL(/\/import$/);
});
