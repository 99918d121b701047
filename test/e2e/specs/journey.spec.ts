import { readFileSync } from 'node:fs';
import { expect, recording, shot, test } from '../app.ts';
import { openAction } from '../steps/steps.ts';

/* The main journey, from an empty folder to a purge, on a real recording. */
test('a technician stores a recording, a rig reads the same page, and a purge empties both', async ({
  page,
  api,
}) => {
  const file = recording('machine-temperature.csv');
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  const [lastTime = '', lastValue = ''] = rows.at(-1)?.split(',') ?? [];

  await expect(page.getByText('No projects yet')).toBeVisible();
  await shot(page, 'journey-1-empty');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Machine hall');
  await page.getByRole('button', { name: 'Create project' }).click();

  await page.getByRole('button', { name: 'Add the first device' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Press 4');
  await page.getByRole('button', { name: 'Create device' }).click();
  await expect(page.getByRole('group', { name: 'Store a first reading' })).toContainText('curl');
  await shot(page, 'journey-2-device-created');
  await page.getByRole('button', { name: 'Open device' }).click();

  await expect(page.getByTestId('chart-empty')).toContainText(/never|not stored/i);
  await shot(page, 'journey-3-never-seen');

  await page.getByLabel('File to import').setInputFiles(file);
  await expect(page.getByRole('table', { name: 'First rows' })).toContainText('2013-12-02 21:15:00');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('UTC');
  await page.getByRole('option', { name: 'UTC', exact: true }).click();
  await shot(page, 'journey-4-import');
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByRole('main')).toContainText(/22.695 records imported/);
  await page.getByRole('button', { name: 'Done', exact: true }).click();

  const chart = page.getByTestId('chart');
  await expect(chart).toHaveAttribute('data-state', 'ready');
  await expect(chart).toHaveAttribute('data-points', String(rows.length));
  expect(rows).toHaveLength(22_695);
  await expect(page.getByTestId('value').first()).toHaveAttribute('data-exact', lastValue);
  await shot(page, 'journey-5-chart');

  const { pathname, hash } = new URL(page.url());
  const [project_id, device_id] = (hash || pathname).match(/[0-9a-f-]{36}/g) ?? [];
  const { data: key } = await api('POST', '/_local/v1/keys', {
    body: { name: 'rig', permissions: ['read'] },
  });
  const path = `/v2/projects/${project_id}/devices/${device_id}/data?page=1&limit=100&range=all`;
  const answer = await api('GET', path, { key: (key as { api_key: string }).api_key });
  const records = answer.data as { timestamp: string; value: number }[];
  expect(answer.headers.get('x-total-count')).toBe('22695');
  expect(records[0]).toEqual({
    timestamp: `${lastTime.replace(' ', 'T')}.000000Z`,
    value: Number(lastValue),
  });
  expect(records).toHaveLength(100);

  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('table', { name: /records/i })).toContainText(lastValue);
  await shot(page, 'journey-6-table');
  await page.getByRole('tab', { name: 'Chart' }).click();

  await openAction(page, 'Purge data…');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('table', { name: 'What would be removed' })).toContainText('22,695');
  const purge = dialog.getByRole('button', { name: /purge/i }).last();
  await shot(page, 'journey-7-purge');
  await purge.click();
  await expect(page.getByText(/22.695 records of “Press 4” deleted/)).toBeVisible();
  await expect(page.getByTestId('chart-empty')).toContainText(/purged/i);
  await shot(page, 'journey-8-purged');
  expect((await api('GET', path)).data).toEqual([]);
});
