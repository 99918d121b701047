import { expect, shot, test } from '../../../app.ts';
import {
  dragZoom,
  expectWindow,
  FIRST_MS,
  leave,
  moveTo,
  openMore,
  pickRange,
  reading,
  showReadings,
  viewOf,
} from '../../../steps/chart-steps.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* Ways to look closer and farther, in time and in value. */

const RECORDS = 1_000;

test('the wheel looks closer at what is under it, and along with Shift', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const width = async () => {
    const { x } = await viewOf(page);
    return x[1] - x[0];
  };
  await moveTo(page, 0.25);
  await page.mouse.wheel(0, -100);
  await page.mouse.wheel(0, -100);
  await expect.poll(width).toBeLessThan(RECORDS * 0.7);
  const { x } = await viewOf(page);
  // What was under the pointer still is.
  expect(Math.abs(x[0] + (x[1] - x[0]) * 0.25 - 250)).toBeLessThan(3);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 200);
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await viewOf(page)).x[0]).toBeGreaterThan(x[0] + 20);
  for (let n = 0; n < 8; n++) await page.mouse.wheel(0, 100);
  await expect.poll(width).toBe(RECORDS - 1);
});

test('zooms are walked back and forward, by buttons, keys and double click', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  const back = page.getByRole('button', { name: /^Back to the view before/ });
  const forward = page.getByRole('button', { name: 'Forward again' });
  await expect(back).toHaveCount(0);
  await dragZoom(page, 0.25, 0.75);
  await expectWindow(page, 250, 750);
  await dragZoom(page, 0.5, 0.75);
  await expectWindow(page, 500, 625);
  await back.click();
  await expectWindow(page, 250, 750);
  await forward.click();
  await expectWindow(page, 500, 625);
  await leave(page);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('Backspace');
  await expectWindow(page, 250, 750);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expectWindow(page, 500, 625);
  await page.locator('.u-over').dblclick();
  await expectWindow(page, 250, 750);
  await page.getByRole('button', { name: /^Zoom out/ }).click();
  await expectWindow(page, 0, RECORDS - 1);
});

test('a span is asked for as people say it, wrong ones say what is taken, and UTC counts everywhere', async ({
  page,
  api,
}) => {
  const device = await showReadings(page, api, RECORDS);
  const range = page.getByRole('button', { name: /^Range: / });
  const menu = page.getByRole('dialog', { name: 'Range' });
  await range.click();
  await menu.getByRole('button', { name: 'Show UTC' }).click();
  await expect(page.getByTestId('chart-readout')).toContainText('Newest: 2026-01-05 08:16:39 UTC');
  await expect(page.getByTestId('chart-readout')).not.toContainText('UTC+');
  await expect(page).toHaveURL(/zone=utc/);
  const [from, to] = [menu.getByLabel('From'), menu.getByLabel('To')];
  await expect(from).toHaveValue('2026-01-05 08:00:00');
  await from.fill('noonish');
  await from.press('Enter');
  await expect(menu).toContainText('Takes a date (2026-11-19)');
  await from.fill('2026-01-05 08:05');
  await to.fill('2026-01-05 08:04');
  await to.press('Enter');
  await expect(menu).toContainText('Must lie after 2026-01-05 08:05:00.');
  await shot(page, 'chart-range-menu');
  await to.fill('2026-01-05 08:10:00');
  await to.press('Enter');
  await expect(menu).toHaveCount(0);
  await expectWindow(page, 300, 600);
  await page.getByRole('button', { name: 'As much time after' }).click();
  await expectWindow(page, 600, 900);
  await page.getByRole('button', { name: 'As much time before' }).click();
  await expectWindow(page, 300, 600);

  await range.click();
  await from.fill('-90m');
  await to.fill('now');
  await to.press('Enter');
  await expect(page.getByTestId('chart-empty')).toContainText('Nothing in range: last 90 minutes');
  await expect(page).toHaveURL(/range=90m/);
  await store(api, device, { step: 1, pressure: 2 });
  await expectChart(page, 1);
  await page.getByRole('tab', { name: 'Table' }).click();
  const table = page.getByRole('table', { name: 'Records' });
  await expect(table.getByRole('columnheader').first()).toHaveText('Time (UTC)');
  await table.getByRole('button', { name: 'Time (UTC)' }).click();
  await expect(page).not.toHaveURL(/zone=utc/);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await pickRange(page, 'All time');
  // The newest lies far from all others by now.
  await expectChart(page, RECORDS);
});

test('outliers leave the rest its height, are marked, and can be seen', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const records = Array.from({ length: 2_000 }, (_, second) => ({
    timestamp: new Date(FIRST_MS + second * 1000).toISOString(),
    temperature: second > 990 && second < 1_000 ? 999 : 20 + Math.sin(second / 50),
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 2_000);
  const high = async () => (await viewOf(page)).y[0]?.[1] ?? 0;
  await expect(page.getByTestId('chart-cut')).toContainText('Outliers lie beyond the axis');
  await expect.poll(high).toBeLessThan(30);
  await shot(page, 'chart-outliers');
  await page.getByTestId('chart-cut').getByRole('button', { name: 'Show all' }).click();
  await expect.poll(high).toBeGreaterThan(999);
  await expect(page).toHaveURL(/y=fit/);

  const menu = page.getByRole('dialog', { name: /value axes/ });
  const y = page.getByRole('button', { name: /value axes/ });
  await expect(y).toHaveText('y: Fit');
  await y.click();
  await menu.getByRole('radio', { name: 'From 0' }).click();
  await expect.poll(async () => (await viewOf(page)).y[0]?.[0]).toBe(0);
  await menu.getByRole('textbox', { name: /from$/ }).fill('30');
  await menu.getByRole('textbox', { name: /to$/ }).fill('10');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('alert')).toHaveText('Takes two numbers, the smaller one first.');
  await menu.getByRole('textbox', { name: /from$/ }).fill('10');
  await menu.getByRole('textbox', { name: /to$/ }).fill('30');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await viewOf(page)).y[0]).toEqual([10, 30]);
  await expect(page).toHaveURL(/axes=10%3A30%3Aleft|axes=10:30:left/);
  await page.keyboard.press('Escape');
  await page.reload();
  await expectChart(page, 2_000);
  await expect.poll(async () => (await viewOf(page)).y[0]).toEqual([10, 30]);

  // The wheel over the axis looks closer at it; a double click on it lets it go.
  const plot = await page.locator('.u-over').boundingBox();
  if (!plot) throw new Error('There is no plot.');
  await page.mouse.move(plot.x - 30, plot.y + plot.height / 2);
  await page.mouse.wheel(0, -100);
  await expect.poll(async () => (await viewOf(page)).y[0]?.map(Math.round)).toEqual([12, 28]);
  await page.mouse.dblclick(plot.x - 30, plot.y + plot.height / 2);
  await expect.poll(async () => (await viewOf(page)).y[0]?.[0]).toBe(0);
});

test('stacked plots share one time and have an axis each', async ({ page, api }) => {
  await showReadings(page, api, RECORDS);
  await openMore(page, 'Stacked');
  await expect(page.locator('[data-pane]')).toHaveCount(2);
  await expect(page).toHaveURL(/stacked=1/);
  const views = async () =>
    page.locator('[data-view]').evaluateAll((frames) =>
      frames.map(
        (frame) =>
          JSON.parse((frame as HTMLElement).dataset['view'] ?? '') as {
            bbox: { left: number; width: number };
            x: number[];
            y: number[][];
          },
      ),
    );
  // They are drawn one after the other.
  await expect(async () => {
    const [upper, lower] = await views();
    expect(upper?.x).toEqual(lower?.x);
    expect(upper?.bbox.left).toBe(lower?.bbox.left);
    expect(upper?.bbox.width).toBe(lower?.bbox.width);
    expect(upper?.y).not.toEqual(lower?.y);
  }).toPass();
  await page.locator('[data-pane=step] .u-over').hover();
  // The cursor stands in both.
  await expect(page.locator('[data-cursor]')).toHaveCount(2);
  await shot(page, 'chart-stacked');
});

test('the plot stays where it is while one zooms and is told of new records', async ({ page, api }) => {
  const device = await showReadings(page, api, RECORDS);
  const toolbar = page.getByRole('toolbar', { name: 'Chart' });
  let width = 0;
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1440, height: 900 },
    { width: 1920, height: 1080 },
    { width: 1000, height: 700 },
  ]) {
    await page.setViewportSize(size);
    const place = () => page.locator('.u-over').boundingBox();
    // A busy page draws its plot anew some time after its window has another size.
    await expect.poll(async () => (await place())?.width ?? width).not.toBe(width);
    width = (await place())?.width ?? 0;
    // What stands below may still be coming.
    await expect(page.getByTestId('states')).toHaveAttribute('data-strips', '1');
    await expect(page.getByRole('table', { name: 'Lines of the chart' })).toContainText('mean');
    const before = await place();
    await page.getByRole('group', { name: /^Chart of/ }).focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowLeft');
    await expect(toolbar.getByRole('button', { name: /^Range: 2026/ })).toBeVisible();
    await store(api, device, [reading(RECORDS + size.width)]);
    await expect(toolbar.getByRole('button', { name: /new record/ })).toBeVisible();
    expect(await place(), `${size.width} px`).toEqual(before);
    if (size.width === 1280) await shot(page, 'chart-zoomed');
    await toolbar.getByRole('button', { name: 'Reset' }).click();
    await expect(toolbar.getByRole('button', { name: 'Range: All time' })).toBeVisible();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  // Nothing has to be scrolled to where there is room for words.
  expect(await toolbar.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBeLessThanOrEqual(0);
});
