import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '#shared/domain/events.ts';
import { expect, inFolder, shot, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { answerOf } from '../../../steps/socket-steps.ts';
import { makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';
import { slowImport } from '../../../slow-import.ts';

/* The jobs tray: what takes a while, whoever asked for it. */

// Faults outlast what is made in the store.
test.use({ apart: true });

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

test('a check that ended while the connection was lost is on its screen no more', async ({ page }) => {
  const { tell, cut } = await answerOf(page, {});
  await visit(page, '#/service/storage');
  const check = page.getByRole('button', { name: 'Check now' });
  await expect(check).toBeEnabled();
  const payload: Job = {
    id: 'check-1',
    account_id: 'default',
    project_id: '',
    device_id: null,
    kind: 'check',
    name: '',
    state: 'running',
    done: 5,
    total: 10,
    unit: 'bytes',
    elapsed_ms: 1_000,
    cancellable: true,
    problem: null,
  };
  tell({ topic: 'jobs.progress', payload });
  const progress = page.getByRole('progressbar', { name: 'Checking the records' });
  await expect(progress).toBeVisible();
  await cut();
  await expect(progress).toHaveCount(0);
  await expect(check).toBeEnabled();
});

test('what failed stays over a look at another service, until it is dismissed or the same file went in', async ({
  page,
  api,
  dataDirectory,
  expectPageErrors,
}) => {
  test.skip(!inFolder, 'a service over a database has no disk to fill');
  expectPageErrors(/400|404|413|500/);
  const project_id = await makeProject(api, 'Machine hall');
  const press = await makeDevice(api, project_id, 'Press');
  const path = join(dataDirectory, 'force.csv');
  await writeFile(path, ['time,force', '2026-01-01T00:00:00Z,1', '2026-01-01T00:00:01Z,2', ''].join('\n'));
  const importFile = async (failedBefore = 0) => {
    await visitDevice(page, press);
    await expect(page.getByRole('tab', { name: 'Chart' })).toBeVisible();
    await dropFiles(page, [path]);
    const remove = page.getByRole('button', { name: 'Remove force.csv' });
    await expect(remove).toHaveCount(failedBefore + 1);
    for (let n = 0; n < failedBefore; n++) await remove.first().click();
    await page.getByRole('button', { name: 'Import 1 file' }).click();
  };
  // The service takes none while its disk is said to be full.
  const body = { rules: [{ do: { disk: 'full' } }] };
  expect((await api('PUT', '/_local/v1/faults', { body })).status).toBe(200);
  await importFile();
  const failed = page.getByRole('button', { name: 'Jobs: 1 failed' });
  await expect(failed).toBeVisible();
  // The page is loaded anew for another service, and what it showed before stays until then.
  for (const address of ['#/at/nowhere', '#/']) {
    const loaded = page.waitForEvent('load');
    await visit(page, address);
    await loaded;
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  await failed.click();
  const rows = page.getByRole('dialog', { name: 'Jobs' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: /^Dismiss Import force.csv/ }).click();
  await expect(rows).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Machine hall' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Jobs/ })).toHaveCount(0);

  await importFile();
  await expect(failed).toBeVisible();
  await api('DELETE', '/_local/v1/faults');
  await importFile(1);
  await page.getByRole('button', { name: 'Jobs: all done' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('2 records');
  await expect(rows.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});
