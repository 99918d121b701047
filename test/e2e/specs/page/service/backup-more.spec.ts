import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inFolder, shot, test } from '../../../app.ts';
import { startServiceProcess } from '../../../../helpers/service/service-process.ts';
import { expectDone, makeDevice, makeProject, visit } from '../../../steps/steps.ts';

/* What comes back of a backup beside projects, devices and records. */

// Secrets and trails outlast what is made in the store.
test.use({ apart: true });

test.skip(!inFolder, 'what lies in a database is backed up by its own means');

test('a backup with secrets brings tokens back by its passphrase', async ({ page, api, dataDirectory }) => {
  const lost = await makeProject(api, 'Cellar');
  const pump = await makeDevice(api, lost, 'Pump');
  await visit(page, '#/service/storage');
  await page.getByRole('button', { name: 'Back up with secrets…' }).click();
  const asked = page.getByRole('dialog', { name: 'Back up with secrets' });
  await asked.getByLabel('Passphrase', { exact: true }).fill('grüne Wiese');
  await asked.getByLabel('The same once more').fill('grüne Wiesen');
  await asked.getByRole('button', { name: 'Back up' }).click();
  await expect(asked.getByText('It is another one.')).toBeVisible();
  await shot(page, 'back-up-secrets');
  await asked.getByLabel('The same once more').fill('grüne Wiese');
  const saving = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = join(dataDirectory, 'secrets.tar');
  await (await saving).saveAs(file);
  await expect(asked).toHaveCount(0);

  const { data } = await expectDone(api('DELETE', `/_local/v1/projects/${lost}`));
  await expectDone(api('DELETE', `/_local/v1/undo/${(data as { undo: { id: string } }).undo.id}`));
  const restore = async (passphrase: string) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Restore…' }).click();
    await (await choosing).setFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
    await dialog.getByLabel('Passphrase of its secrets').fill(passphrase);
    await shot(page, 'restore-secrets');
    await dialog.getByRole('button', { name: 'Restore' }).click();
  };
  await restore('grüne Wiesen');
  await expect(page.getByText(/passphrase must be the one of the backup/).first()).toBeVisible();
  await restore('grüne Wiese');
  await expect(page.getByText('1 device, 0 records, 1 secret came back.')).toBeVisible();
  const device = await expectDone(api('GET', `/v2/projects/${lost}/devices/${pump.device_id}`));
  expect((device.data as { device_credentials: object }).device_credentials).toMatchObject({
    device_token: pump.token,
  });
});

test('the audit trail of a backup from elsewhere is kept beside the own one, and can be looked at', async ({
  page,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'elsewhere.tar');
  const elsewhere = await startServiceProcess({ args: ['--tls', 'off'] });
  try {
    await elsewhere.call('POST', '/_local/v1/projects', { name: 'Far away' });
    await writeFile(file, Buffer.from(await (await elsewhere.fetch('/_local/v1/backup')).arrayBuffer()));
  } finally {
    await elsewhere.stop();
  }
  await visit(page, '#/service/storage');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await (await choosing).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
  await expect(dialog.getByRole('status')).toContainText(
    'kept beside the one here, as a former one: 1 trail.',
  );
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/records came back\./)).toBeVisible();
  await visit(page, '#/service/audit');
  const entries = page.getByRole('list', { name: 'Audit trail' });
  await expect(entries.getByRole('listitem').first()).toContainText('Restore');
  await page.getByLabel('Trail', { exact: true }).first().click();
  await page.getByRole('option', { name: /^Of a backup: entries 1 to \d+/ }).click();
  await expect(entries.getByRole('listitem').first()).toContainText('Far away');
  await expect(entries).not.toContainText('Restore');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'all as they were written' })).toContainText(
    'and 1 trail of backups',
  );
  await shot(page, 'service-former-trail');
});
