import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORDINGS } from '../../../../helpers/files/recordings.ts';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { dropFile, fileOf, instantOf, rowsOf } from '../../../files.ts';
import {
  choose,
  dataPath,
  expectChart,
  makeDevice,
  makeProject,
  visitDevice,
  type DeviceIds,
} from '../../../steps/steps.ts';

/* From a file on the technician's disk to records that a rig reads. */

/** The zone whose clock a recording's times were read from; the others have theirs in UTC. */
const ZONES: Readonly<Record<string, string>> = {
  'occupancy-training.csv': 'Europe/Brussels',
  'occupancy-test.csv': 'Europe/Brussels',
  'ambient-temperature.csv': 'America/New_York',
};

const MOST_A_PAGE = 10_000;

async function valuesOf(api: Api, device: DeviceIds, key: string, records: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let page = 1; values.length < records; page++) {
    const query = `?page=${page}&limit=${MOST_A_PAGE}&range=all&keys=${key}`;
    const { data } = await api('GET', `${dataPath(device)}${query}`);
    const read = data as Readonly<Record<string, unknown>>[];
    if (read.length === 0) break;
    values.push(...read.map((record) => record[key]));
  }
  return values;
}

function sorted(values: readonly unknown[]): number[] {
  return values.map(Number).toSorted((a, b) => a - b);
}

test('every recording goes in as it is dropped or picked, and a rig reads what the file says', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Recordings');
  for (const [place, recording] of RECORDINGS.entries()) {
    const file = await fileOf(recording, dataDirectory);
    const rows = rowsOf(recording, file);
    const zone = ZONES[recording.file] ?? 'UTC';
    const device = await makeDevice(api, project_id, recording.file);
    await visitDevice(page, device);
    await expect(page.getByTestId('chart-empty')).toBeVisible();

    if (place === 0) await dropFile(page, file);
    else await page.getByLabel('File to import').setInputFiles(file);
    const screen = page.getByRole('main');
    const column = (name: string | RegExp) => screen.getByRole('columnheader', { name, exact: true });
    await expect(column(`${recording.time} time`)).toBeVisible();
    for (const key of recording.keys) await expect(column(`${key} number`)).toBeVisible();
    await expect(column(/row number, left out/)).toHaveCount(recording.rowNumbers ? 1 : 0);
    await expect(screen.getByRole('table', { name: 'First rows' })).toContainText(rows[0]?.wall ?? '');
    await expect(screen.getByRole('combobox', { name: 'Into' })).toHaveValue(recording.file);
    await choose(screen, 'Time zone', zone);
    if (place === 0) await shot(page, 'import-choices');
    await screen.getByRole('button', { name: 'Import 1 file' }).click();

    await expect(screen).toContainText(`${rows.length.toLocaleString('en')} records imported`);
    const inTime = rows.toSorted((a, b) => (a.wall < b.wall ? -1 : Number(a.wall > b.wall)));
    // Of rows at the same time, the later one counts as newer.
    const ends = [inTime[0], inTime.at(-1)].map((row) => ({
      timestamp: instantOf(row?.wall ?? '', zone),
      ...row?.values,
    }));
    const times = screen.getByRole('status').getByRole('time');
    await expect(times.first()).toHaveAttribute('datetime', ends[0]?.timestamp ?? '');
    await expect(times.last()).toHaveAttribute('datetime', ends[1]?.timestamp ?? '');
    if (place === 0) await shot(page, 'import-done');
    await screen.getByRole('button', { name: 'Done', exact: true }).click();
    await expectChart(page, rows.length);

    for (const [rank, end] of [rows.length, 1].entries()) {
      const answer = await api('GET', `${dataPath(device)}?page=${end}&limit=1&range=all`);
      expect(answer.headers.get('x-total-count')).toBe(String(rows.length));
      expect(answer.data).toEqual([ends[rank]]);
    }
    for (const key of recording.keys) {
      const stored = await valuesOf(api, device, key, rows.length);
      expect(sorted(stored)).toEqual(sorted(rows.map(({ values }) => values[key])));
    }
  }
});

test('a broken file says which line and what was expected, and only what can be read is kept on request', async ({
  page,
  api,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'broken.csv');
  const rows = ['2026-01-05 08:00:00,1.5', '2026-01-05 08:01:00,1.6', 'yesterday,1.7', '2026-01-05 08:03:00'];
  await writeFile(file, ['time,bar', ...rows, '2026-01-05 08:04:00,1.9', ''].join('\n'));
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  await page.getByLabel('File to import').setInputFiles(file);
  const screen = page.getByRole('main');
  await choose(screen, 'Time zone', 'UTC');
  const report = screen.getByRole('status', { name: 'The whole file' });
  await expect(report).toContainText('2 rows that cannot be read');
  await expect(report.getByRole('listitem').first()).toContainText(
    /Line 4: .*must be a time like .*yesterday/,
  );
  await expect(screen.getByRole('navigation', { name: 'Files' })).toContainText('Needs a choice');
  await expect(screen.getByRole('button', { name: 'Import files' })).toBeDisabled();
  await shot(page, 'import-broken');
  const page1 = `${dataPath(device)}?page=1&limit=10&range=all`;
  expect((await api('GET', page1)).data).toEqual([]);

  await screen.getByRole('radio', { name: 'Skip the row and keep the others' }).check();
  await screen.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(screen).toContainText('3 records imported');
  await expect(screen).toContainText('2 rows left out');
  await expect(screen.getByRole('status').getByRole('listitem')).toHaveText([
    /^Line 4: .*yesterday/,
    /^Line 5: expected 2 fields .*got 1/,
  ]);
  await shot(page, 'import-kept');
  await screen.getByRole('button', { name: 'Done', exact: true }).click();
  await expectChart(page, 3);
  const kept = (await api('GET', page1)).data as { bar: number }[];
  expect(kept.map(({ bar }) => bar)).toEqual([1.9, 1.6, 1.5]);
});

test('a file whose dates can be read two ways is asked which comes first', async ({
  page,
  api,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'either-way.csv');
  await writeFile(file, 'time,bar\n04/05/2015 17:51,1.5\n');
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  await page.getByLabel('File to import').setInputFiles(file);
  const screen = page.getByRole('main');
  await choose(screen, 'Time zone', 'UTC');
  await screen.getByRole('combobox', { name: 'Date order' }).click();
  await page.getByRole('option', { name: 'Month first' }).click();
  await shot(page, 'import-date-order');
  await screen.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(screen).toContainText('1 record imported');
  await expect(screen.getByRole('status').getByRole('time').first()).toHaveAttribute(
    'datetime',
    '2015-04-05T17:51:00.000000Z',
  );
});
