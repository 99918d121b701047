import { expect, test } from '../../../app.ts';
import { expectDone, makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

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

for (const screen of ['list', 'device'] as const)
  test(`a ${screen} says that somebody else deleted its project, and is back once that is restored`, async ({
    page,
    api,
  }) => {
    const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
    await store(api, device, { force: 4 });
    const { project_id } = device;
    if (screen === 'list') await visit(page, `#/projects/${project_id}`);
    else await visitDevice(page, device);
    const shown =
      screen === 'list' ? page.getByRole('table', { name: 'Devices' }) : page.getByTestId('chart');
    await expect(shown).toBeVisible();
    const { data } = await expectDone(api('DELETE', `/_local/v1/projects/${project_id}`));
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText(screen === 'list' ? 'not found' : 'The project “Line 2” was deleted');
    await expect(shown).toHaveCount(0);
    const { undo } = data as { undo: { id: string } };
    await expectDone(api('POST', `/_local/v1/undo/${undo.id}`));
    await expect(shown).toBeVisible();
  });
