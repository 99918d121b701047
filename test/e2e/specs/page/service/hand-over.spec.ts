import { readFile } from 'node:fs/promises';
import { expect, shot, test } from '../../../app.ts';
import { makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

/* docs/hand-over.md: devices as a signed package, made in the app. */

const at = (minute: number) => `2026-11-18T06:${String(minute).padStart(2, '0')}:00Z`;

test('a device is handed over as one zip, whose fingerprint stands in the dialog and on the service’s page', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Boiler room');
  const device = await makeDevice(api, project_id, 'Pump');
  await store(api, device, [
    { timestamp: at(0), bar: 1.5 },
    { timestamp: at(1), bar: 2.5 },
  ]);
  const path = `/_local/v1/projects/${project_id}/devices/${device.device_id}/corrections`;
  await api('POST', path, { body: { kind: 'calibration', key: 'bar', points: [[0, 0.25]] } });
  await visitDevice(page, device);
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('button', { name: 'Hand over…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over “Pump”' });
  await expect(dialog).toContainText('this fingerprint by another way than the package');
  const fingerprint = await dialog.getByRole('group', { name: 'Fingerprint of the signing key' }).innerText();
  expect(fingerprint).toMatch(/^(?:[0-9a-f]{4}\s?){16}$/);
  const box = dialog.getByRole('group', { name: 'Fingerprint of the signing key' });
  // None of it is beyond the frame.
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  await expect(dialog.getByRole('button', { name: 'Hand over', exact: true })).toBeFocused();
  await shot(page, 'hand-over');
  const saved = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await saved;
  expect(file.suggestedFilename()).toBe('handover_Pump.zip');
  await expect(page.getByText('1 device, 2 records in handover_Pump.zip.')).toBeVisible();
  // Names stand in a zip as they are.
  const zip = await readFile(await file.path());
  for (const name of ['records-raw.csv', 'records-corrected.csv', 'corrections.json'])
    expect(zip.includes(`devices/1-Pump/${name}`), name).toBe(true);
  await visit(page, '#/service/secrets');
  const part = page.getByRole('main');
  await expect(part.getByRole('group', { name: 'Fingerprint of the signing key' })).toHaveText(fingerprint);
  await expect(part.getByRole('group', { name: 'Public key' })).toContainText('BEGIN PUBLIC KEY');
  await shot(page, 'service-signing-key');
});

test('in the smallest window its dialog is whole, and a fresh notice lies beneath it', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Line 3');
  const device = await makeDevice(api, project_id, 'Kiln');
  await store(api, device, [{ bar: 1 }]);
  await page.setViewportSize({ width: 820, height: 600 });
  await visitDevice(page, device);
  await page.getByRole('button', { name: 'Export…' }).click();
  const exporting = page.getByRole('dialog', { name: /^Export/ });
  await exporting.getByRole('button', { name: 'Hand over…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over “Kiln”' });
  await expect(dialog.getByRole('group', { name: 'Fingerprint of the signing key' })).toBeVisible();
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  for (const name of ['Hand over', 'Cancel'])
    await expect(dialog.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await shot(page, 'hand-over-820');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+z');
  const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'Nothing to undo' });
  await expect(notice).toBeVisible();
  // It stays while the pointer is on it, however long a busy page takes to open the dialog.
  await notice.hover();
  await page.getByRole('button', { name: 'Export…' }).press('Enter');
  await expect(exporting.getByRole('button', { name: 'Hand over…' })).toBeVisible();
  const corner = await notice.boundingBox();
  const box = await exporting.boundingBox();
  if (corner === null || box === null) throw new Error('There is no notice, or no dialog.');
  // Both reach to the same place, which is the dialog's.
  const [x, y] = [Math.max(corner.x, box.x) + 4, Math.max(corner.y, box.y) + 4];
  expect(x < box.x + box.width && y < box.y + box.height).toBe(true);
  expect(
    await exporting.evaluate((all, place) => all.contains(document.elementFromPoint(...place)), [
      x,
      y,
    ] as const),
  ).toBe(true);
});
