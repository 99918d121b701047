import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expect, shot, test } from '../app.ts';
import { dropFiles } from '../files.ts';
import { choose, dataPath, makeDevice, makeProject, visit, visitDevice, type DeviceIds } from '../steps.ts';

/* Files that could be read in more than one way, or not at all: nothing is stored before a person has seen how. */

async function atDevice(page: Page, api: Api): Promise<DeviceIds> {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  return device;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Import/ });
const importButton = (page: Page) => dialogOf(page).getByRole('button', { name: 'Import', exact: true });

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
  await expect(dialogOf(page)).toContainText('60 records imported');
  await expect(dialogOf(page).getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialogOf(page)).toBeHidden();
  expect(await stored(api, device)).toHaveLength(60);

  const copy = join(dataDirectory, 'copy.csv');
  await copyFile(file, copy);
  await page.getByLabel('File to import').setInputFiles(copy);
  await expect(dialogOf(page)).toContainText('The device already has 60 records');
  await shot(page, 'import-again');
  await importButton(page).click();
  await expect(dialogOf(page)).toContainText('60 records of this device already lay between');
});

test('a workbook is named as one, and there is nothing to import', async ({ page, api, dataDirectory }) => {
  const file = join(dataDirectory, 'recording.csv');
  await writeFile(file, 'PK\u0003\u0004\u0014\u0000[Content_Types].xml xl/workbook.xml');
  await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  await expect(dialogOf(page)).toContainText('it is an Excel workbook. Save it as CSV UTF-8');
  await expect(importButton(page)).toHaveCount(0);
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
  await expect(dialogOf(page).getByRole('columnheader', { name: 'T °C number' })).toBeVisible();
  await importButton(page).click();
  await expect(dialogOf(page)).toContainText('2 records imported');
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();

  const latin = join(dataDirectory, 'latin.csv');
  await writeFile(latin, text.replaceAll('T08', 'T09'), 'latin1');
  await page.getByLabel('File to import').setInputFiles(latin);
  await expect(dialogOf(page).getByRole('alert')).toContainText('line 1: the file must be UTF-8 text');
  await expect(importButton(page)).toBeDisabled();
  await shot(page, 'import-encoding');
  await dialogOf(page).getByRole('combobox', { name: 'Encoding' }).click();
  await page.getByRole('option', { name: 'Windows-1252 (Latin-1)' }).click();
  await expect(dialogOf(page).getByRole('columnheader', { name: 'T °C number' })).toBeVisible();
  await importButton(page).click();
  await expect(dialogOf(page)).toContainText('2 records imported');
  expect((await stored(api, device)).map((record) => record['T °C'])).toEqual([21.6, 21.5, 21.6, 21.5]);
});

test('seconds since the start begin when it is said', async ({ page, api, dataDirectory }) => {
  const file = join(dataDirectory, 'test-run.csv');
  await writeFile(file, 't_s,bar\n0.00,1\n0.25,2\n90.5,3\n');
  const device = await atDevice(page, api);
  await page.getByLabel('File to import').setInputFiles(file);
  const start = dialogOf(page).getByRole('textbox', { name: 'The recording began' });
  await expect(start).toHaveValue(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await choose(dialogOf(page), 'Time zone', 'Europe/Berlin');
  await start.fill('2026-01-05 09:00');
  await start.blur();
  await expect(dialogOf(page).getByRole('time').last()).toHaveAttribute(
    'datetime',
    '2026-01-05T08:01:30.500000Z',
  );
  await shot(page, 'import-elapsed');
  await importButton(page).click();
  await expect(dialogOf(page)).toContainText('3 records imported');
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
  await expect(dialogOf(page).getByRole('textbox', { name: 'The table begins in line' })).toHaveValue('3');
  await expect(dialogOf(page).getByRole('columnheader', { name: 'zip text' })).toBeVisible();
  await expect(importButton(page)).toBeDisabled();
  await shot(page, 'import-no-time');
  await choose(dialogOf(page), 'Time column', 'None: the time of the import');
  await expect(dialogOf(page)).toContainText('all of them will lie at one instant');
  await importButton(page).click();
  await expect(dialogOf(page)).toContainText('2 records imported');
  expect((await stored(api, device)).map(({ zip }) => zip)).toEqual(['10501', '00501']);
});

test('files that are dropped together come one after the other, and only where there is a device', async ({
  page,
  api,
  dataDirectory,
}) => {
  const files = ['one', 'two'].map((name) => join(dataDirectory, `${name}.csv`));
  for (const [n, file] of files.entries()) await writeFile(file, `time,bar\n2026-01-05T08:0${n}:00Z,${n}\n`);
  const device = await atDevice(page, api);
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  await dropFiles(page, files);
  await expect(dialogOf(page)).toContainText('one.csv · 32 bytes · then two.csv');
  await importButton(page).click();
  await dialogOf(page).getByRole('button', { name: 'Next: two.csv' }).click();
  await expect(dialogOf(page)).toContainText('two.csv · 32 bytes');
  await importButton(page).click();
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  expect(await stored(api, device)).toHaveLength(2);

  await visit(page, `#/projects/${device.project_id}`);
  await expect(page.getByText('Compressor')).toBeVisible();
  await dropFiles(page, files);
  await expect(
    page.getByText('Open the device that one.csv and 1 more file belongs to, and drop it there.'),
  ).toBeVisible();
});
