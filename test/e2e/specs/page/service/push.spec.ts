import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, shot, test } from '../../../app.ts';
import { CLI, appFiles, appFlags } from '../../../hosts/host.ts';
import { startProgram } from '../../../program.ts';
import { createApi } from '../../../api.ts';
import { dataPath, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* A technician's records go to a lab: first a plan, then exactly that plan. */

/** A second Fieldbench, with HTTPS and a certificate authority of its own. */
async function startLab(started: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-'));
  started.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const files = appFiles(folder);
  const program = startProgram([process.execPath, CLI, 'serve', ...appFlags(files)]);
  started.defer(() => program.stop());
  const ready = await program.ready(files.readyFile);
  return { ready, api: createApi(ready), ca: await readFile(ready.ca_file ?? '', 'utf8') };
}

const READINGS = Array.from({ length: 40 }, (_, minute) => ({
  timestamp: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
  temperature: 20 + minute / 10,
}));

test('a project goes to a lab by a plan, by keyboard alone, and a second time nothing goes', async ({
  page,
  api,
}) => {
  await using started = new AsyncDisposableStack();
  const lab = await startLab(started);
  const project_id = await makeProject(api, 'Boiler room');
  const pump = await makeDevice(api, project_id, 'Pump');
  await makeDevice(api, project_id, 'Spare');
  await store(api, pump, READINGS);

  const { keyboard } = page;
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Push…' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Push Boiler room to a lab' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Address of the lab' })).toBeFocused();
  await keyboard.insertText(lab.ready.base_url);
  await page.getByLabel('API key of the lab').fill('fb_wrong');
  await page.getByRole('textbox', { name: 'Certificate of the lab' }).fill(lab.ca);
  await page.getByLabel('API key of the lab').press('Enter');
  await expect(page.getByRole('alert')).toContainText('does not take this API key');
  await page.getByLabel('API key of the lab').fill(lab.ready.api_key);
  await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
  const table = page.getByRole('table', { name: 'Plan' });
  await expect(table.getByRole('row', { name: /Pump New 40/ })).toBeVisible();
  await expect(page.getByText('40 records to send, about')).toBeVisible();
  // Names of any script stand by their own direction.
  await expect(table.getByText('Pump', { exact: true })).toHaveAttribute('dir', 'auto');
  await expect(page.getByText('The lab does not have the project yet')).toBeVisible();
  await shot(page, 'push-plan');
  expect((await lab.api('GET', `/v2/projects/${project_id}`)).status).toBe(404);

  await expect(page.getByRole('button', { name: 'Send 40 records' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(table.getByRole('row', { name: /Pump/ })).toContainText('40 sent');
  const { headers } = await lab.api('GET', `${dataPath(pump)}?page=1&limit=1&range=all`);
  expect(headers.get('x-total-count')).toBe('40');

  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByText('The lab has all records already.')).toBeVisible();
  await expect(table.getByRole('row', { name: /Pump Same 0 40/ })).toBeVisible();
});

test('a device of the same name in the lab is offered, and the palette knows the way', async ({
  page,
  api,
}) => {
  await using started = new AsyncDisposableStack();
  const lab = await startLab(started);
  const project_id = await makeProject(api, 'Boiler room');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, pump, READINGS);
  await lab.api('POST', '/_local/v1/sync/projects', { body: { id: project_id, name: 'Boiler room' } });
  const theirs = await makeDevice(lab.api, project_id, 'Pump');

  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('link', { name: 'Pump' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Go to or do' }).fill('push to a lab');
  await expect(page.getByRole('button', { name: /Push to a lab…/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Address of the lab' }).fill(lab.ready.base_url);
  await page.getByLabel('API key of the lab').fill(lab.ready.api_key);
  await page.getByRole('textbox', { name: 'Certificate of the lab' }).fill(lab.ca);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByRole('button', { name: 'Send into the lab’s “Pump”' }).click();
  await page.getByRole('button', { name: 'Plan again' }).click();
  await page.getByRole('button', { name: 'Send 40 records' }).click();
  await expect(page.getByRole('table', { name: 'Plan' }).getByRole('row', { name: /Pump/ })).toContainText(
    '40 sent',
  );
  const { headers } = await lab.api('GET', `${dataPath(theirs)}?page=1&limit=1&range=all`);
  expect(headers.get('x-total-count')).toBe('40');
});
