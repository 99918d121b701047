import { expect, test } from '../../../app.ts';
import { makeDevice, makeProject, visit } from '../../../steps/steps.ts';

test('a list that names devices twice, or ones that are there, says so before they are made', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  await makeDevice(api, project_id, 'PT-1');
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'More ways to add devices' }).click();
  await page.getByRole('menuitem', { name: 'Many from a list or CSV…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New devices' });
  await dialog.getByRole('textbox', { name: 'List' }).fill('PT-1\nPT-7\nPT-7');
  await expect(dialog.getByRole('note')).toHaveText(
    'In the list more than once: “PT-7”. There already: “PT-1”. Each line makes a device of its own.',
  );
  await expect(dialog).not.toContainText('nothing wrong');
});
