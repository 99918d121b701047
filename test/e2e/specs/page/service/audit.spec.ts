import { readFile } from 'node:fs/promises';
import { expect, shot, test } from '../../../app.ts';
import { makeDevice, makeProject, openAction, visit, visitDevice } from '../../../steps/steps.ts';

test.use({ apart: true });

test('the history of a device says who changed what, and what was before and after', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const device = await makeDevice(api, project_id, 'Pump');
  await makeDevice(api, project_id, 'Valve');
  const path = `/_local/v1/projects/${project_id}/devices/${device.device_id}`;
  await api('PATCH', path, { body: { name: 'Pump 2', tags: ['cellar'] } });
  await visitDevice(page, device);
  await openAction(page, 'History');
  await expect(page.getByRole('tab', { name: 'Audit trail' })).toHaveAttribute('aria-selected', 'true');
  const entries = page.getByRole('list', { name: 'Audit trail' }).locator('> li');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('Update device');
  await expect(entries.first()).toContainText('Boiler room / Pump 2');
  await expect(entries.first()).toContainText('device, name: “Pump” → “Pump 2”');
  await expect(entries.first()).toContainText('API key Fieldbench');
  await expect(page.getByText('Device Pump 2 alone')).toBeVisible();
  await shot(page, 'audit-of-device');
  await page.getByRole('button', { name: 'All devices' }).click();
  await expect(page.getByText('New: device “Valve”')).toBeVisible();
  await page.getByRole('textbox', { name: 'Who' }).fill('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No entry matches the filter')).toBeVisible();
  await expect(page).toHaveURL(/service\/audit\?by=nobody$/);
});

test('earlier entries are there, the trail is verified and saved as a file', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Boiler room');
  for (let n = 1; n <= 60; n++)
    await api('PATCH', `/_local/v1/projects/${project_id}`, { body: { description: `step ${n}` } });
  await visit(page, `#/service/audit?project=${project_id}`);
  const entries = page.getByRole('list', { name: 'Audit trail' }).locator('> li');
  await expect(entries).toHaveCount(50);
  await page.getByRole('button', { name: 'Earlier entries' }).click();
  await expect(entries).toHaveCount(61);
  await expect(page.getByText('New: project “Boiler room”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Earlier entries' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText(/\d+ entries, all as they were written\./)).toBeVisible();
  await shot(page, 'audit-verified');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file…' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^fieldbench_audit_[\d-]+\.ndjson$/);
  expect(await readFile(await file.path(), 'utf8')).toContain('"description":"step 60"');
});
