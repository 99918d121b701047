import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';
import {
  cancelOnSight,
  dragZoom,
  expectValue,
  expectWindow,
  FIRST_MS,
  leave,
  moveTo,
  paintedLines,
  pickRange,
  reading,
  shownStep,
  toggleKey,
} from '../../../steps/chart-steps.ts';

/* A chart of records that are all loaded; large-chart.spec.ts tells of longer ones. */

const RECORDS = 1_000;

/** Makes a press with RECORDS readings, and looks at their chart. */
async function showReadings(page: Page, api: Api): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(
    api,
    device,
    Array.from({ length: RECORDS }, (_, second) => reading(second)),
  );
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  return device;
}

test('keys are picked, values read under the cursor, time looked at closely, and new readings come in', async ({
  page,
  api,
}) => {
  const device = await showReadings(page, api);
  const readout = page.getByTestId('chart-readout');
  const reset = page.getByRole('button', { name: 'Reset' });
  const keys = page.getByRole('group', { name: 'Keys', exact: true });
  await expect(readout).toContainText('Newest: ');
  await expectValue(page, 'step', '999');
  await expectValue(page, 'pressure', /./);
  // Texts cannot be drawn, so they are not offered.
  await expect(keys.getByRole('checkbox')).toHaveCount(2);

  await toggleKey(page, 'pressure');
  await expect(keys.getByRole('checkbox', { name: 'pressure' })).not.toBeChecked();
  await expect(page.getByRole('group', { name: 'Chart of step over time' })).toBeVisible();
  await toggleKey(page, 'pressure');
  await expect(page.getByRole('group', { name: 'Chart of pressure, step over time' })).toBeVisible();
  await expectChart(page, RECORDS);

  await moveTo(page, 0.5);
  await expect.poll(async () => Math.abs((await shownStep(page)) - RECORDS / 2)).toBeLessThanOrEqual(2);
  const seen = await shownStep(page);
  await expectValue(page, 'pressure', String(reading(seen).pressure));
  await expect(readout).not.toContainText('Newest');
  await shot(page, 'chart-cursor');
  await expectWindow(page, 0, RECORDS - 1);

  await expect(reset).toHaveCount(0);
  await dragZoom(page, 0.25, 0.5);
  await expectWindow(page, 250, 500);
  await shot(page, 'chart-zoomed');
  await leave(page);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('+');
  await expectWindow(page, 312, 437);
  await leave(page);
  await page.keyboard.press('ArrowRight');
  await expectWindow(page, 337, 462);
  await leave(page);
  await page.keyboard.press('-');
  await expectWindow(page, 275, 525);
  await reset.click();
  await expect(reset).toBeDisabled();
  await expectWindow(page, 0, RECORDS - 1);

  await leave(page);
  await store(api, device, reading(RECORDS));
  await expectChart(page, RECORDS + 1);
  await expectValue(page, 'step', '1000');
  // A late record takes its place among the others.
  await store(api, device, { ...reading(10.5), step: 4_711 });
  await expectChart(page, RECORDS + 2);
  await expectValue(page, 'step', '1000');
  await expectWindow(page, 0, RECORDS);
});

test('a long load can be cancelled, and finished later', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const { project_id, device_id } = device;
  const records = 450_000;
  const lines = Array.from({ length: records }, (_, second) => `${FIRST_MS / 1000 + second},${second % 7}`);
  await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records`, {
      body: `time,bar\n${lines.join('\n')}`,
      type: 'text/csv',
    }),
  );
  await cancelOnSight(page);
  // As on a weak machine.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await visitDevice(page, device);
  const chart = page.getByTestId('chart');
  await expect(chart).toHaveAttribute('data-state', 'cancelled');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect(chart).toContainText(/Cancelled: the newest [\d,]+ records of 450,000 are shown\./);
  expect(Number(await chart.getAttribute('data-points'))).toBeLessThan(records);
  await shot(page, 'chart-cancelled');
  await page.getByRole('button', { name: 'Load all' }).click();
  await expectChart(page, records);
});

test('a chart that is empty says why, and what to do', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const { project_id, device_id } = device;
  const records = `/_local/v1/projects/${project_id}/devices/${device_id}/records`;
  const empty = page.getByTestId('chart-empty');
  await visitDevice(page, device);
  await expect(empty).toContainText('This device has never stored anything');
  await expect(empty.getByRole('button', { name: 'Import a recording' })).toBeVisible();

  // Texts are no lines: they are shown as what held when.
  await store(api, device, { timestamp: '2026-01-05T08:00:00Z', note: 'door open' });
  await expect(page.getByRole('slider', { name: 'note over time' })).toBeVisible();
  await shot(page, 'chart-empty-text');

  await store(api, device, reading(1));
  await expectChart(page, 2);
  await toggleKey(page, 'step');
  await toggleKey(page, 'pressure');
  await expect(empty).toContainText('No key is selected');
  await shot(page, 'chart-empty-no-key');
  await toggleKey(page, 'step');
  await expectChart(page, 2);

  await pickRange(page, 'Last hour');
  await expect(empty).toContainText('Nothing in range: last hour');
  await expect(empty.getByRole('time')).toHaveAttribute('datetime', '2026-01-05T08:00:01.000000Z');
  await shot(page, 'chart-empty-range');
  await empty.getByRole('button', { name: 'Show all time' }).click();
  await expectChart(page, 2);

  await expectDone(api('DELETE', `${records}?start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z`));
  await expect(empty).toContainText('No records left');
  await store(api, device, reading(2));
  await expectChart(page, 1);
  await expectDone(api('DELETE', `/v2/projects/${project_id}/devices/${device_id}/data`));
  await expect(empty).toContainText('The data was purged');
  await expect(empty.getByRole('time')).toBeVisible();
});

test('keys that come in turn are lines, and each says its own number', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const at = (second: number) => new Date(FIRST_MS + second * 1000).toISOString();
  const turns = Array.from({ length: 600 }, (_, second) => ({
    timestamp: at(second),
    ...(second % 2 === 0 ? { t: second } : { ...(second < 300 && { h: 900 - second }), x: 1 }),
  }));
  await store(api, device, turns);
  await visitDevice(page, device);
  await expectChart(page, 600);
  await expect.poll(() => paintedLines(page)).toHaveLength(3);
  const readout = page.getByTestId('chart-readout');
  await expectValue(page, 'h', '601');
  await expect(readout.locator('[data-line=h]')).toContainText('(5 min 0 s before)');
  await expectValue(page, 't', '598');
  await moveTo(page, 0.75);
  await expect(readout.locator('[data-line=h]')).toContainText(/\(2 min \d+ s before\)/);
  await expectValue(page, 'h', '601');
  await shot(page, 'chart-in-turn');
});

test('records far from all others are left out and said, until all are asked for', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const near = Array.from({ length: 500 }, (_, second) => reading(second));
  const far = ['1970-01-01T12:00:00Z', '2099-12-31T12:00:00Z'].map((timestamp) => ({
    timestamp,
    step: 7,
    pressure: 1,
  }));
  await store(api, device, [...near, ...far]);
  await visitDevice(page, device);
  await expectChart(page, 500);
  const said = page.getByTestId('chart-far');
  await expect(said).toContainText('2 records lie far outside (1970-01-01, 2099-12-31).');
  await expect(page.getByTestId('chart-readout')).toContainText('Newest: 2026-01-05 ');
  await expectValue(page, 'step', '499');
  await shot(page, 'chart-far-off');
  await said.getByRole('button', { name: 'Show all' }).click();
  await expectChart(page, 502);
  await expect.poll(() => paintedLines(page)).toHaveLength(2);
  await expect(said).toContainText('All others are of 2026-01-05.');
  await shot(page, 'chart-far-off-all');
  // A range ends now, whatever lies after it.
  await pickRange(page, 'Last 24 hours');
  await expect(page.getByTestId('chart-empty')).toContainText('Nothing in range: last 24 hours');
});

test('what a chart shows is in its address: another tab, the way back, a reload and a link bring it back', async ({
  page,
  api,
}) => {
  const device = await showReadings(page, api);
  const asLeft = async () => {
    await expectChart(page, RECORDS);
    await expect(page.getByRole('group', { name: 'Chart of pressure over time' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reset' })).toBeEnabled();
    await expectWindow(page, 250, 500);
    await leave(page);
  };
  await toggleKey(page, 'step');
  await dragZoom(page, 0.25, 0.5);
  await leave(page);
  await asLeft();

  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await asLeft();
  // Only the tabs are steps to go back.
  await page.goBack();
  await expect(page.getByRole('table')).toBeVisible();
  await page.goBack();
  await asLeft();
  await page.goForward();
  await page.goForward();
  await asLeft();
  const address = /\?keys=pressure,step&hidden=step&from=2026-01-05T08:04:.*&to=2026-01-05T08:08:/;
  await expect(page).toHaveURL(address);
  await visit(page, '#/');
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
  await page.goBack();
  await asLeft();
  await expect(page).toHaveURL(address);
  await page.reload();
  await asLeft();
  await visit(page, `#/projects/${device.project_id}/devices/${device.device_id}?keys=nothing&range=never`);
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await expectValue(page, 'pressure', /./);
  await expectValue(page, 'step', /./);
});
