import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, shot, test } from '../app.ts';
import { makeDevice, makeProject, visit, visitDevice } from '../steps.ts';
import { slowImport } from '../slow-import.ts';

/* The jobs tray: what takes a while, whoever asked for it. */

test('work that another program asked for is seen, and ended, in the tray', async ({ page, app, api }) => {
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press 4');
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: /^Jobs/ })).toHaveCount(0);
  const upload = slowImport(app.ready, press);
  const button = page.getByRole('button', { name: 'Jobs: 1 running' });
  await button.click();
  const tray = page.getByRole('dialog', { name: 'Jobs' });
  const row = tray.getByRole('listitem', { name: 'Import Press 4' });
  await expect(row).toBeVisible();
  await expect(row.getByRole('progressbar')).toBeVisible();
  await shot(page, 'jobs-tray');

  // A window that is opened later sees it, too.
  await page.reload();
  await expect(button).toBeVisible();
  await button.press('Enter');
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Cancelled');
  expect((await upload.answer).status).not.toBe(200);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Jobs: all done' })).toBeFocused();
});

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
