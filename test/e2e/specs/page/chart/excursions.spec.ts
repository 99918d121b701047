import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import type { Api } from '../../../api.ts';
import { look } from '../../../look.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';

/* When a value lay outside of its normal range, and when nobody measured: below the chart, on a tab, in a file. */

const START = Date.UTC(2026, 0, 5, 8);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
/** The clock on this machine's wall. Swedes write times so. */
const clock = (minute: number) =>
  new Date(START + minute * 60_000).toLocaleTimeString('sv-SE', { timeStyle: 'short' });

/** Ten hours of a cold store, a reading a minute: the door open for half an hour, and a logger that was silent for an hour. */
async function makeColdStore(api: Api): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Kitchen'), 'Cold store');
  const minutes = Array.from({ length: 600 }, (_, minute) => minute);
  await store(
    api,
    device,
    minutes
      .filter((minute) => minute < 300 || minute >= 360)
      .map((minute) => ({
        timestamp: at(minute),
        air: minute >= 200 && minute < 230 ? 9 + (minute === 215 ? 2.5 : 0) : 5,
        core: 3 + (minute % 7) / 10,
        humidity: 60,
      })),
  );
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/key-settings`;
  const limits = { low: 2, high: 8, unit: '°C', longest_gap_s: 300 };
  await expectDone(api('PATCH', path, { body: { key: 'air', shown_as: 'Air', ...limits } }));
  await expectDone(api('PATCH', path, { body: { key: 'core', ...limits } }));
  return device;
}

const strip = (page: Page, key: string) =>
  page.getByTestId('excursions').locator(`[data-testid="state-strip"][data-key="${key}"]`);

test('below the chart a strip says when a value lay outside of its range, and when nobody measured', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await expectChart(page, 540);
  await expect(page.getByTestId('excursions')).toHaveAttribute('data-strips', '2');
  await expect(strip(page, 'air').getByTestId('state-share')).toHaveText(
    '1 excursion, 30 min outside · 1 h 1 min not measured',
  );
  await expect(strip(page, 'core').getByTestId('state-share')).toHaveText(
    'in range · 1 h 1 min not measured',
  );
  const slider = page.getByRole('slider', { name: 'Air against its normal range over time' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', `in range, ${clock(0)}–${clock(200)}, 3 h 20 min`);
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', `above, ${clock(200)}–${clock(230)}, 30 min 0 s`);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    `not measured, ${clock(299)}–${clock(360)}, 1 h 1 min`,
  );
  await look(page, 'chart-excursions');
  // A range that is set otherwise is judged anew.
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/key-settings`;
  await expectDone(api('PATCH', path, { body: { key: 'air', high: 10 } }));
  await expect(strip(page, 'air').getByTestId('state-share')).toHaveText(/^1 excursion, 1 min outside/);
  await expectDone(api('PATCH', path, { body: { key: 'air', low: null, high: null } }));
  await expect(strip(page, 'air')).toHaveCount(0);
});

test('a tab lists them, leads to the chart and saves them as CSV', async ({ page, api }) => {
  const device = await makeColdStore(api);
  await visitDevice(page, device);
  await page.getByRole('tab', { name: 'Excursions' }).click();
  const keys = page.getByRole('navigation', { name: 'Keys with a normal range' });
  await expect(keys.getByRole('link')).toHaveText([/Air.*1 excursion, 1 gap/, /core.*1 gap/]);
  const table = page.getByRole('table', { name: 'Excursions of Air' });
  await expect(table.getByRole('row')).toHaveCount(3);
  const warm = table.getByRole('row', { name: /above/ });
  await expect(warm).toContainText('30 min');
  await expect(warm).toContainText('11.5\u00A0°C');
  await expect(table.getByRole('row', { name: /not measured/ })).toContainText('1 h 1 min');
  const region = page.getByRole('region', { name: 'Excursions of Air' });
  await expect(region).toContainText('In range8 h 28 min (84.8 %)');
  await expect(region).toContainText('Outside30 min (5.0 %)');
  await expect(region).toContainText('Not measured1 h 1 min (10.2 %)');
  await expect(region).toContainText('The normal range is 2 to 8 °C.');
  await look(page, 'device-excursions');

  const saving = page.waitForEvent('download');
  await region.getByRole('button', { name: 'Save as CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('Cold store_air_2026-01-05_excursions.csv');
  const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
  expect(lines[1]).toMatch(/^"air",above,.*,PT30M,11\.5,/);
  expect(lines[2]).toMatch(/^"air",not measured,.*,PT1H1M,,$/);

  await warm.getByRole('link').click();
  await expect(page.getByRole('tab', { name: 'Chart' })).toHaveAttribute('aria-selected', 'true');
  await expect(strip(page, 'air').getByTestId('state-share')).toHaveText('1 excursion, 30 min outside');
  // Of the span of the chart, until all records are asked for.
  await page.getByRole('tab', { name: 'Excursions' }).click();
  await expect(keys.getByRole('link')).toHaveText([/Air.*1 excursion$/, /core.*none/]);
  await page.getByRole('link', { name: 'All records' }).click();
  await expect(keys.getByRole('link')).toHaveText([/Air.*1 excursion, 1 gap/, /core.*1 gap/]);
  await keys.getByRole('link', { name: /core/ }).click();
  await expect(page.getByRole('table', { name: 'Excursions of core' }).getByRole('row')).toHaveCount(2);
});

test('what came since is looked at again up to now, where the range moves on', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Kitchen'), 'Cold store');
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await store(
    api,
    device,
    [30, 20, 10].map((minutes) => ({ timestamp: ago(minutes), air: 5 })),
  );
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/key-settings`;
  await expectDone(api('PATCH', path, { body: { key: 'air', low: 2, high: 8 } }));
  await visitDevice(page, device, 'excursions?range=1h');
  const keys = page.getByRole('navigation', { name: 'Keys with a normal range' });
  await expect(keys.getByRole('link')).toHaveText(/^air.*gaps?$/);
  await store(api, device, { timestamp: ago(0), air: 9 });
  await keys.getByRole('button', { name: 'Records came since: look again' }).click();
  await expect(keys.getByRole('link')).toHaveText(/air.*1 excursion/);
});

test('without a normal range it says where one is set', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Kitchen'), 'Scale');
  await visitDevice(page, device, 'excursions');
  await expect(page.getByRole('heading', { name: 'No records' })).toBeVisible();
  await store(api, device, { timestamp: at(0), weight: 4 });
  await expect(page.getByRole('heading', { name: 'No key has a normal range' })).toBeVisible();
  await shot(page, 'device-excursions-none');
  await page.getByRole('link', { name: 'Set one on Keys' }).click();
  await expect(page.getByRole('table', { name: 'Keys' })).toBeVisible();
});
