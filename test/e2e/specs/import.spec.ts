import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, shot, test } from '../app.ts';
import { dropFile } from '../files.ts';
import { dataPath, makeDevice, makeProject, visitDevice } from '../steps/steps.ts';

/* From a file on the technician's disk to records that a rig reads. */

test('an import that is cancelled half-way stores nothing, and can be started again', async ({
  page,
  api,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'long.csv');
  await writeLongRecording(file, 400_000);
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  await dropFile(page, file);
  const screen = page.getByRole('main');
  await expect(screen).toContainText(basename(file));
  await screen.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(screen.getByRole('progressbar', { name: 'Importing' })).not.toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  await expect(screen).toContainText(/ of .* MB/);
  await screen.getByRole('region').getByRole('button', { name: 'Cancel' }).click();
  await expect(screen.getByRole('alert')).toHaveText('The import was cancelled.');
  await shot(page, 'import-cancelled');
  await expect(screen.getByRole('button', { name: 'Import 1 file' })).toBeEnabled();
  await screen.getByRole('button', { name: 'Cancel' }).click();

  await expect(page.getByTestId('chart-empty')).toContainText('never stored');
  expect((await api('GET', `${dataPath(device)}?page=1&limit=1&range=all`)).data).toEqual([]);
});

/** A reading every second, with the zone in its times. */
async function writeLongRecording(file: string, rows: number): Promise<void> {
  const begin = Date.UTC(2026, 0, 5);
  const lines = function* () {
    yield 'time,bar,celsius\n';
    for (let row = 0; row < rows; row++)
      yield `${new Date(begin + row * 1000).toISOString()},${(row % 997) / 100},${row % 61}\n`;
  };
  await finished(Readable.from(lines()).pipe(createWriteStream(file)));
}

test('what was imported can be saved as a file again', async ({ page, api, dataDirectory }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  const { project_id, device_id } = device;
  const written = 'timestamp,bar\n2026-01-05T08:00:00.000000Z,1.5\n2026-01-05T08:01:00.000000Z,1.6\n';
  await api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records`, {
    body: written,
    type: 'text/csv',
  });
  await visitDevice(page, device);
  await page.getByRole('button', { name: 'Export…' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('Compressor_2026-01-05.csv');
  const saved = join(dataDirectory, 'saved.csv');
  await download.saveAs(saved);
  await expect(page.getByText('2 records in Compressor_2026-01-05.csv.')).toBeVisible();
  const lines = (await readFile(saved, 'utf8')).trimEnd().split(/\r?\n/);
  expect(lines).toEqual(['timestamp,"bar"', ...written.trimEnd().split('\n').slice(1)]);
});
