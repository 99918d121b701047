import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORDINGS } from '../../../../helpers/files/recordings.ts';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { countClicks, file, panel } from '../../../steps/import-steps.ts';
import { dropFiles, fileOf, rowsOf } from '../../../files.ts';
import { dataPath, expectChart, makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';

/* Many files at once: seen before anything is stored, imported one after the other, each into its device. */

async function recordsOf(api: Api, project_id: string): Promise<Record<string, number>> {
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices?limit=100`);
  const devices = data as { readonly name: string; readonly records: number }[];
  return Object.fromEntries(devices.map(({ name, records }) => [name, records]));
}

test('five recordings are imported in at most twelve clicks, each into a device of its own', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Recordings');
  const files = await Promise.all(RECORDINGS.map((recording) => fileOf(recording, dataDirectory)));
  await visit(page, `#/projects/${project_id}`);
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Import files…' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  await (await choosing).setFiles(files);

  const importAll = page.getByRole('button', { name: 'Import 5 files' });
  await expect(importAll).toBeFocused();
  await expect(panel(page, RECORDINGS[0]!.file)).toContainText('every row can be read');
  await shot(page, 'import-many');
  await importAll.click();
  for (const recording of RECORDINGS) await expect(file(page, recording.file)).toContainText('Imported');
  await shot(page, 'import-many-done');
  await file(page, RECORDINGS[0]!.file).click();
  await page.getByRole('button', { name: 'Open the device' }).click();
  await expectChart(page, rowsOf(RECORDINGS[0]!, files[0]!).length);
  // Two more than it takes: a look at the first result.
  expect(await clicks()).toBeLessThanOrEqual(12);
  const expected = RECORDINGS.map((recording, i): [string, number] => [
    recording.file.replace('.csv', ''),
    rowsOf(recording, files[i]!).length,
  ]);
  expect(await recordsOf(api, project_id)).toEqual(Object.fromEntries(expected));
});

test('what is already there is told and skipped, and files that are dropped on a device are for it', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  const [first, second] = ['one.csv', 'two.csv'].map((name) => join(dataDirectory, name));
  const rows = ['2026-01-05T08:00:00Z,1', '2026-01-05T08:01:00Z,2', '2026-01-05T08:01:00Z,2'];
  await writeFile(first!, ['time,bar', ...rows, ''].join('\n'));
  await writeFile(second!, ['time,bar', ...rows, '2026-01-05T08:02:00Z,3', ''].join('\n'));
  await visitDevice(page, device);
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  await dropFiles(page, [first!, second!]);
  await expect(page.getByRole('heading', { name: 'Import files' })).toBeVisible();
  await expect(panel(page, 'one.csv').getByRole('combobox', { name: 'Into' })).toHaveValue('Compressor');
  await expect(panel(page, 'one.csv')).toContainText('1 repeated time');
  await page.getByRole('button', { name: 'Remove two.csv' }).click();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Import 1 file' }).press('Enter');
  await expect(file(page, 'one.csv')).toContainText('Imported');
  await page.getByRole('button', { name: 'Done', exact: true }).click();

  await visitDevice(page, device);
  await expectChart(page, 3);
  await dropFiles(page, [first!, second!]);
  await file(page, 'two.csv').click();
  await expect(panel(page, 'two.csv')).toContainText('3 records are already stored');
  await shot(page, 'import-already-there');
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(panel(page, 'two.csv')).toContainText('1 record imported');
  await expect(panel(page, 'two.csv')).toContainText('3 records were there already and skipped.');
  await file(page, 'one.csv').click();
  await expect(panel(page, 'one.csv')).toContainText('0 records imported');
  expect(await recordsOf(api, device.project_id)).toEqual({ Compressor: 4 });
});

test('the tree takes files, for a device or for a project, whatever the screen shows', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await makeProject(api, 'Line 3');
  const recording = join(dataDirectory, 'one.csv');
  await writeFile(recording, 'time,bar\n2026-01-05T08:00:00Z,1\n');
  const row = (name: RegExp) => page.getByRole('treeitem', { name });
  await visitDevice(page, device);
  await visit(page, '#/');
  await dropFiles(page, [recording], row(/Compressor/));
  await expect(panel(page, 'one.csv').getByRole('combobox', { name: 'Into' })).toHaveValue('Compressor');
  // Beside its rows nothing happens, and nothing stays open over the screen.
  await dropFiles(page, [recording], page.getByRole('searchbox', { name: 'Filter projects and devices' }));
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(panel(page, 'one.csv')).toContainText('1 record imported');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expectChart(page, 1);
  await dropFiles(page, [recording], row(/Line 3/));
  await expect(panel(page, 'one.csv').getByRole('textbox', { name: 'Its name' })).toHaveValue('one');
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Line 3');
});

test('columns get names, units and types in place, for all files of one kind', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const files = ['a.csv', 'b.csv'].map((name) => join(dataDirectory, name));
  const text =
    'time,value,serial,spare\n,°C,,\n2026-01-05T08:00:00Z,21.5,17,1\n2026-01-05T08:01:00Z,22,18,2\n';
  for (const one of files) await writeFile(one, text);
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, files);
  const shown = panel(page, 'a.csv');
  await expect(shown.getByRole('textbox', { name: 'Unit of value' })).toHaveValue('°C');
  await shown.getByRole('textbox', { name: 'Key of value' }).fill('temperature');
  await shown.getByRole('checkbox', { name: 'Import spare' }).uncheck();
  await shown.getByRole('combobox', { name: 'Type of serial' }).selectOption('Text');
  await expect(shown).toContainText('What is chosen is also for 1 other file of this kind.');
  await shot(page, 'import-columns');
  await file(page, 'b.csv').click();
  await expect(panel(page, 'b.csv').getByRole('textbox', { name: 'Key of value' })).toHaveValue(
    'temperature',
  );
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  for (const name of ['a.csv', 'b.csv']) await expect(file(page, name)).toContainText('Imported');
  const { data } = await api('GET', `/_local/v1/projects/${project_id}/devices`);
  for (const { id: device_id } of data as { id: string }[]) {
    const { data: records } = await api(
      'GET',
      `${dataPath({ project_id, device_id })}?page=1&limit=9&range=all`,
    );
    expect(records).toEqual([
      { timestamp: '2026-01-05T08:01:00.000000Z', serial: '18', temperature: 22 },
      { timestamp: '2026-01-05T08:00:00.000000Z', serial: '17', temperature: 21.5 },
    ]);
    const settings = await api(
      'GET',
      `/_local/v1/projects/${project_id}/key-settings?device_id=${device_id}`,
    );
    expect(settings.data).toMatchObject([{ key: 'temperature', unit: '°C' }]);
  }
});

test('what cannot be imported says so beside what can, and leaves no device behind', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const names = ['good.csv', 'book.xlsx', 'broken.csv'];
  const [good, book, broken] = names.map((name) => join(dataDirectory, name));
  await writeFile(good!, 'time,bar\n2026-01-05T08:00:00Z,1\n');
  await writeFile(book!, 'PK\u0003\u0004\u0014\u0000[Content_Types].xml xl/workbook.xml');
  await writeFile(broken!, 'time,bar\n2026-01-05T08:00:00Z,1\n2026-01-05T08:01:00Z,2\nnever,3\n');
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [good!, book!, broken!]);
  await expect(file(page, 'book.xlsx')).toContainText('Cannot be imported');
  await file(page, 'book.xlsx').click();
  await expect(page.getByRole('alert')).toContainText('it is an Excel workbook. Save it as CSV UTF-8');
  await file(page, 'broken.csv').click();
  await expect(panel(page, 'broken.csv')).toContainText('1 row that cannot be read');
  await expect(file(page, 'good.csv')).toContainText('Ready');
  await expect(file(page, 'broken.csv')).toContainText('Needs a choice');
  await shot(page, 'import-many-broken');
  await page.getByRole('button', { name: 'Import 1 of 3' }).click();
  await expect(file(page, 'good.csv')).toContainText('Imported');
  expect(await recordsOf(api, project_id)).toEqual({ good: 1 });
  await panel(page, 'broken.csv').getByRole('radio', { name: 'Skip the row and keep the others' }).check();
  await expect(file(page, 'broken.csv')).toContainText('1 row left out');
  await page.getByRole('button', { name: 'Import 1 of 2' }).click();
  await expect(panel(page, 'broken.csv')).toContainText('2 records imported');
  expect(await recordsOf(api, project_id)).toEqual({ good: 1, broken: 2 });
});

test('a file is called ready only where it is, and one that failed is looked at next', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Pump');
  const names = ['names-only.csv', 'wide.csv', 'gone.csv', 'good.csv', 'commas.csv'];
  const paths = names.map((name) => join(dataDirectory, name));
  const wide = Array.from({ length: 300 }, (_, at) => `key_${at}`);
  await writeFile(paths[0]!, 'time,bar\n');
  await writeFile(paths[1]!, `time,${wide.join()}\n2026-01-05T08:00:00Z,${wide.map(() => 1).join()}\n`);
  await writeFile(paths[2]!, 'time,bar\n2026-01-05T08:00:00Z,1\n');
  await writeFile(paths[3]!, 'time,bar\n2026-01-05T08:00:00Z,1\n');
  const commas = [1, 2, 3].map((n) => `2026-01-05T08:0${n}:00Z,2${n},5,40,${n}`);
  await writeFile(paths[4]!, ['time,bar,t1', ...commas, ''].join('\n'));
  await visitDevice(page, device);
  await dropFiles(page, [paths[2]!]);
  await expect(file(page, 'gone.csv')).toContainText('Ready');
  await dropFiles(page, [paths[0]!, paths[1]!, paths[3]!, paths[4]!]);
  await expect(file(page, 'names-only.csv')).toContainText('Cannot be imported');
  await expect(file(page, 'wide.csv')).toContainText('Needs a choice');
  await expect(file(page, 'good.csv')).toContainText('Ready');
  await file(page, 'commas.csv').click();
  await expect(panel(page, 'commas.csv').getByRole('alert')).toContainText('before decimals');
  // Nothing of it is read before somebody chooses.
  await expect(page.getByText('The whole file is about to be read.')).toHaveCount(0);
  await api('DELETE', `/v2/projects/${device.project_id}/devices/${device.device_id}`);
  await file(page, 'good.csv').click();
  await page.getByRole('button', { name: 'Import 2 of 5' }).click();
  await expect(file(page, 'good.csv')).toContainText('Imported');
  await expect(file(page, 'gone.csv')).toContainText('Not imported');
  await expect(panel(page, 'gone.csv').getByRole('alert')).toBeVisible();
});

test('a unit that is entered while the file is looked at again stays, and the focus leads there', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'oven.csv');
  await writeFile(path, 'time,value\n2026-01-05T08:00:00Z,21.5\n');
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  const shown = panel(page, 'oven.csv');
  const unit = shown.getByRole('textbox', { name: 'Unit of value' });
  const report = shown.getByRole('status', { name: 'The whole file' });
  await expect(report).toContainText('1 record');
  const place = await unit.boundingBox();
  // Both within one turn: before the service can have answered.
  await shown.getByRole('button', { name: 'Call it “oven”' }).evaluate((button: HTMLElement) => {
    button.click();
    document.execCommand('insertText', false, '°F');
  });
  await expect(shown.getByRole('textbox', { name: 'Key of value' })).toHaveValue('oven');
  await expect(report).toContainText('1 record');
  await expect(unit).toHaveValue('°F');
  await expect(unit).toBeFocused();
  // What is read anew moves nothing.
  expect(await unit.boundingBox()).toEqual(place);

  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(file(page, 'oven.csv')).toContainText('Imported');
  await expect(page.getByText('1 of 1 file imported.')).toBeVisible();

  // Once more, and it would be a second device of that name.
  await dropFiles(page, [path]);
  await expect(file(page, 'oven.csv').nth(1)).toContainText('Ready');
  const name = shown.getByRole('textbox', { name: 'Its name' });
  await expect(name).toHaveAccessibleDescription(/There is one of this name/);
  await name.fill('oven 2');
  await expect(name).not.toHaveAccessibleDescription(/There is one of this name/);
  // Imported records stay, whatever becomes of the other file.
  await expect(page.getByText('1 of 2 files imported. The others are not stored before you')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeEnabled();
});
