import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, shot, test as base } from '../../../app.ts';
import { addLab, startLab } from '../../../lab.ts';
import { dataPath, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* A push to one of Other services, of which there are many: nobody types its address, certificate or key again. */

const LONG =
  'The laboratory for furnaces, pressure and everything else that is measured, second hall, east wing';
const MANY = Array.from({ length: 200 }, (_, n) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: n === 7 ? LONG : `Rig ${n}`,
  address: `http://127.0.0.1:${9000 + n}`,
  certificate: null,
  colour: 'violet',
  read_only: n === 3,
}));

const test = base.extend({
  apart: true,
  // As they are found at the start; the vault has none of their keys.
  files: async ({ files }, use) => {
    await mkdir(files.dataDirectory, { recursive: true });
    const text = JSON.stringify({ version: 1, services: MANY });
    await writeFile(join(files.dataDirectory, 'other-services.json'), text);
    await use(files);
  },
});

test('is chosen by its name; what cannot take a push says why', async ({ page, api }) => {
  await using lab = await startLab();
  const project_id = await makeProject(api, 'Boiler room');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, pump, { temperature: 20 });
  await addLab(page, lab, 'Furnace lab');
  const { data } = await lab.api('POST', '/_local/v1/keys', { body: { name: 'r', permissions: ['read'] } });
  await addLab(page, lab, 'Furnace reader', (data as { api_key: string }).api_key);
  await visit(page, '#/other-services');
  await expect(page.getByRole('row', { name: /Rig 0/ })).toBeVisible();
  await shot(page, 'other-services-many');

  await visit(page, `#/projects/${project_id}/push`);
  const field = page.getByRole('combobox', { name: 'Lab' });
  const plan = page.getByRole('button', { name: 'Plan', exact: true });
  const problem = page.getByRole('main').getByRole('alert');
  // Of several nobody knows which it is to be.
  await expect(field).toHaveValue('Another address…');
  await field.click();
  const option = (name: string) => page.getByRole('option', { name });
  await expect(option('Rig 3 Read-only')).toHaveAttribute('data-combobox-disabled', 'true');
  await shot(page, 'push-services');
  const pick = async (search: string, name: string) => {
    await field.click();
    await field.fill(search);
    await option(name).click();
  };
  await pick('laboratory east', LONG);
  await expect(page.getByLabel('API key of the lab')).toHaveCount(0);
  await plan.click();
  await expect(problem).toContainText('The vault has no API key of');
  await shot(page, 'push-no-key');
  await pick('reader', 'Furnace reader');
  await plan.click();
  await expect(problem).toContainText('refuses the push');
  await shot(page, 'push-may-only-read');

  // By address, too.
  await pick(new URL(lab.ready.base_url).host, 'Furnace lab');
  await plan.click();
  await page.getByRole('button', { name: 'Send 1 record' }).click();
  await expect(page.getByRole('row', { name: /Pump/ })).toContainText('1 sent');
  await shot(page, 'push-known');
  const { headers } = await lab.api('GET', `${dataPath(pump)}?page=1&limit=1&range=all`);
  expect(headers.get('x-total-count')).toBe('1');

  await lab.stop();
  await plan.click();
  await expect(problem).toContainText('cannot be reached');
  await shot(page, 'push-away');
});
