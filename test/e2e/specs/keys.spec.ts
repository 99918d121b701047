import { expect, shot, test } from '../app.ts';
import { choose, makeProject, visit } from '../steps.ts';

/* API keys: what rigs and scripts open the service with. */

test('a key is shown once, opens what it says and nothing else, and nothing once revoked', async ({
  page,
  api,
}) => {
  const open = await makeProject(api, 'Test rig');
  const shut = await makeProject(api, 'Other lab');
  await visit(page, '#/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/1 to 100/);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Rig 2');
  await expect(dialog.getByRole('checkbox', { name: 'read' })).toBeChecked();
  await choose(dialog, 'Projects', 'Test rig');
  await dialog.getByRole('textbox', { name: 'Name' }).click();
  await shot(page, 'new-key');
  await dialog.getByRole('button', { name: 'Create API key' }).click();

  const made = page.getByRole('dialog', { name: 'API key “Rig 2”' });
  await expect(made).toContainText('it is not shown again');
  await expect(made.getByRole('group', { name: 'API key' })).toHaveText(/^fb_[0-9A-Za-z]{40}$/);
  const key = await made.getByRole('group', { name: 'API key' }).innerText();
  await shot(page, 'key-made');
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /Rig 2/ });
  await expect(row).toContainText('Test rig');
  await expect(row).toContainText('never');
  await page.reload();
  await expect(row).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);

  const get = async (path: string) => (await api('GET', path, { key })).status;
  expect(await get('/v2/projects')).toBe(200);
  expect(await get(`/v2/projects/${open}`)).toBe(200);
  expect(await get(`/v2/projects/${shut}`)).toBe(403);
  expect((await api('DELETE', `/v2/projects/${open}`, { key })).status).toBe(403);

  await row.getByRole('button', { name: 'Revoke Rig 2…' }).click();
  await shot(page, 'key-revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('“Rig 2” opens nothing any more.')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await get(`/v2/projects/${open}`)).toBe(401);
});
