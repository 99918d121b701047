import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { dismissNotices, expect, picture, test } from '../../app.ts';
import { openMore } from '../../steps/chart-steps.ts';
import {
  ALL_RECORDS,
  checked,
  coldRoomFiles,
  meddle,
  unpacked,
  NEW_PROBE,
  OLD_PROBE,
  OLD_RECORDS,
} from '../../steps/cold-room-steps.ts';
import { chooseView, correctionsPath } from '../../steps/correction-steps.ts';
import { chooseFiles, deviceOf, exportPath } from '../../steps/hour-steps.ts';
import { look } from '../../look.ts';
import { runCli } from '../../../helpers/service/service-process.ts';
import { THREE_SIZES } from '../../shot.ts';
import {
  choose,
  expectChart,
  expectDone,
  makeProject,
  openAction,
  visit,
  visitDevice,
} from '../../steps/steps.ts';

/* A measurement that one can trust: a logger whose clock ran an hour ahead after October, a probe that was found 0.4 K low and was
   replaced, an afternoon with the door open. Taken in, put right, judged, reported, sealed and checked elsewhere; then all of it is taken back, and what was
   stored is what it was, byte for byte. */

/** Begins a correction from the list of them. */
async function begin(page: Page, item: string) {
  await page.getByRole('button', { name: 'New correction' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  return page.getByRole('dialog');
}

test('a measurement is put right, judged, reported, sealed, and taken back to the byte', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Pharmacy');
  page.setDefaultTimeout(15_000);
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('button', { name: 'Import files…' }).click();
  const recordings = await coldRoomFiles(dataDirectory);
  await chooseFiles(page, () => page.getByRole('button', { name: 'Choose files…' }).click(), recordings);
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(page.getByRole('navigation', { name: 'Files' }).getByText('Imported')).toHaveCount(2);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  const [old, current] = [
    await deviceOf(api, project_id, OLD_PROBE),
    await deviceOf(api, project_id, NEW_PROBE),
  ];
  const stored = async () => [
    (await api('GET', exportPath(old))).text,
    (await api('GET', exportPath(current))).text,
  ];
  const before = await stored();
  const settings = `/_local/v1/projects/${project_id}/devices/${old.device_id}/key-settings`;
  const range = { key: 'air', unit: '°C', low: 2, high: 8, longest_gap_s: 1800, apply_to: 'project' };
  await expectDone(api('PATCH', settings, { body: range }));
  const notes = correctionsPath(old).replace(/corrections$/, 'notes');
  const delivery = { start: '2026-11-01T13:00:00Z', text: 'Delivery at noon' };
  await expectDone(api('POST', notes, { body: delivery }));

  // As it was stored nothing was too warm, and an hour of October is missing.
  await visitDevice(page, old, 'excursions');
  const keys = page.getByRole('navigation', { name: 'Keys with a normal range' });
  await expect(keys.getByRole('link')).toHaveText([/air.*1 gap/]);
  await page.getByRole('tab', { name: 'Corrections' }).click();

  // The clock.
  let dialog = await begin(page, 'Clock was wrong…');
  await dialog.getByRole('textbox', { name: 'The clock was off by' }).fill('1 h');
  await dialog.getByRole('textbox', { name: 'From (time as stored)' }).fill('2026-10-25 02:00');
  await dialog.getByRole('textbox', { name: 'To (time as stored)' }).fill('2026-11-10 07:00');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('logger stayed in summer time');
  await expect(dialog.getByRole('status').last()).toContainText('clock 1 h ahead: moved back, to 2026-10-25');
  await look(page, 'trusted-clock', THREE_SIZES);
  await dialog.getByRole('button', { name: 'Put right' }).click();
  await expect(dialog).toHaveCount(0);

  // The probe, by its certificate.
  dialog = await begin(page, 'Calibrate…');
  await choose(dialog, 'Key', 'air');
  await dialog.getByRole('radiogroup', { name: 'Known by' }).getByText('Certificate').click();
  await dialog
    .getByRole('textbox', { name: 'Table of the certificate' })
    .fill('Reading\tTrue\n-0,4\t0,0\n7,6\t8,0');
  await dialog.getByRole('textbox', { name: 'Certificate', exact: true }).fill('K-2026-117');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('yearly calibration: 0.4 K low');
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('table', { name: 'Corrections' });
  await expect(list).toContainText('yearly calibration: 0.4 K low');
  await expect(list).toContainText('2026-10-25 02:00:00 – 2026-11-10 07:00:00');

  // What was noted stands where it was: at noon.
  await page.getByRole('tab', { name: 'Notes' }).click();
  const noted = page.getByRole('table', { name: 'Notes' });
  await expect(noted).toContainText('2026-11-01 12:00:00');
  await chooseView(page, 'Raw');
  await expect(noted).toContainText('2026-11-01 13:00:00');
  await chooseView(page, 'Corrected');
  await noted.getByRole('button', { name: /^Edit the note/ }).click();
  const edit = page.getByRole('dialog');
  await expect(edit.getByRole('textbox', { name: 'From' })).toHaveValue('2026-11-01 12:00:00');
  await expect(edit).toContainText('Kept at the time of the device’s clock, 2026-11-01 13:00:00');
  await edit.getByRole('textbox', { name: 'Note' }).fill('Delivery, door open for a minute');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  expect((await api('GET', notes)).data).toMatchObject([{ start: '2026-11-01T13:00:00.000000Z' }]);

  // The new probe took its place, and has its history.
  await visitDevice(page, current);
  await expectChart(page, ALL_RECORDS - OLD_RECORDS);
  await openAction(page, 'Replace device…');
  dialog = page.getByRole('dialog');
  await choose(dialog, 'Former device', OLD_PROBE);
  await expect(dialog.getByRole('textbox', { name: 'Until' })).toHaveValue(/^2026-11-10 0\d:00:00$/);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('probe failed its calibration');
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expectChart(page, ALL_RECORDS);

  // The door.
  await page.getByRole('tab', { name: 'Corrections' }).click();
  dialog = await begin(page, 'Quality…');
  await dialog.getByRole('textbox', { name: 'From' }).fill('2026-11-12 13:00');
  await dialog.getByRole('textbox', { name: 'To' }).fill('2026-11-12 14:50');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('door open, room empty');
  await dialog.getByRole('button', { name: 'Mark', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await dismissNotices(page);
  await picture(page, 'trusted-corrections');
  await look(page, 'trusted-corrections', THREE_SIZES);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await expectChart(page, ALL_RECORDS);
  await expect(page.getByTestId('view-line')).toContainText('Pale: marked as bad or a test, not counted.');
  await expect(
    page.getByRole('button', { name: /^Quality of all keys: bad: door open, room empty/ }),
  ).toBeVisible();
  await picture(page, 'trusted-chart');
  await look(page, 'trusted-chart', THREE_SIZES);

  // Judged: the warm night shows since the probe is known to have read low, and the door does not count.
  await page.getByRole('tab', { name: 'Excursions' }).click();
  await expect(keys.getByRole('link')).toHaveText([/air.*1 excursion/]);
  const excursions = page.getByRole('table', { name: /^Excursions/ });
  await expect(excursions.getByRole('row').nth(1)).toContainText('2026-11-03 01:00:00');
  await expect(excursions.getByRole('row').nth(1)).toContainText('8.2');
  await look(page, 'trusted-excursions', THREE_SIZES);
  await chooseView(page, 'Raw');
  await expect(excursions.getByRole('row').nth(1)).toContainText('2026-11-12 13:00:00');
  await chooseView(page, 'Corrected');

  // Reported.
  await page.getByRole('tab', { name: 'Chart' }).click();
  await openMore(page, 'Report to print');
  const sheet = page.getByRole('article', { name: /^Report of/ });
  await expect(sheet).toContainText('Corrected by 2 corrections');
  await expect(sheet).toContainText('probe failed its calibration');
  await expect(sheet.getByRole('row', { name: /^air/ }).filter({ hasText: '8.2 °C, above' })).toHaveCount(1);
  await picture(page, 'trusted-report');

  // Sealed, and checked on another machine without Fieldbench.
  const sealed = join(dataDirectory, 'cold-room.zip');
  const devices = [old.device_id, current.device_id];
  const made = await runCli(['handover', ...devices, '--out', sealed, '--data', dataDirectory]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const { data: key } = await expectDone(api('GET', '/_local/v1/handover/key'));
  const elsewhere = await unpacked(sealed, dataDirectory);
  const [whose, signed, files, unnamed] = await checked(elsewhere);
  expect(whose).toBe((key as { fingerprint: string }).fingerprint);
  expect(signed).toContain('Signature Verified Successfully');
  expect(files).toMatch(/^(\S.*: OK\n?)+$/);
  expect(unnamed).toBe('');
  const told = await readFile(join(elsewhere, 'audit-trail.ndjson'), 'utf8');
  expect(told).toContain('yearly calibration: 0.4 K low');
  await meddle(elsewhere);
  expect((await checked(elsewhere))[2]).toContain('records-raw.csv: FAILED');

  // Where there are many devices it says so, too.
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByText(/2 devices.* · 2 corrected/)).toBeVisible();
  const row = page.getByRole('table', { name: 'Devices' }).getByRole('row', { name: new RegExp(NEW_PROBE) });
  await expect(row.getByRole('img', { name: /^Corrected/ }).first()).toBeVisible();
  const tree = page.getByRole('tree');
  await expect(tree.getByRole('img', { name: /^2 devices corrected/ })).toBeVisible();
  await look(page, 'trusted-list', THREE_SIZES);
  await visit(page, `#/compare?d=${old.device_id},${current.device_id}`);
  await expect(
    page.getByRole('group', { name: 'Compared devices' }).getByRole('link', { name: /^Corrected: / }),
  ).toHaveCount(2);
  await look(page, 'trusted-compare', THREE_SIZES);

  // Who did what to a key.
  await visitDevice(page, old, 'keys');
  await page.getByRole('table', { name: 'Keys' }).getByRole('link', { name: /air/ }).click();
  await page.getByRole('link', { name: 'History of air' }).click();
  await expect(page.getByText(`air of ${OLD_PROBE} alone`)).toBeVisible();
  const entries = page.getByRole('list', { name: 'Audit trail' }).locator('> li');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('Create correction');
  await expect(entries.first()).toContainText('New: correction “Calibration of air”');
  await look(page, 'trusted-history-of-key', THREE_SIZES);

  // All of it is taken back, the last first.
  await visitDevice(page, current);
  const chart = page.getByTestId('view-line');
  await expect(chart).toContainText('Corrected by 2 corrections.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(chart).toContainText('Corrected by 1 correction.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(chart).toHaveCount(0);
  await expectChart(page, ALL_RECORDS - OLD_RECORDS);
  await visitDevice(page, old, 'corrections');
  await expect(list.getByRole('row')).toHaveCount(3);
  // The note, then the calibration, then the clock.
  for (const left of [3, 2, 0]) {
    await page.keyboard.press('ControlOrMeta+z');
    if (left > 0) await expect(list.getByRole('row')).toHaveCount(left);
  }
  await expect(page.getByText('No corrections')).toBeVisible();
  expect((await api('GET', notes)).data).toMatchObject([{ text: 'Delivery at noon' }]);
  expect(await stored()).toEqual(before);
  const corrected = await api('GET', `${exportPath(current)}&view=corrected`);
  expect(corrected.text).toBe(before[1]);
});
