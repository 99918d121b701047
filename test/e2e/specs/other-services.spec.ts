import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Permission } from '#shared/schema/schemas.ts';
import { expect, shot, test } from '../app.ts';
import { showTheme, violationsIn } from '../axe.ts';
import { startLab, type Lab } from '../lab.ts';
import { expectChart, makeDevice, makeProject, store, visit } from '../steps/steps.ts';

/* docs/remote.md: services elsewhere, looked at from here. */

/** Takes the pictures of what the page shows, and checks it in both themes. */
async function look(page: Page, name: string): Promise<void> {
  await shot(page, name);
  for (const colorScheme of ['light', 'dark'] as const) {
    await showTheme(page, colorScheme);
    const found = await violationsIn(page);
    expect.soft(found, `${name} in the ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

const line = (page: Page) => page.getByRole('region', { name: 'Service elsewhere' });

async function issueKey({ api }: Lab, permissions: readonly Permission[]): Promise<string> {
  const { data } = await api('POST', '/_local/v1/keys', { body: { name: 'afar', permissions } });
  return (data as { api_key: string }).api_key;
}

/** Adds a service over its plain door, and ends on its first screen. */
async function addPlain(
  page: Page,
  { ready }: Lab,
  { key = ready.api_key, name = 'Lab', readOnly = false } = {},
): Promise<void> {
  await visit(page, '#/other-services');
  await page
    .getByRole('button', { name: /^(New service|Add the first service)$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(ready.http_url ?? ready.base_url);
  await dialog.getByRole('button', { name: 'Show its fingerprint' }).click();
  await expect(dialog).toContainText('never leaves this machine');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'API key' }).fill(key);
  if (readOnly) await dialog.getByRole('switch', { name: 'Read-only' }).check();
  await dialog.getByRole('button', { name: 'Trust it and sign in' }).click();
  await expect(line(page)).toContainText(name);
  await expect(page.getByRole('status', { name: 'Connected to the service' })).toBeVisible();
}

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

test('read-only, and with a key that only reads, nothing that changes is offered', async ({ page }) => {
  await using lab = await startLab();
  const device = await makeDevice(lab.api, await makeProject(lab.api, 'Furnaces'), 'PT-107');
  await store(lab.api, device, { bar: 4.25 });
  const main = page.getByRole('main');
  const reading = await issueKey(lab, ['read']);
  for (const given of [
    { readOnly: true, name: 'Shut' },
    { key: reading, name: 'Reader' },
  ]) {
    await addPlain(page, lab, given);
    await expect(main.getByRole('link', { name: 'Furnaces' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'New project' })).toHaveCount(0);
    await main.getByRole('link', { name: 'Furnaces' }).click();
    await expect(main.getByRole('row', { name: /PT-107/ })).toBeVisible();
    for (const name of ['New device', 'Import files…'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    // What is left behind it is the history.
    await expect(page.getByRole('button', { name: 'More actions' })).toHaveCount(
      given.name === 'Shut' ? 1 : 0,
    );
    await page.getByRole('link', { name: 'PT-107' }).last().click();
    await expectChart(page, 1);
    for (const name of ['Import…', 'More actions'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(
        given.name === 'Shut' && name === 'More actions' ? 1 : 0,
      );
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to or do' }).fill('delete');
    await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await shot(page, `other-service-${given.name.toLowerCase()}`);
  }
  await expect(line(page)).toContainText('API key: read');
  await expect(page.getByRole('tab', { name: 'Notes' })).toHaveCount(0);
  // A link to it does not lead to "No notes": there may be some.
  await visit(page, new URL(page.url()).hash.replace(/\?.*|$/, '/notes'));
  await expect(main).toContainText('There is no such screen here');
  await expect(page.getByRole('tab', { name: 'Chart' })).toBeVisible();
  await expect(main).not.toContainText('No notes');
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

test('a key that is revoked keeps the window out, and another one lets it in', async ({ page }) => {
  await using lab = await startLab();
  await makeProject(lab.api, 'Furnaces');
  const { data } = await lab.api('POST', '/_local/v1/keys', {
    body: { name: 'passing', permissions: ['read', 'admin'] },
  });
  const { id, api_key } = data as { id: string; api_key: string };
  await addPlain(page, lab, { key: api_key });
  await expect(page.getByRole('main').getByRole('link', { name: 'Furnaces' })).toBeVisible();
  await lab.api('DELETE', `/_local/v1/keys/${id}`);
  await expect(line(page).getByRole('alert')).toContainText('The API key is unknown or was revoked.');
  await line(page).getByRole('link', { name: 'Back to this machine' }).click();
  // That is another page.
  await expect(line(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await visit(page, '#/other-services');
  await page.getByRole('button', { name: 'Edit Lab…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Lab”' });
  await dialog.getByRole('textbox', { name: 'API key' }).fill(lab.ready.api_key);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page.getByRole('main').getByRole('link', { name: 'Furnaces' })).toBeVisible();
});

test('a service that answers /v2 alone is looked at as far as that goes, and says what it has not', async ({
  page,
}) => {
  await using lab = await startLab();
  const device = await makeDevice(lab.api, await makeProject(lab.api, 'Furnaces'), 'PT-107');
  for (const bar of [4.25, 4.5, 5]) await store(lab.api, device, { bar, state: 'on' });
  await lab.stop();
  await lab.start('--strict');
  await addPlain(page, lab, { name: 'Plain' });
  await expect(line(page)).toContainText('answers /v2 alone: no import, export, notes');
  await page.getByRole('main').getByRole('link', { name: 'Furnaces' }).click();
  await expect(page.getByRole('main').getByRole('row', { name: /PT-107/ })).toBeVisible();
  await look(page, 'other-service-plain-devices');
  await page.getByRole('link', { name: 'PT-107' }).last().click();
  await expectChart(page, 3);
  await expect(page.getByRole('tab')).toHaveText(['Chart', 'Table']);
  await look(page, 'other-service-plain-chart');
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('table', { name: 'Records' })).toContainText('4.25');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Purge data…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This cannot be undone.');
  await dialog.getByRole('textbox', { name: 'Type the name to confirm' }).fill('PT-107');
  await dialog.getByRole('button', { name: 'Purge data' }).click();
  await expect(page.getByText('3 records of “PT-107” deleted')).toBeVisible();
});
