import { expect, shot, test } from '../../../app.ts';
import { makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* Notes: what people write to a time or a span of a device, and where they find it again. */

const AT = Date.UTC(2026, 10, 19, 18);
const READINGS = Array.from({ length: 60 }, (_, n) => ({
  timestamp: new Date(AT + n * 60_000).toISOString(),
  t1: 18.4 + n / 10,
}));

test('a note is written, found, changed, deleted and brought back by mouse', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  await store(api, device, READINGS);
  await visitDevice(page, device, 'notes');
  await expect(page.getByText('No notes')).toBeVisible();
  await page.getByRole('button', { name: 'New note…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New note' });
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveAccessibleDescription(/1 to 500/);
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Fan replaced');
  await dialog.getByRole('textbox', { name: 'From' }).fill('2026-11-19 19:45');
  await dialog.getByRole('textbox', { name: 'To' }).fill('2026-11-19 19:30');
  await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveAccessibleDescription(/Not before/);
  await dialog.getByRole('textbox', { name: 'To' }).fill('2026-11-19 20:45');
  await expect(dialog.getByRole('status')).toHaveText(/^2026-11-19 19:45:00 – 20:45:00 \(UTC/);
  await shot(page, 'note-dialog');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await expect(dialog).toHaveCount(0);

  const table = page.getByRole('table', { name: 'Notes' });
  const row = table.getByRole('row', { name: /Fan replaced/ });
  await expect(row).toContainText('2026-11-19 19:45:00 – 20:45:00');
  await expect(row).toContainText('app');
  await row.getByRole('button', { name: /^Edit the note/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Fan and filter replaced');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(table).toContainText('Fan and filter replaced');
  await shot(page, 'notes');
  await table.getByRole('button', { name: /^Delete the note/ }).click();
  await expect(page.getByText('No notes')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(table).toContainText('Fan and filter replaced');
  await table.getByRole('link').click();
  await expect(page).toHaveURL(/from=2026-11-19T/);
  await expect(page.getByRole('tab', { name: 'Chart' })).toHaveAttribute('aria-selected', 'true');
});

test('notes are searched and written by keyboard, and one of another window shows at once', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  await store(api, device, READINGS);
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/notes`;
  await visitDevice(page, device, 'notes');
  await expect(page.getByText('No notes')).toBeVisible();
  for (const [n, text] of ['Valve opened', 'Valve shut', '<b>Bold</b> \u202Eكلام'].entries())
    await api('POST', path, { body: { start: READINGS[n * 10]?.timestamp, text } });
  const table = page.getByRole('table', { name: 'Notes' });
  await expect(table).toHaveAttribute('aria-rowcount', '4');
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.type('valve');
  await expect(table).toHaveAttribute('aria-rowcount', '3');
  await expect(page.getByText('2 of 3 notes')).toBeVisible();
  await page.getByRole('button', { name: 'New note…' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await keyboard.type('Valve leaks');
  await keyboard.press('Enter');
  await expect(table).toContainText('Valve leaks');
  await expect(page.getByRole('button', { name: 'New note…' })).toBeFocused();
  await expect(page).toHaveURL(/find=valve/);
});

test('a text that was typed is not lost by the key that closes a dialog', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  await store(api, device, READINGS);
  await visitDevice(page, device, 'notes');
  await page.getByRole('button', { name: 'New note…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New note' });
  const text = dialog.getByRole('textbox', { name: 'Note' });
  await text.fill('Cable chafed through, sensor 3 replaced');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('status').last()).toHaveText(
    'What you entered is not saved. Close once more to drop it.',
  );
  await expect(text).toHaveValue('Cable chafed through, sensor 3 replaced');
  await expect(text).toBeFocused();
  await shot(page, 'dialog-typed');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  // Where nothing was typed there is nothing to ask.
  await page.getByRole('button', { name: 'New note…' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('the times of a note that lasts for days are not cut', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/notes`;
  const span = { start: '2026-11-19T18:04:46Z', end: '2026-11-21T17:44:41Z' };
  await api('POST', path, { body: { ...span, text: 'Shut down' } });
  await visitDevice(page, device, 'notes');
  const cell = page.getByRole('link', { name: /2026-11-19.*2026-11-2/ }).locator('..');
  await expect(cell).toBeVisible();
  expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});
