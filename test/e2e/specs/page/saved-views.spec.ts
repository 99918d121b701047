import { expect, shot, test } from '../../app.ts';
import { makeDevice, makeProject, store, visit, visitDevice } from '../../steps/steps.ts';

/* What a screen shows is saved by name, found again, renamed and deleted. */

test('a view is saved by keyboard, found again with all it showed, renamed, deleted and brought back', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  await store(api, device, [{ t1: 20.5, h: 40 }]);
  await visitDevice(page, device, 'keys');
  await expect(page.getByRole('table', { name: 'Keys' })).toBeVisible();
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.type('t1');
  await expect(page.getByText('1 of 2 keys')).toBeVisible();
  await keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('PT-107');
  // What is proposed is written over.
  await keyboard.press('Delete');
  await keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/1 to 100/);
  await keyboard.type('Supply of PT-107');
  await shot(page, 'save-view');
  await keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);

  await visit(page, '#/views');
  const table = page.getByRole('table', { name: 'Saved views' });
  await expect(table).toContainText('Supply of PT-107');
  await table.getByRole('button', { name: 'Rename Supply of PT-107…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Supply');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(table.getByRole('link')).toHaveText('Supply');
  await shot(page, 'saved-views');
  await table.getByRole('button', { name: 'Delete Supply' }).click();
  await expect(page.getByText('No saved views')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await table.getByRole('link', { name: 'Supply' }).click();
  await expect(page.getByText('1 of 2 keys')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search keys' })).toHaveValue('t1');
});
