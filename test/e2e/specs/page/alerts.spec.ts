import type { Page } from '@playwright/test';
import { expect, test } from '../../app.ts';
import type { Api } from '../../api.ts';
import { look } from '../../look.ts';
import { expectDone, makeDevice, makeProject, store, visit, type MadeDevice } from '../../steps/steps.ts';

/* What changed while somebody worked elsewhere: late devices, and values outside of their normal range. */

const local = ({ project_id, device_id }: MadeDevice) =>
  `/_local/v1/projects/${project_id}/devices/${device_id}`;

const setRange = (api: Api, device: MadeDevice, settings: object) =>
  expectDone(api('PATCH', `${local(device)}/key-settings`, { body: { key: 'temperature', ...settings } }));

/** A change of a device is heard of at once; readings else come every 10 s. */
const update = (api: Api, device: MadeDevice, body: object) =>
  expectDone(api('PATCH', local(device), { body }));

const counter = (page: Page) => page.getByRole('button', { name: /^Alerts: / });
const list = (page: Page, name: 'Changed since you last looked' | 'As it was then') =>
  page.getByRole('dialog', { name: 'Alerts' }).getByRole('list', { name });

test('what becomes late or leaves its range is counted, listed with its time, and leads to the chart', async ({
  page,
  api,
}) => {
  await expect(counter(page)).toHaveAccessibleName('Alerts: nothing late or outside');
  const hall = await makeProject(api, 'Machine hall');
  const boiler = await makeDevice(api, hall, 'Boiler 3');
  const pump = await makeDevice(api, await makeProject(api, 'Roof'), 'Pump');
  await store(api, boiler, { timestamp: '2026-03-02T08:00:00Z', temperature: 31.5 });
  await store(api, pump, { bar: 4 });
  await setRange(api, boiler, { low: 10, high: 30, unit: '°C' });
  await expect(counter(page)).toHaveAccessibleName('Alerts: 1 outside, 1 new since you last looked');
  // By key, from wherever one is.
  await page.keyboard.press('w');
  const changed = list(page, 'Changed since you last looked');
  await expect(changed.getByRole('listitem')).toHaveText([
    /Boiler 3 Machine hall.*temperature 31\.5.°C, outside its normal range, 10 to 30.°C/,
  ]);
  // It comes in while it is open.
  await update(api, pump, { interval_s: 0.001 });
  await expect(changed.getByRole('listitem')).toHaveCount(2);
  await expect(changed.getByRole('listitem').filter({ hasText: 'Pump' })).toHaveText(
    /Pump Roof.*Late: nothing for more than 0\.002 s.*since \d\d:\d\d:\d\d/,
  );
  await look(page, 'alerts');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(counter(page)).toHaveAccessibleName('Alerts: 1 late, 1 outside');

  await update(api, pump, { interval_s: null });
  await store(api, boiler, { temperature: 21 });
  await update(api, boiler, { description: 'by the wall' });
  await expect(counter(page)).toHaveAccessibleName(
    'Alerts: nothing late or outside, 2 new since you last looked',
  );
  await setRange(api, boiler, { high: 20 });
  await expect(counter(page)).toHaveAccessibleName('Alerts: 1 outside, 2 new since you last looked');
  await counter(page).press('Enter');
  await expect(changed.getByRole('listitem').filter({ hasText: 'Pump' })).toContainText(
    'Sends again, was late',
  );
  const row = changed.getByRole('link', { name: /Boiler 3/ });
  await expect(changed.getByRole('link').first()).toBeFocused();
  await expect(row).toContainText(
    'temperature 21 °C, outside its normal range, 10 to 20 °C · changed 2 times',
  );
  await row.press('Enter');
  await expect(page).toHaveURL(new RegExp(`devices/${boiler.device_id}\\?keys=temperature&from=.*&to=`));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByTestId('chart')).toHaveAttribute('data-state', 'ready');
  await expect(counter(page)).toHaveAccessibleName('Alerts: 1 outside');
  await counter(page).click();
  await expect(changed).toHaveCount(0);
  await expect(list(page, 'As it was then').getByRole('listitem')).toHaveText([/Boiler 3/]);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(counter(page)).toBeFocused();
});

test('what is otherwise than when somebody looked is told by the next window, and what is gone is not', async ({
  page,
  api,
  host,
}) => {
  test.skip(host !== 'console', 'only a browser has several windows with one memory');
  await expect(counter(page)).toHaveAccessibleName('Alerts: nothing late or outside');
  const hall = await makeProject(api, 'Machine hall');
  const boiler = await makeDevice(api, hall, 'Boiler 3');
  const spare = await makeDevice(api, hall, 'Spare');
  for (const device of [boiler, spare]) {
    await store(api, device, { temperature: 31.5 });
    await setRange(api, device, { high: 30 });
  }
  await expect(counter(page)).toHaveAccessibleName(/^Alerts: 2 outside,/);
  await page.keyboard.press('w');
  await page.keyboard.press('Escape');
  await expect(counter(page)).toHaveAccessibleName('Alerts: 2 outside');
  // The page leads nowhere that listens.
  const address = page.url();
  await page.goto('about:blank');
  await store(api, boiler, { temperature: 25 });
  await expectDone(api('DELETE', local(spare)));
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(counter(other)).toHaveAccessibleName(
    'Alerts: nothing late or outside, 1 new since you last looked',
  );
  await other.keyboard.press('w');
  await expect(list(other, 'Changed since you last looked').getByRole('listitem')).toHaveText([
    /Boiler 3.*temperature 25, back in its normal range, up to 30/,
  ]);
  // Another window has not looked before it does; loading it again loses nothing.
  await other.reload();
  await expect(counter(other)).toHaveAccessibleName(/1 new since you last looked$/);
  await other.close();
  await page.goto(address);
});

test('a counter of thousands and long names fit a small window', async ({ page, api }) => {
  await expect(counter(page)).toHaveAccessibleName('Alerts: nothing late or outside');
  await page.setViewportSize({ width: 820, height: 600 });
  const hall = await makeProject(api, 'Prüfstand für Wärmepumpen, Halle 2, Erdgeschoss links');
  for (const name of ['PT-106-Vorlauftemperatur-Sekundärkreis-Nord-Reserve', 'B']) {
    const device = await makeDevice(api, hall, name);
    await store(api, device, { temperature: -12345.678 });
    await setRange(api, device, {
      low: 10,
      high: 30,
      unit: '°C',
      shown_as: 'Vorlauf Sekundärkreis Nord (Reserve)',
    });
  }
  await visit(page, `#/projects/${hall}`);
  await expect(counter(page).getByText('2 new')).toBeVisible();
  await expect(counter(page).getByText('2 outside')).toBeHidden();
  const header = page.getByRole('banner');
  expect(await header.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBeLessThanOrEqual(0);
  await page.keyboard.press('w');
  await expect(list(page, 'Changed since you last looked').getByRole('listitem')).toHaveCount(2);
  await look(page, 'alerts-narrow');
});
