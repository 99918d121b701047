import { readFile } from 'node:fs/promises';
import { expect, test } from '../../../app.ts';
import { violationsIn } from '../../../axe.ts';
import { drag } from '../../../steps/chart-steps.ts';
import {
  BAD,
  chooseView,
  COLD,
  correct,
  correctionsPath,
  correctSelection,
  figureOf,
  makeColdStore,
  MINUTES,
  timeOf,
} from '../../../steps/correction-steps.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { expectChart, visit, visitDevice } from '../../../steps/steps.ts';

/* Corrections as they are made on the screen: calibrations, clocks, a device that replaced another; and what they say elsewhere. */

test('a device is calibrated by a known value, two moments, and the table of a certificate', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await drag(page, 0, 0.5);
  let dialog = await correctSelection(page, 'Calibrate…');
  await dialog.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: 'air', exact: true }).click();
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'It read' })).toHaveAccessibleDescription(/number/);
  await dialog.getByRole('textbox', { name: 'It read' }).fill('4,2');
  await dialog.getByRole('textbox', { name: 'True value' }).fill('4.6');
  await expect(dialog.getByTestId('calibration-preview')).toHaveText(
    /^Stored 4 to 12, corrected 4.4 to 12.4/,
  );
  await look(page, 'correct-calibration', THREE_SIZES);
  await dialog.getByRole('textbox', { name: 'From' }).fill('');
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // Of the selected two hours.
  await expect(figureOf(page, 'air', 'min')).toHaveAttribute('data-exact', /^4\.(4|39999)/);

  dialog = await correctSelection(page, 'Calibrate…');
  await dialog.getByRole('radiogroup', { name: 'Known by' }).getByText('Certificate').click();
  await dialog
    .getByRole('textbox', { name: 'Table of the certificate' })
    .fill('Reading\tTrue\n4,0\t5,0\n12,0\t14,0');
  await dialog.getByRole('textbox', { name: 'Certificate', exact: true }).fill('K-2026-117');
  await look(page, 'correct-certificate', THREE_SIZES);
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // The newest holds.
  await expect(figureOf(page, 'air', 'min')).toHaveAttribute('data-exact', '5');

  dialog = await correctSelection(page, 'Calibrate…');
  await dialog.getByRole('radiogroup', { name: 'Known by' }).getByText('Two moments').click();
  await dialog.getByRole('textbox', { name: 'The reference said' }).first().fill('4');
  const [first, second] = await dialog.getByRole('textbox', { name: /moment$/ }).all();
  await first?.fill('2026-11-19 08:00:00Z');
  await second?.fill('2026-11-19 10:35:00Z');
  await expect(dialog).toContainText('It read 12');
  await dialog.getByRole('textbox', { name: 'The reference said' }).last().fill('13');
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(figureOf(page, 'air', 'min')).toHaveAttribute('data-exact', '4');
});

test('a clock is put right by typing, and by dragging the span sideways', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await drag(page, 0.5, 0.6);
  let dialog = await correctSelection(page, 'Clock was wrong…');
  await dialog.getByRole('button', { name: 'Put right' }).click();
  await expect(dialog.getByRole('textbox', { name: 'The clock was off by' })).toHaveAccessibleDescription(
    /such as 1 h/,
  );
  await dialog.getByRole('textbox', { name: 'The clock was off by' }).fill('20 min');
  await dialog.getByRole('radiogroup', { name: 'It was' }).getByText('Behind').click();
  await expect(dialog.getByRole('status').last()).toContainText(
    'clock 20 min behind: moved forward, to 2026-11-19',
  );
  await look(page, 'correct-clock', THREE_SIZES);
  await dialog.getByRole('button', { name: 'Put right' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByRole('button', { name: /^Clock: clock 20 min behind: moved forward/ }),
  ).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('view-line')).toHaveCount(0);

  const handle = page.getByRole('slider', { name: 'Shift of the selected span' });
  const place = await handle.boundingBox();
  const plot = await page.locator('.u-over').boundingBox();
  if (!place || !plot) throw new Error('There is no handle.');
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width / 2 - plot.width / 8, place.y + place.height / 2, { steps: 5 });
  await expect(page.getByTestId('shift-words')).toHaveText(/^(29|30) min.* earlier$/);
  expect(await violationsIn(page)).toEqual([]);
  await page.mouse.up();
  dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'The clock was off by' })).toHaveValue(/^(29|30) min/);
  await expect(dialog.getByRole('radio', { name: 'Ahead' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // The same by keys.
  await handle.focus();
  for (let hour = 0; hour < 2; hour++) await page.keyboard.press('PageUp');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await expect(handle).toHaveAttribute('aria-valuetext', '1 h 59 min 1 s later');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'The clock was off by' })).toHaveValue('1 h 59 min 1 s');
  await expect(dialog.getByRole('radio', { name: 'Behind' })).toBeChecked();
});

test('what moved is marked where it was stored, and is deleted only as it was stored', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await correct(api, device, {
    kind: 'time',
    from: timeOf(0),
    to: timeOf(MINUTES),
    shift_us: 86_400_000_000,
  });
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await drag(page, 150 / (MINUTES - 1), 179.4 / (MINUTES - 1));
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await expect(bar).toContainText('2026-11-20');
  await expect(bar).toContainText('Show Raw to delete what was stored.');
  await expect(bar.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  const dialog = await correctSelection(page, 'Quality…');
  await expect(dialog.getByRole('textbox', { name: 'From (time as stored)' })).toHaveValue(/^2026-11-19/);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('door open');
  await dialog.getByRole('button', { name: 'Mark', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '4.9');
  await chooseView(page, 'Raw');
  await drag(page, 0.1, 0.2);
  await expect(bar.getByRole('button', { name: /^Delete 2\d…$/ })).toBeEnabled();
});

test('a device replaces another one, whose history goes before its own', async ({ page, api }) => {
  const device = await makeColdStore(api);
  const { data } = await api('POST', `/v2/projects/${device.project_id}/devices`, {
    body: { name: 'Cold store 2, new probe', source: 'http' },
  });
  const { metadata } = data as { metadata: { device_id: string; device_token: string } };
  const next = { ...device, device_id: metadata.device_id };
  await api('POST', '/integrations/http', {
    key: metadata.device_token,
    body: COLD.slice(0, 60).map(({ air }, minute) => ({ timestamp: timeOf(MINUTES + minute), air: air + 1 })),
  });
  await visitDevice(page, next);
  await expectChart(page, 60);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Replace device…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(dialog.getByRole('combobox', { name: 'Former device' })).toHaveAccessibleDescription(/before/);
  await dialog.getByRole('combobox', { name: 'Former device' }).fill('Cold');
  await page.getByRole('option', { name: 'Cold store 2', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Until' })).toHaveValue(/^2026-11-19 \d\d:59:00$/);
  await look(page, 'correct-replaced', THREE_SIZES);
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expectChart(page, MINUTES + 60);
  await expect(
    page.getByRole('button', { name: /^Replaced device: takes the place of “Cold store 2”/ }),
  ).toBeVisible();
  await chooseView(page, 'Raw');
  await expectChart(page, 60);
});

test('an export is of the corrected values unless somebody wants what was stored', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await page.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('radiogroup', { name: 'Values' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await correct(api, device, BAD);
  await expect(page.getByTestId('view-line')).toBeVisible();
  await page.getByRole('button', { name: 'Export…' }).click();
  const values = page.getByRole('radiogroup', { name: 'Values' });
  await expect(values.getByRole('radio', { name: 'Corrected' })).toBeChecked();
  await look(page, 'export-corrected', THREE_SIZES);
  await page.keyboard.press('Escape');
  for (const [choice, open] of [
    ['Corrected', 0],
    ['Raw, as stored', 30],
  ] as const) {
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Export…' }).click();
    await values.getByText(choice).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text.split('shut').length - 1, choice).toBe(MINUTES - 30);
    expect(text.split('open').length - 1, choice).toBe(open);
  }
});

test('a report says by what its numbers are corrected', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await correct(api, device, BAD);
  const address = `#/projects/${device.project_id}/devices/${device.device_id}/report`;
  await visit(page, address);
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('Corrected by 1 correction: Quality of all keys: bad: door open');
  await look(page, 'report-corrected', THREE_SIZES);
  await visit(page, `${address}?view=raw`);
  await expect(sheet).toContainText('As stored: 1 correction not applied');
});

test('a correction that the service refuses is said at its field', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device, 'corrections');
  await page.getByRole('button', { name: 'New correction' }).click();
  await page.getByRole('menuitem', { name: 'Calibrate…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Key' }).fill('air');
  await page.getByRole('option', { name: 'air', exact: true }).click();
  await dialog.getByRole('radiogroup', { name: 'Known by' }).getByText('Certificate').click();
  const table = dialog.getByRole('textbox', { name: 'Table of the certificate' });
  await table.fill('0 0\n10 20\n20 5');
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(table).toHaveAccessibleDescription(/only rise or only fall/);
  await table.fill('0 0\n10 20\n20 25');
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const { data } = await api('GET', correctionsPath(device));
  expect((data as { points: unknown }[])[0]?.points).toEqual([
    [0, 0],
    [10, 20],
    [20, 25],
  ]);
});
