import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../app.ts';
import { makeDevice, makeProject, visit, visitDevice } from '../steps/steps.ts';

/* The jobs tray: what takes a while, whoever asked for it. */

test('an import of this window goes on, and is seen, while one looks at other screens', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Machine hall');
  const other = await makeDevice(api, project_id, 'Compressor');
  const path = join(dataDirectory, 'press.csv');
  const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const rows = Array.from({ length: 300_000 }, (_, n) => `${timeOf(n)},${n % 977}`);
  await writeFile(path, ['time,force', ...rows, ''].join('\n'));
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Import files…' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  await (await choosing).setFiles([path]);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await visitDevice(page, other);
  await page.getByRole('button', { name: /^Jobs/ }).click();
  const row = page.getByRole('dialog', { name: 'Jobs' }).getByRole('listitem', { name: /^Import/ });
  await expect(row).toContainText('300,000 records');
  await page.keyboard.press('Escape');
  await visit(page, '#/');
  await page.getByRole('button', { name: 'Jobs: all done' }).click();
  await expect(row).toContainText('300,000 records');
});
