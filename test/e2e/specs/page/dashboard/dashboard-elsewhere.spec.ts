import { expect, test } from '../../../app.ts';
import { startLab } from '../../../lab.ts';
import { makeWidget, sourcesOf, widgetOf } from '../../../steps/dashboard-steps.ts';
import { makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* A dashboard of a service elsewhere, by a key that may not do everything. */

// A service that was added outlasts what is made in the store.
test.use({ apart: true });

test('what a key may not read is said in its widget, and nothing that changes is offered', async ({
  page,
}) => {
  await using lab = await startLab();
  const project_id = await makeProject(lab.api, 'Furnaces');
  const device = await makeDevice(lab.api, project_id, 'PT-107');
  await store(lab.api, device, { bar: 4.25 });
  const sources = sourcesOf('bar', device);
  await makeWidget(lab.api, project_id, { title: 'Last', type: 'value', sources });
  await makeWidget(lab.api, project_id, {
    title: 'Newest',
    type: 'table',
    sources,
    layout: { shows: 'records' },
  });
  const key = { name: 'afar', permissions: ['admin'] };
  const { data } = await lab.api('POST', '/_local/v1/keys', { body: key });
  await visit(page, '#/other-services');
  await page.getByRole('button', { name: 'Add the first service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(lab.ready.http_url ?? lab.ready.base_url);
  await dialog.getByRole('button', { name: 'Show its fingerprint' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lab');
  await dialog.getByRole('textbox', { name: 'API key' }).fill((data as { api_key: string }).api_key);
  await dialog.getByRole('button', { name: 'Trust it and sign in' }).click();
  await expect(page.getByRole('region', { name: 'Service elsewhere' })).toContainText('Lab');
  await page.evaluate((id) => {
    location.hash = `${/^#\/at\/[0-9a-f-]+/.exec(location.hash)?.[0] ?? '#'}/projects/${id}/dashboard`;
  }, project_id);
  await expect(widgetOf(page, 'Last')).toContainText('4.25');
  await expect(widgetOf(page, 'Newest').getByRole('alert')).toBeVisible();
});
