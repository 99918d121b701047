import { expect, test } from '../../../app.ts';
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
import { expectChart, expectDone, makeDevice, store, visitDevice } from '../../../steps/steps.ts';

/* What is known better of a device's records than was stored, and how the app shows it. */

test('a device without corrections shows nothing of views, and is read once', async ({ page, api }) => {
  const device = await makeColdStore(api);
  const sent: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => void sent.push(payload.toString())),
  );
  await page.reload();
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '12');
  await expect(page.getByTestId('view-line')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Corrected spans' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Corrected/ })).toHaveCount(0);
  for (const id of ['chart.columns', 'devices.summary', 'corrections.list', 'statistics.get'])
    expect(sent.filter((frame) => frame.includes(`"${id}"`)).length, id).toBe(1);
});

test('an hour with the door open is marked as bad, and everything on the screen says so', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '12');
  await drag(page, 150 / (MINUTES - 1), 179.4 / (MINUTES - 1));
  const dialog = await correctSelection(page, 'Quality…');
  await dialog.getByRole('button', { name: 'Mark', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveAccessibleDescription(/1 to 500/);
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await dialog.getByRole('radiogroup', { name: 'Keys' }).getByText('All keys').click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('door open');
  await look(page, 'correct-quality', THREE_SIZES);
  await dialog.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toHaveCount(0);

  const line = page.getByTestId('view-line');
  await expect(line).toContainText('Corrected by 1 correction.');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '4.9');
  const band = page.getByRole('button', { name: /^Quality of all keys: bad: door open, 2026-11-19/ });
  await band.focus();
  await expect(page.getByRole('tooltip')).toContainText('bad: door open');
  await expect(
    page.getByRole('link', { name: /^Corrected: Quality of all keys: bad: door open/ }).first(),
  ).toBeVisible();
  await look(page, 'chart-corrected', THREE_SIZES);

  await chooseView(page, 'Raw');
  await expect(line).toContainText('As stored: 1 correction not applied.');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '12');
  await expect(page).toHaveURL(/view=raw/);
  await chooseView(page, 'Both');
  await expect(line).toContainText('pale behind, as stored');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '4.9');
  await look(page, 'chart-both', THREE_SIZES);
  await page.goBack();
  await expect(line).toHaveAttribute('data-view', 'raw');
  await page.goBack();
  await expect(line).toHaveAttribute('data-view', 'corrected');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '4.9');

  await page.keyboard.press('ControlOrMeta+z');
  await expect(line).toHaveCount(0);
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '12');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(line).toContainText('Corrected by 1 correction.');
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '4.9');
});

test('what another window corrects shows at once, in the chart, the keys and the list', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  await correct(api, device, {
    kind: 'calibration',
    key: 'air',
    points: [[4, 3.5]],
    reason: 'yearly calibration',
  });
  await expect(figureOf(page, 'air', 'max')).toHaveAttribute('data-exact', '11.5');
  await expect(figureOf(page, 'humidity', 'max')).toHaveAttribute('data-exact', '64');
  await expect(page.getByRole('link', { name: /^Corrected: Calibration of air: −0.5/ })).toHaveCount(1);
  await page.getByRole('tab', { name: 'Keys' }).click();
  const keys = page.getByRole('table', { name: 'Keys' });
  await expect(keys.getByRole('row', { name: /air/ })).toContainText('11.5');
  await chooseView(page, 'Raw');
  await expect(keys.getByRole('row', { name: /air/ })).toContainText('12');
  // What was stored is listed as it was stored, whatever the chart shows.
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByTestId('view-line')).toContainText('As stored: 1 correction not applied.');
  await page.getByRole('link', { name: 'Pharmacy' }).first().click();
  const list = page.getByRole('table', { name: 'Devices' });
  await expect(list).toContainText('4.4');
  await expect(list.getByRole('img', { name: /^Corrected/ })).toBeVisible();
});

test('corrections are listed, changed, removed and brought back, with what they were before', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device, 'corrections');
  await expect(page.getByText('No corrections')).toBeVisible();
  await look(page, 'corrections-empty', THREE_SIZES);
  await correct(api, device, BAD);
  await correct(api, device, {
    kind: 'calibration',
    key: 'air',
    points: [[4, 3.5]],
    reason: 'yearly calibration',
  });
  await correct(api, device, { kind: 'calibration', key: 'air', points: [[4, 3.6]], from: timeOf(60) });
  await correct(api, device, { kind: 'time', from: timeOf(0), to: timeOf(60), shift_us: -3_600_000_000 });
  const table = page.getByRole('table', { name: 'Corrections' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(table).toContainText('bad: door open');
  await expect(table).toContainText('clock 1 h ahead: moved back');
  await expect(table).toContainText('−0.5');
  await expect(table).toContainText('a newer one holds in its place in part');
  await look(page, 'corrections', THREE_SIZES);

  await page.getByRole('searchbox', { name: 'Search corrections' }).fill('door');
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('button', { name: /^Change Quality/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the quality' });
  await dialog.getByRole('radiogroup', { name: 'Mark as' }).getByText('Suspect').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(table).toContainText('suspect: door open');
  await table.getByRole('button', { name: /^Remove Quality/ }).click();
  await expect(page.getByText('No correction matches “door”.')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toHaveCount(1);
  await undo.click();
  await expect(table).toContainText('suspect: door open');

  await table.getByRole('button', { name: /^History of Quality/ }).click();
  const history = page.getByRole('table', { name: 'History of corrections' });
  await expect(history.getByRole('row')).toHaveCount(5);
  await expect(history.getByRole('row', { name: /Changed/ })).toContainText('bad: door open');
  await expect(history.getByRole('row', { name: /Changed/ })).toContainText('suspect: door open');
  await expect(history.getByRole('row', { name: /Removed/ })).toBeVisible();
  await expect(history.getByRole('row', { name: /Came back/ })).toBeVisible();
  await look(page, 'corrections-history', THREE_SIZES);
  await page.getByRole('button', { name: 'Show the history of all' }).click();
  await expect(history.getByRole('row')).toHaveCount(8);
});

test('a corrected span of every kind has its line above the axis, and says by keyboard what and why', async ({
  page,
  api,
}) => {
  const former = await makeColdStore(api);
  const device = await makeDevice(api, former.project_id, 'Cold store 3');
  const later = COLD.map((one, minute) => ({ ...one, timestamp: timeOf(MINUTES + minute) }));
  await store(api, device, later);
  const [from, to] = [timeOf(MINUTES + 60), timeOf(MINUTES + 90)];
  const kinds: readonly (readonly [object, string])[] = [
    [{ kind: 'quality', keys: null, quality: 'fail', from, to }, 'Quality of all keys: bad'],
    [{ kind: 'quality', keys: null, quality: 'test', from, to }, 'Quality of all keys: test'],
    [{ kind: 'quality', keys: null, quality: 'suspect', from, to }, 'Quality of all keys: suspect'],
    [{ kind: 'calibration', key: 'air', points: [[4, 3.5]], from, to }, 'Calibration of air: −0.5'],
    [{ kind: 'time', from, to, shift_us: 60e6 }, 'Clock: clock 1 min behind'],
    [{ kind: 'derived', key: 'twice', of: 'air * 2' }, 'Computed key: twice = air * 2'],
    [
      { kind: 'replaced', device_id: former.device_id, until: timeOf(MINUTES - 1) },
      'Replaced device: takes the place of “Cold store 2”',
    ],
  ];
  await visitDevice(page, device);
  const lines = page.getByRole('group', { name: 'Corrected spans' }).getByRole('button');
  for (const [correction, words] of kinds) {
    const { data } = await expectDone(
      api('POST', correctionsPath(device), { body: { ...correction, reason: 'seen on site' } }),
    );
    await expect(lines).toHaveCount(1);
    await expect(lines).toHaveAccessibleName(new RegExp(`^${words.replaceAll(/[*+.]/g, '\\$&')}`));
    await lines.focus();
    await expect(page.getByRole('tooltip')).toContainText(words);
    await expect(page.getByRole('tooltip')).toContainText('seen on site');
    // What is suspect is drawn, and marked over the plot.
    await expect(page.locator('[data-suspect]')).toHaveCount(words.endsWith('suspect') ? 1 : 0);
    await expectDone(api('DELETE', `${correctionsPath(device)}/${(data as { id: string }).id}`));
    await expect(lines).toHaveCount(0);
  }
});
