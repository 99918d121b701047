import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { countClicks, file, panel } from '../../../steps/import-steps.ts';
import { dataPath, makeProject, visit } from '../../../steps/steps.ts';

/* Files of one kind, as a logger writes them day by day: what is chosen for one is for all of them. */

const day = (n: number) => `2026-10-${String(n).padStart(2, '0')}`;
const hour = (n: number) => String(n).padStart(2, '0');

/** A file of a day, with a row an hour. */
async function writeDay(folder: string, n: number): Promise<string> {
  const path = join(folder, `pump 7_${day(n)}.csv`);
  const rows = Array.from({ length: 24 }, (_, h) => `${day(n)} ${hour(h)}:00;${50 + h},5;${n + h};ok`);
  await writeFile(path, ['Zeit;Vorlauf (°C);value;state', ...rows, ''].join('\r\n'));
  return path;
}

async function writeDays(folder: string, days: number): Promise<string[]> {
  return Promise.all(Array.from({ length: days }, (_, n) => writeDay(folder, n + 1)));
}

async function drop(page: Page, project_id: string, paths: readonly string[]): Promise<void> {
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, paths);
}

const kind = (page: Page, name: string) =>
  panel(page, name).getByRole('status', { name: 'Files of this kind' });
const zone = (page: Page, name: string) => panel(page, name).getByRole('combobox', { name: 'Time zone' });

test('twelve days of a logger take one choice each, go into one device, and leave a file of another kind alone', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const days = await writeDays(dataDirectory, 12);
  const oven = join(dataDirectory, 'oven.csv');
  await writeFile(oven, 'time,value\n2026-10-01 08:00,180\n2026-10-01 09:00,181\n');
  await drop(page, project_id, [...days.slice(0, 6), oven, ...days.slice(6)]);
  const [first, third] = [`pump 7_${day(1)}.csv`, `pump 7_${day(3)}.csv`];
  await expect(kind(page, first)).toContainText(
    'What is chosen is also for 11 other files of this kind · “oven.csv” is of another kind.',
  );
  const clicks = await countClicks(page);
  await zone(page, first).click();
  await zone(page, first).fill('+2');
  await page.getByRole('option', { name: 'UTC+02:00, all year' }).click();
  await panel(page, first).getByRole('checkbox', { name: 'Import state' }).uncheck();
  await panel(page, first).getByRole('textbox', { name: 'Unit of value' }).fill('bar');
  await panel(page, first).getByRole('checkbox', { name: 'All 12 of this kind into one device' }).check();
  await panel(page, first).getByRole('button', { name: 'Call it “pump 7”' }).click();
  expect(await clicks(), 'clicks for twelve files').toBe(5);
  await expect(panel(page, first).getByRole('textbox', { name: 'Its name' })).toHaveValue('pump 7');
  await shot(page, 'import-kind');

  await file(page, third).click();
  await expect(zone(page, third)).toHaveValue('UTC+02:00, all year');
  await expect(panel(page, third).getByRole('checkbox', { name: 'Import state' })).not.toBeChecked();
  await expect(panel(page, third).getByRole('textbox', { name: 'Key of value' })).toHaveValue('pump 7');
  await expect(panel(page, third).getByRole('textbox', { name: 'Unit of value' })).toHaveValue('bar');
  await file(page, 'oven.csv').click();
  await expect(zone(page, 'oven.csv')).not.toHaveValue('UTC+02:00, all year');
  await expect(kind(page, 'oven.csv')).toHaveCount(0);

  await page.getByRole('button', { name: 'Import 13 files' }).click();
  await expect(page.getByText('13 of 13 files imported.')).toBeVisible();
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices`);
  const devices = data as { readonly id: string; readonly name: string; readonly records: number }[];
  expect(Object.fromEntries(devices.map(({ name, records }) => [name, records]))).toEqual({
    oven: 2,
    'pump 7': 12 * 24,
  });
  const { id = '' } = devices.find(({ name }) => name === 'pump 7') ?? {};
  const { data: newest } = await api(
    'GET',
    `${dataPath({ project_id, device_id: id })}?page=1&limit=1&range=all`,
  );
  expect(newest).toEqual([{ timestamp: '2026-10-12T21:00:00.000000Z', Vorlauf: 73.5, 'pump 7': 12 + 23 }]);
});

test('a file is read on its own where that is wanted, and as the others again', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  await drop(page, project_id, await writeDays(dataDirectory, 3));
  const [first, second] = [`pump 7_${day(1)}.csv`, `pump 7_${day(2)}.csv`];
  await file(page, second).click();
  await kind(page, second).getByRole('button', { name: 'Only this file' }).click();
  await expect(kind(page, second)).toContainText(
    'What is chosen is for this file alone, not for 2 other files of this kind.',
  );
  await panel(page, second).getByRole('checkbox', { name: 'Import value' }).uncheck();
  await file(page, first).click();
  await expect(kind(page, first)).toContainText(
    'What is chosen is also for 1 other file of this kind · 1 more is read on its own.',
  );
  await expect(panel(page, first).getByRole('checkbox', { name: 'Import value' })).toBeChecked();
  await panel(page, first).getByRole('checkbox', { name: 'Import state' }).uncheck();
  await file(page, second).click();
  await expect(panel(page, second).getByRole('checkbox', { name: 'Import state' })).toBeChecked();
  await shot(page, 'import-parted');
  await kind(page, second).getByRole('button', { name: 'Read it as the others' }).press('Enter');
  await expect(panel(page, second).getByRole('checkbox', { name: 'Import value' })).toBeChecked();
  await expect(panel(page, second).getByRole('checkbox', { name: 'Import state' })).not.toBeChecked();
  await expect(kind(page, second)).toContainText('What is chosen is also for 2 other files of this kind.');
});

test('the dates of one day tell how those of another are read, and it is said by which', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const paths = ['03.csv', '13.csv'].map((name) => join(dataDirectory, name));
  for (const path of paths) {
    const rows = ['08', '09'].map((one) => `04/${path.slice(-6, -4)}/2026 ${one}:00,1`);
    await writeFile(path, ['date,bar', ...rows, ''].join('\n'));
  }
  await drop(page, project_id, paths);
  await expect(panel(page, '03.csv').getByTestId('told')).toHaveText(
    'Month first, as in “13.csv”: its dates can be read in no other order.',
  );
  await expect(panel(page, '03.csv').getByRole('combobox', { name: 'Date order' })).toHaveValue(
    'Month first',
  );
  for (const name of ['03.csv', '13.csv']) await expect(file(page, name)).toContainText(/Ready$/);
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(page.getByText('2 of 2 files imported.')).toBeVisible();
});

test('what nothing in the files tells is answered once for all of a kind, also for one that comes later', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const names = ['3.csv', '4.csv', '5.csv'];
  for (const [n, name] of names.entries())
    await writeFile(
      join(dataDirectory, name),
      `date;bar\n0${n + 3}.04.2026 08:00;1\n0${n + 3}.04.2026 09:00;2\n`,
    );
  const [, , last = ''] = names;
  await drop(
    page,
    project_id,
    names.slice(0, 2).map((name) => join(dataDirectory, name)),
  );
  for (const name of names.slice(0, 2))
    await expect(file(page, name)).toContainText('Ready, 1 guess to look at');
  await page.getByTestId('doubt').getByRole('button', { name: 'Day first' }).click();
  for (const name of names.slice(0, 2)) await expect(file(page, name)).toContainText(/Ready$/);
  await dropFiles(page, [join(dataDirectory, last)]);
  await expect(file(page, last)).toContainText(/Ready$/);
});
