import { expect, shot, test } from '../app.ts';
import { makeDevice, makeProject, visit } from '../steps.ts';
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
