import { expect, shot, test } from '../../../app.ts';
import { startLab } from '../../../lab.ts';
import { look } from '../../../look.ts';
import { addPlain, issueKey, line } from '../../../steps/other-service-steps.ts';
import { expectChart, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* docs/remote.md: what a service elsewhere lets one do. */

// A service that was added outlasts what is made in the store.
test.use({ apart: true });

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
