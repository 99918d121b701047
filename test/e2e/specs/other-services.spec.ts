import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '../app.ts';
import { startLab } from '../lab.ts';
import { look } from '../look.ts';
import { addPlain, line } from '../steps/other-service-steps.ts';
import { expectChart, makeDevice, makeProject, store, visit } from '../steps/steps.ts';

/* docs/remote.md: services elsewhere, looked at from here. */

test('a service is trusted by the fingerprint one was told, and looked at with the same screens', async ({
  page,
}) => {
  await using lab = await startLab();
  const device = await makeDevice(lab.api, await makeProject(lab.api, 'Furnaces'), 'PT-107');
  await store(lab.api, device, { bar: 4.25 });
  await visit(page, '#/other-services');
  await expect(page.getByText('No other services yet')).toBeVisible();
  await look(page, 'other-services-empty');
  await page.getByRole('button', { name: 'Add the first service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://lab.example');
  await dialog.getByRole('button', { name: 'Show its fingerprint' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(
    /must begin with https/,
  );
  await dialog.getByRole('textbox', { name: 'Address' }).fill(lab.ready.base_url);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Nothing was sent yet.');
  const signIn = dialog.getByRole('button', { name: 'Trust it and sign in' });
  await dialog.getByRole('textbox', { name: 'API key' }).fill(lab.ready.api_key);
  await expect(signIn).toBeDisabled();
  const told = dialog.getByRole('textbox', { name: 'Fingerprint that you were told' });
  await told.fill('00'.repeat(32));
  await expect(told).toHaveAccessibleDescription(/None of these certificates/);
  const authority = new X509Certificate(await readFile(lab.ready.ca_file ?? ''));
  await told.fill(authority.fingerprint256.toLowerCase());
  await expect(dialog.getByRole('radio', { name: /^Its authority: CN=Fieldbench CA/ })).toBeChecked();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Furnace lab');
  await dialog.getByRole('button', { name: 'orange' }).click();
  await look(page, 'other-service-trust');
  await signIn.click();

  await expect(line(page)).toContainText('Furnace lab');
  await expect(line(page)).toContainText('API key: read, write, delete, admin');
  await page.getByRole('main').getByRole('link', { name: 'Furnaces' }).click();
  await page.getByRole('link', { name: 'PT-107' }).last().click();
  await expectChart(page, 1);
  await store(lab.api, device, { bar: 5 });
  await expectChart(page, 2);
  expect(new URL(page.url()).hash).toMatch(/^#\/at\/[0-9a-f-]{36}\/projects\//);
  await look(page, 'other-service-device');
  await page.reload();
  await expect(line(page)).toContainText('Furnace lab');
  await expectChart(page, 2);

  await line(page).getByRole('link', { name: 'Back to this machine' }).click();
  await expect(page.getByText('No projects yet')).toBeVisible();
  await expect(line(page)).toHaveCount(0);
  await visit(page, '#/other-services');
  await look(page, 'other-services');
  await page.getByRole('button', { name: 'Remove Furnace lab…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No other services yet')).toBeVisible();
});

test('a connection that is lost says so on the screen, and comes back', async ({ page }) => {
  await using lab = await startLab();
  await makeProject(lab.api, 'Furnaces');
  await addPlain(page, lab);
  await expect(page.getByRole('main').getByRole('link', { name: 'Furnaces' })).toBeVisible();
  await lab.stop();
  await expect(line(page).getByRole('alert')).toContainText('“Lab” is away, trying again.');
  await look(page, 'other-service-away');
  await lab.start();
  await expect(line(page).getByRole('alert')).toHaveCount(0);
  await makeProject(lab.api, 'Boilers');
  await expect(page.getByRole('main').getByRole('link', { name: 'Boilers' })).toBeVisible();
});
