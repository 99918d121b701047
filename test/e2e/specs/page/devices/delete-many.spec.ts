import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { expectDone, makeDevice, makeProject, visit } from '../../../steps/steps.ts';

/* Several devices are deleted at once, and come back by one key, whatever happened meanwhile. */

const DAY_MS = 86_400_000;

async function count(api: Api, project_id: string): Promise<number> {
  const { headers } = await expectDone(api('GET', `/_local/v1/projects/${project_id}/devices?limit=1`));
  return Number(headers.get('x-total-count'));
}

/** Ticks all devices of a project, and opens the dialog that deletes them. */
async function openDelete(page: Page, project_id: string) {
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  const selected = page.getByRole('region', { name: 'Selected devices' });
  await selected.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete \d+ devices$/ });
  await expect(dialog.getByRole('table', { name: 'What would be removed' })).toBeVisible();
  return dialog;
}

test('undoing passes over the device that was restored before, and says so', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  for (const name of ['PT-1', 'PT-2', 'PT-3']) await makeDevice(api, project_id, name);
  await expectDone(api('PATCH', '/_local/v1/settings', { body: { keep_days: 400 } }));
  const dialog = await openDelete(page, project_id);
  // As long as the service keeps it, not as long as it does at first.
  const year = new Date(Date.now() + 400 * DAY_MS).getFullYear();
  await expect(dialog).toContainText(`You can restore this until ${year}-`);
  await shot(page, 'delete-many');
  await dialog.getByRole('button', { name: 'Delete devices' }).click();
  await expect.poll(() => count(api, project_id)).toBe(0);

  await visit(page, '#/deleted');
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click();
  await expect.poll(() => count(api, project_id)).toBe(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Taken back: 2 of 3. The others had been restored')).toBeVisible();
  expect(await count(api, project_id)).toBe(3);
});

test('what was deleted before it was cancelled can be undone at once', async ({ page, api }) => {
  const many = 400;
  const project_id = await makeProject(api, 'Plant');
  const devices = Array.from({ length: many }, (_, place) => ({ name: `PT-${place}` }));
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }));
  const dialog = await openDelete(page, project_id);
  await dialog.getByRole('button', { name: 'Delete devices' }).click();
  await page.getByRole('button', { name: /^Jobs/ }).click();
  const row = page.getByRole('listitem', { name: `Delete ${many} devices` });
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Cancelled');
  const left = await count(api, project_id);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(many);
  await expect(page.getByText(`${many - left} of ${many} devices deleted`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`Taken back: ${many - left} of ${many} devices deleted.`)).toBeVisible();
  expect(await count(api, project_id)).toBe(many);
});
