import { expect, shot, test } from '../../../app.ts';
import { choose, makeProject, visit } from '../../../steps/steps.ts';

test.use({ apart: true });

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
  await expect(made).toContainText('It can only read in Test rig.');
  await shot(page, 'key-made');
  await made.getByRole('checkbox', { name: 'I have stored it' }).check();
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

test('a new key is not lost by the keys that close a dialog', async ({ page }) => {
  const { keyboard } = page;
  await visit(page, '#/api-keys');
  await expect(page.getByRole('button', { name: 'New API key' })).toBeVisible();
  await keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.type('Rig 3');
  await keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'API key “Rig 3”' });
  const copy = made.getByRole('button', { name: 'Copy API key' });
  await expect(copy).toBeFocused();
  await keyboard.press('Escape');
  const warning = made.getByRole('alert').filter({ hasText: 'not copied yet' });
  await expect(warning).toBeVisible();
  await expect(made.getByRole('button', { name: 'Done' })).toBeDisabled();
  // Nor by another dialog in its place.
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toHaveCount(0);
  await shot(page, 'key-not-copied');

  await copy.press('Enter');
  await expect(made.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(warning).toHaveCount(0);
  await keyboard.press('Escape');
  await expect(made).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'API keys' })).toContainText('Rig 3');
});

test('a key ends when it says, in the one way of writing times', async ({ page, api }) => {
  await visit(page, '#/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  const expires = dialog.getByRole('textbox', { name: 'Expires' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Short');
  for (const wrong of ['01/31/2090', '2090-02-30', '2090-01-31 25:00', 'soon', '0 days']) {
    await expires.fill(wrong);
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await expect(expires).toHaveAccessibleDescription(/^Takes how long it holds \(30 days, .* Got “/);
  }
  for (const taken of ['30 days', 'tomorrow', '31.12.2090']) {
    await expires.fill(taken);
    await expect(expires).toHaveAccessibleDescription(/Ends at \d{4}-\d\d-\d\d/);
  }
  await expires.fill('2090-01-31 18:00');
  await expect(expires).toHaveAccessibleDescription(/Ends at 2090-01-31 18:00:00 \(UTC[+−]\d\d:\d\d\)/);
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await expect(page.getByRole('dialog')).toContainText('It can only read in all projects, until 2090-01-31');
  const { data } = await api('GET', '/_local/v1/keys');
  const local = await page.evaluate(() => new Date(2090, 0, 31, 18).toISOString().replace('Z', '000Z'));
  expect(data).toMatchObject([{ name: 'Short', expires_at: local }, { role: 'service' }]);
});

test('the service’s own key is listed with its last use, and cannot be taken for another', async ({
  page,
  api,
}) => {
  await api('GET', '/v2/projects');
  await visit(page, '#/api-keys');
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /Fieldbench/ });
  await expect(row).toContainText('the service’s own, in its ready file');
  await expect(row).toContainText('cannot be revoked');
  const columns = await page
    .getByRole('table', { name: 'API keys' })
    .getByRole('columnheader')
    .allInnerTexts();
  await expect(row.getByRole('cell').nth(columns.indexOf('Last used'))).toHaveText(/now|ago/);
  await expect(row.getByRole('button')).toHaveCount(0);
});
