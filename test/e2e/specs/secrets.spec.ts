import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inFolder, shot, test } from '../app.ts';
import { makeDevice, makeProject, store, visit } from '../steps/steps.ts';

/* Secrets that lie in files of the data directory. */

test.use({ vault: 'file' });
test.skip(
  !inFolder,
  'a database has its secrets in it, sealed by a key that no service of it may change alone',
);

test('the keys of the vault are rotated, and no device or rig notices', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Hall'), 'Oven');
  const keyFile = join(dataDirectory, 'vault.key');
  const before = await readFile(keyFile, 'utf8');
  await visit(page, '#/service/secrets');
  await expect(page.getByRole('main')).toContainText('vault.key');
  await page.getByRole('button', { name: 'Rotate the keys' }).click();
  await expect(page.getByText('Every secret is sealed with new keys')).toBeVisible();
  await shot(page, 'service-secrets-rotated');
  expect(await readFile(keyFile, 'utf8')).not.toBe(before);
  await store(api, device, [{ temperature: 21 }]);
  expect((await api('GET', '/v2/projects')).status).toBe(200);

  // What the start has fixed is not moved, and the button says so.
  await expect(page.getByRole('button', { name: /^Move to the system/ })).toBeDisabled();
  await expect(page.getByText('--vault file says at the start')).toBeVisible();
});
