import { expect, shot, test } from '../../../app.ts';
import {
  expectValue,
  FIRST_MS,
  leave,
  moveTo,
  showReadings,
  tickFigures,
} from '../../../steps/chart-steps.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* One legend: control, readout and figures. */

const RECORDS = 1_000;

test('a click hides a line, a double click or Shift Enter shows it alone, and the address has it', async ({
  page,
  api,
}) => {
  await showReadings(page, api, RECORDS);
  const keys = page.getByRole('group', { name: 'Keys', exact: true });
  const [step, pressure] = ['step', 'pressure'].map((name) => keys.getByRole('checkbox', { name }));
  await step?.click();
  await expect(step!).not.toBeChecked();
  await expect(page).toHaveURL(/hidden=step/);
  await step?.press('Space');
  await expect(step!).toBeChecked();
  await pressure?.dblclick();
  await expect(step!).not.toBeChecked();
  await expect(pressure!).toBeChecked();
  await pressure?.dblclick();
  await expect(step!).toBeChecked();
  await step?.press('Shift+Enter');
  await expect(pressure!).not.toBeChecked();
  await expect(page.getByRole('group', { name: /^Chart of step over time/ })).toBeVisible();
});

test('the pointer over the plot moves no figure of the legend', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  const start = Date.UTC(2026, 10, 19, 18);
  await store(
    api,
    device,
    Array.from({ length: 60 }, (_, n) => ({ timestamp: start + n * 60_000, t1: n % 10 })),
  );
  await visitDevice(page, device);
  await expectChart(page, 60);
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await leave(page);
  await expect(header('newest')).toBeVisible();
  // Figures that are still to come make their columns wider.
  await expect(page.locator('[data-line=t1] [data-figure=max]')).toHaveText('9');
  const place = await header('max').boundingBox();
  await page.getByRole('group', { name: /^Chart of/ }).hover();
  await expect(header('at cursor')).toBeVisible();
  expect(await header('max').boundingBox()).toEqual(place);
});

test('lines are put in order by drag or by Alt and arrows, and the address has it', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const keys = page.getByRole('group', { name: 'Keys', exact: true });
  const names = () => keys.getByRole('checkbox').allTextContents();
  const before = await names();
  expect(before.length).toBeGreaterThan(1);
  const [first, second, ...others] = before;
  const line = (name: string) => keys.getByRole('checkbox', { name });
  await line(first!).press('Alt+ArrowDown');
  await expect.poll(names).toEqual([second, first, ...others]);
  await expect(line(first!)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`keys=${second}(,|%2C)${first}`));
  await line(first!).dragTo(line(second!));
  await expect.poll(names).toEqual(before);
  await expect(line(first!)).toBeChecked();
  await expect(page).toHaveURL(new RegExp(`keys=${first}(,|%2C)${second}`));
  await page.reload();
  await expect.poll(names).toEqual(before);
});

test('the figures of the span are those of its numbers, and follow the window', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const figure = (name: string) => page.locator(`[data-line=step] [data-figure=${name}]`);
  await tickFigures(page, 'n', 'rate');
  await expect(figure('n')).toHaveText('1,000');
  await expect(figure('min')).toHaveText('0');
  await expect(figure('max')).toHaveText('999');
  await expect(figure('mean')).toHaveAttribute('data-exact', '499.5');
  await expect(figure('gaps')).toHaveText('0');
  await expect(figure('rate')).toHaveText('1 /s');
  await page.evaluate(
    ([from, to]) => (location.hash = `${location.hash.split('?')[0]}?from=${from}&to=${to}`),
    [100, 199].map((second) => new Date(FIRST_MS + second * 1000).toISOString()),
  );
  await expect(figure('n')).toHaveText('100');
  await expect(figure('mean')).toHaveAttribute('data-exact', '149.5');
  await shot(page, 'chart-legend');
});

test('the cursor goes from record to record by keys and speaks; marks tell what lies between', async ({
  page,
  api,
}) => {
  await showReadings(page, api, RECORDS);
  const group = page.getByRole('group', { name: /^Chart of/ });
  await leave(page);
  await group.focus();
  await page.keyboard.press('Home');
  await expectValue(page, 'step', '0');
  for (let n = 0; n < 3; n++) await page.keyboard.press('.');
  await expectValue(page, 'step', '3');
  await expect(page.getByTestId('spoken')).toHaveText(/08:00:03.*step 3/);
  await page.keyboard.press('a');
  for (let n = 0; n < 10; n++) await page.keyboard.press('.');
  await page.keyboard.press(',');
  await page.keyboard.press('b');
  await expectValue(page, 'step', '12');
  await expect(page.getByTestId('chart-marks')).toContainText('Δt 9 s');
  await expect(page.locator('[data-line=step]')).toContainText('+9');
  await expect(page.locator('[data-mark]')).toHaveCount(2);
  await expect(page).toHaveURL(/a=2026-01-05T08:00:03.*&b=2026-01-05T08:00:12/);
  await shot(page, 'chart-marks');
  await page.keyboard.press('s');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('10 records');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await expectValue(page, 'step', '999');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('chart-readout')).toContainText('Newest');
  await page.getByRole('button', { name: 'Clear marks' }).click();
  await expect(page.locator('[data-mark]')).toHaveCount(0);
});

test('numbers are read as far as the axis goes, and are exact where they are pointed at', async ({
  page,
  api,
}) => {
  await showReadings(page, api, RECORDS);
  await moveTo(page, 0.5);
  // The plot may still grow or shrink under the mouse: all of it is read at one moment.
  await expect(async () => {
    const [step, exact, text] = await page.getByTestId('chart-readout').evaluate((legend) => {
      const read = (key: string) => legend.querySelector(`[data-line=${key}] [data-testid=value]`);
      const pressure = read('pressure');
      return [read('step')?.textContent, pressure?.getAttribute('title'), pressure?.textContent];
    });
    expect(Number(exact)).toBe(4 + Math.sin(Number(step) / 40));
    expect(text?.length).toBeLessThan(8);
    expect(Math.abs(Number(text) - Number(exact))).toBeLessThan(0.01);
  }).toPass();
});

test('of 300 keys those that vary are shown first; others are searched, and remembered', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const records = Array.from({ length: 50 }, (_, second) => ({
    timestamp: new Date(FIRST_MS + second * 1000).toISOString(),
    ...Object.fromEntries(Array.from({ length: 250 }, (_unused, n) => [`a_constant_${n}`, n])),
    oil_temperature: 20 + second,
    zz_speed: Math.sin(second) * 10,
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 50);
  const keys = page.getByRole('group', { name: 'Keys', exact: true });
  await expect(keys.getByRole('checkbox', { name: 'zz_speed' })).toBeVisible();
  await expect(keys.getByRole('checkbox', { name: 'oil_temperature' })).toBeVisible();
  await page.getByRole('button', { name: /^\+ \d+ more…$/ }).click();
  const all = page.getByRole('dialog', { name: /more…$/ });
  const search = all.getByRole('textbox', { name: 'Search keys' });
  await search.fill('constant_12');
  await search.press('Enter');
  await expect(all.getByRole('checkbox', { name: 'a_constant_12', exact: true })).not.toBeChecked();
  await search.fill('constant_123');
  await search.press('Enter');
  await expect(all.getByRole('checkbox', { name: 'a_constant_123' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(keys.getByRole('checkbox', { name: 'a_constant_123' })).toBeVisible();
  await shot(page, 'chart-many-keys');
  await visitDevice(page, device);
  await expect(keys.getByRole('checkbox', { name: 'a_constant_123' })).toBeVisible();
});
