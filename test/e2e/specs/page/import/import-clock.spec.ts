import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, shot, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { makeProject, visit } from '../../../steps/steps.ts';

test('a logger that keeps its offset all year can be said to, and a change of clocks is asked about', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'autumn.csv');
  const rows = Array.from({ length: 576 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 9, 24, 12, 5 * n)).toISOString();
    return `${time.slice(0, 10)} ${time.slice(11, 19)},${n}`;
  });
  await writeFile(path, ['time,bar', ...rows, ''].join('\n'));
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  const shown = page.getByRole('region', { name: 'autumn.csv', exact: true });
  const zone = shown.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  const doubt = shown.getByTestId('doubt');
  await expect(doubt).toContainText('The clocks in Europe/Berlin were changed within the recording');
  // What each answer makes of it: 02:55 is of summer time, as the first of two, and 03:00 of winter time.
  await expect(doubt.getByRole('listitem')).toHaveText([
    /^Europe\/Berlin: 1 gap, the longest 1 h 5 min from 2026-10-25/,
    'UTC+02:00, all year: no gaps',
    'UTC+01:00, all year: no gaps',
  ]);
  await shot(page, 'import-clock-change');
  await doubt.getByRole('button', { name: 'UTC+02:00, all year' }).click();
  await expect(doubt).toHaveCount(0);
  await expect(zone).toHaveValue('UTC+02:00, all year');
  await zone.fill('+1');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['UTC+01:00, all year']);
  await zone.press('Escape');
  await expect(shown.getByRole('status', { name: 'The whole file' })).toContainText('No gaps');
});
