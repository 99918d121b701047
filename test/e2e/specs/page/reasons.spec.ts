import type { Api } from '../../api.ts';
import { expect, shot, test } from '../../app.ts';
import { violationsIn } from '../../axe.ts';
import { drag } from '../../steps/chart-steps.ts';
import { BAD, correct, correctSelection, makeColdStore, MINUTES } from '../../steps/correction-steps.ts';
import {
  expectChart,
  expectDone,
  openAction,
  visit,
  visitDevice,
  type DeviceIds,
} from '../../steps/steps.ts';

/* A project that asks for a reason when data are changed: its setting, and dialogs that ask, by keyboard. */

const ask = (api: Api, { project_id }: DeviceIds) =>
  expectDone(api('PATCH', `/_local/v1/projects/${project_id}`, { body: { reason_required: true } }));

async function asks(api: Api, { project_id }: DeviceIds): Promise<boolean | undefined> {
  const { data } = await api('GET', '/_local/v1/projects');
  const projects = data as readonly { readonly id: string; readonly reason_required: boolean }[];
  return projects.find(({ id }) => id === project_id)?.reason_required;
}

/** Operations and reasons of the audit trail, the last first; of a project. */
async function told(api: Api, { project_id }: DeviceIds): Promise<readonly string[]> {
  const { data } = await api('GET', `/_local/v1/audit?project_id=${project_id}&limit=20`);
  const { entries } = data as {
    readonly entries: readonly { readonly operation: string; readonly reason?: string }[];
  };
  return entries.map(({ operation, reason = '–' }) => `${operation}: ${reason}`);
}

test('a project is set to ask, and a purge then asks, without a mouse', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visit(page, '#/projects');
  await page.getByRole('button', { name: 'Actions for Pharmacy' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  const setting = dialog.getByRole('checkbox', { name: 'Ask for a reason when data are changed' });
  await expect(setting).not.toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(setting).toBeFocused();
  await page.keyboard.press('Space');
  await expect(setting).toBeChecked();
  expect(await violationsIn(page)).toEqual([]);
  await shot(page, 'project-asks');
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => told(api, device)).toContainEqual('projects.update: –');

  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await openAction(page, 'Purge data…');
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('required');
  await expect(dialog.getByRole('table')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(reason).toHaveAccessibleDescription(/the project "Pharmacy" asks for a reason/);
  await expect(reason).toBeFocused();
  expect(await violationsIn(page)).toEqual([]);
  await shot(page, 'purge-asks');
  await page.keyboard.type('probe was wet');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await told(api, device))[0]).toBe('records.delete: probe was wet');

  // Taking it back asks nothing; doing it again has the reason that it had.
  await page.keyboard.press('ControlOrMeta+z');
  await expectChart(page, MINUTES);
  expect((await told(api, device))[0]).toBe('undo.restore: –');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(async () => (await told(api, device))[0]).toBe('records.delete: probe was wet');
});

test('the setting is taken back and set again as any edit', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visit(page, `#/projects/${device.project_id}`);
  await openAction(page, 'Edit project…');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Ask for a reason when data are changed' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await asks(api, device)).toBe(true);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(
    page.getByText('Taken back: whether a reason is asked for of “Pharmacy”.', { exact: true }),
  ).toBeVisible();
  expect(await asks(api, device)).toBe(false);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => asks(api, device)).toBe(true);
});

test('corrections are made, changed and removed for a reason, and taken back without one', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await correct(api, device, BAD);
  await ask(api, device);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await drag(page, 0, 0.5);
  const dialog = await correctSelection(page, 'Clock was wrong…');
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await dialog.getByRole('textbox', { name: 'The clock was off by' }).fill('20 min');
  await page.keyboard.press('Enter');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAccessibleDescription(/the project "Pharmacy" asks for a reason/);
  expect(await violationsIn(page)).toEqual([]);
  await reason.fill('summer time');
  await dialog.getByRole('button', { name: 'Put right' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await told(api, device))[0]).toBe('corrections.create: summer time');

  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Taken back: ')).toBeVisible();
  expect((await told(api, device))[0]).toBe('edits.replace: undone');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(async () => (await told(api, device))[0]).toBe('edits.replace: done again');

  await visitDevice(page, device, 'corrections');
  await page.getByRole('button', { name: /^Remove Quality/ }).press('Enter');
  await expect(reason).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reason).toHaveAccessibleDescription(/the project "Pharmacy" asks for a reason/);
  await expect(reason).toBeFocused();
  expect(await violationsIn(page)).toEqual([]);
  await page.keyboard.type('the door was shut');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await told(api, device))[0]).toBe('corrections.delete: the door was shut');
});

test('devices of a list are deleted for a reason, all for the same', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await ask(api, device);
  await visit(page, `#/projects/${device.project_id}`);
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  const selected = page.getByRole('region', { name: 'Selected devices' });
  await selected.getByRole('button', { name: 'Delete…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await expect(dialog.getByRole('table')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete device' }).press('Enter');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAccessibleDescription(/this project asks for one/);
  await page.keyboard.type('sold');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await told(api, device))[0]).toBe('devices.remove: sold');
});
