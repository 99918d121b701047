import { readFile } from 'node:fs/promises';
import { expect, test } from '../app.ts';
import { makeDevice, makeProject, store, visit } from '../steps/steps.ts';

/* docs/hand-over.md: devices as a signed package, made in the app. */

test('ticked devices go into one package', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  for (const name of ['Oven', 'Press'])
    await store(api, await makeDevice(api, project_id, name), [{ bar: 1 }]);
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page
    .getByRole('region', { name: 'Selected devices' })
    .getByRole('button', { name: 'Export…' })
    .click();
  await page.getByRole('button', { name: 'Hand over…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over 2 devices' });
  await dialog.getByText('NDJSON').click();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
  const zip = await readFile(await (await saved).path());
  for (const name of [
    'devices/1-Oven/records-raw.ndjson',
    'devices/2-Press/records-raw.ndjson',
    'report.html',
  ])
    expect(zip.includes(name), name).toBe(true);
});
