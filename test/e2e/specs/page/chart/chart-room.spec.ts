import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* Plots above one another share the window with the legend: each has a least height, and the legend is in sight. */

const START = Date.UTC(2026, 10, 17);
const RECORDS = 200;
const SIZES = [
  { width: 820, height: 600, least: 50 },
  { width: 1280, height: 800, least: 64 },
  { width: 1920, height: 1080, least: 64 },
];

/** Keys of unlike sizes, which need a plot each. */
async function showKeys(page: Page, api: Api, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, n) => `sensor_${String(n).padStart(3, '0')}`);
  const device = await makeDevice(api, await makeProject(api, 'Plant'), `PT-${count}`);
  await store(
    api,
    device,
    Array.from({ length: RECORDS }, (_, n) => ({
      timestamp: new Date(START + n * 60_000).toISOString(),
      ...Object.fromEntries(keys.map((key, at) => [key, (2 + Math.sin(n / 20 + at)) * 10 ** (at % 8)])),
    })),
  );
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  // Four are shown at first; more plots above one another are for who asks for them, eight at most.
  if (count !== 8) return;
  await visit(page, `#/projects/${device.project_id}/devices/${device.device_id}?keys=${keys.join(',')}`);
  await expect(page.locator('[data-pane]')).toHaveCount(8);
}

const legend = (page: Page) => page.getByTestId('chart-readout');

for (const count of [1, 2, 4, 8, 250])
  test(`of ${count} keys every plot has its least height at every size, and the legend is in sight`, async ({
    page,
    api,
  }) => {
    await showKeys(page, api, count);
    const rows = legend(page).locator('tbody tr');
    await expect(rows.first()).toBeVisible();
    const shown = count === 250 ? 4 : count;
    await expect(rows).toHaveCount(shown);
    const plots = page.locator('.u-over');
    // Two axes are enough for two.
    await expect(plots).toHaveCount(count === 2 ? 1 : shown);
    for (const { least, ...size } of SIZES) {
      await page.setViewportSize(size);
      await expect(async () => {
        const panes = await page
          .locator('[data-pane]')
          .evaluateAll((all) => all.map((pane) => pane.clientHeight));
        expect(Math.min(Infinity, ...panes)).toBeGreaterThanOrEqual(least);
        const boxes = await plots.evaluateAll((all) =>
          all.map((plot) => plot.getBoundingClientRect().toJSON() as DOMRect),
        );
        for (const { height } of boxes) expect(height).toBeGreaterThan(30);
        // A name stands above its plot: no line runs through it.
        for (const [place, plot] of boxes.entries()) {
          if (boxes.length === 1) break;
          const name = await page.locator('[data-pane-name]').nth(place).boundingBox();
          expect((name?.y ?? Infinity) + (name?.height ?? 0)).toBeLessThanOrEqual(plot.top + 1);
        }
      }).toPass();
      // Four lines of the legend, or all there are.
      await expect(legend(page).getByRole('button', { name: 'Figures', exact: true })).toBeInViewport({
        ratio: 1,
      });
      for (let n = 0; n < Math.min(4, shown); n++) await expect(rows.nth(n)).toBeInViewport({ ratio: 0.9 });
      // The page is not scrolled: the time below the last plot is in sight, however many there are.
      if (shown > 2) await expect(page.locator('[data-pane]').last()).toBeInViewport({ ratio: 0.99 });
      const frame = await page.getByRole('group', { name: /^Chart of/ }).boundingBox();
      const own = await legend(page).boundingBox();
      expect((frame?.y ?? 0) + (frame?.height ?? Infinity)).toBeLessThanOrEqual((own?.y ?? 0) + 1);
      expect((own?.y ?? 0) + (own?.height ?? Infinity)).toBeLessThanOrEqual(size.height);
    }
    await look(page, `chart-room-${count}`);
  });

const frameOf = (page: Page) => page.getByRole('group', { name: /^Chart of/ });

/** The names of the plots whose names are in sight. */
const inSight = (page: Page) =>
  frameOf(page).evaluate((frame) => {
    const { top } = frame.getBoundingClientRect();
    const last = [...frame.querySelectorAll('[data-pane]')].at(-1);
    const bottom = last?.getBoundingClientRect().top ?? 0;
    return [...frame.querySelectorAll('[data-pane-name]')].flatMap((name) => {
      const box = name.getBoundingClientRect();
      const isLast = last?.contains(name) === true;
      return box.top >= top - 1 && (isLast || box.bottom <= bottom + 1) ? [name.textContent] : [];
    });
  });

test('of eight plots in a low window the others are scrolled to, by keyboard, too, with the time in sight', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 820, height: 600 });
  await showKeys(page, api, 8);
  // The tabs are one line.
  const tabs = await page
    .getByRole('tab')
    .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tabs).size).toBe(1);
  await expect
    .poll(() => inSight(page))
    .toEqual(expect.arrayContaining(['sensor_000', 'sensor_001', 'sensor_007']));
  expect(await inSight(page)).not.toContain('sensor_006');
  await frameOf(page).focus();
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press('PageDown');
    await expect.poll(() => inSight(page)).toContain('sensor_007');
  }
  await expect.poll(() => inSight(page)).toContain('sensor_006');
  await expect(page.locator('[data-pane]').last()).toBeInViewport({ ratio: 0.99 });
  await expect(legend(page).locator('tbody tr').first()).toBeInViewport();

  // What is done with a selection stays in sight, over the uppermost plot that is.
  const plot = (await page.locator('.u-over').nth(6).boundingBox())!;
  const [x, y] = [plot.x + plot.width / 3, plot.y + plot.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await expect(bar).toBeInViewport({ ratio: 1 });
  await frameOf(page).press('PageUp');
  await frameOf(page).press('PageUp');
  await expect.poll(() => inSight(page)).toContain('sensor_000');
  await expect(bar).toBeInViewport({ ratio: 1 });
  // The wheel looks closer over a plot, and scrolls beside it.
  await page.mouse.move(plot.x + plot.width + 12, plot.y);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => inSight(page)).toContain('sensor_006');
});

test('plots above one another begin at the same place, whatever unit a key has, and its name says it', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant'), 'PT-1');
  const readings = Array.from({ length: RECORDS }, (_, n) => ({
    timestamp: new Date(START + n * 60_000).toISOString(),
    humidity: 50 + (n % 7),
    energy: 12_345_679_300 + n,
    temperature: 20 + (n % 9) / 10,
    voltage: 3.7 - n / 2000,
  }));
  await store(api, device, readings);
  const settings = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/key-settings`;
  await expectDone(api('PATCH', settings, { body: { key: 'temperature', unit: '°C' } }));
  await visitDevice(page, device);
  await expectChart(page, RECORDS);
  await expect(page.locator('[data-pane]')).toHaveCount(4);
  await expect(page.locator('[data-pane-name]', { hasText: 'temperature' })).toHaveText('temperature (°C)');
  const places = () =>
    page
      .locator('.u-over')
      .evaluateAll((all) =>
        all.map((plot) => [plot.clientWidth, Math.round(plot.getBoundingClientRect().left)].join()),
      );
  await expect.poll(async () => new Set(await places()).size).toBe(1);
  // With figures and strips below, the page is not scrolled at any size.
  for (const { least: _least, ...size } of SIZES) {
    await page.setViewportSize(size);
    await expect(legend(page).locator('tbody tr').last()).toBeInViewport({ ratio: 0.9 });
    await expect(page.locator('[data-pane]').last()).toBeInViewport({ ratio: 0.99 });
  }
});
