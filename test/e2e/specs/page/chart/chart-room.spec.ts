import type { Page } from '@playwright/test';
import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { expectChart, makeDevice, makeProject, store, visit, visitDevice } from '../../../steps.ts';

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
      // Up to four plots nothing is to be scrolled to: the time below them is in sight.
      if (shown > 4) continue;
      const frame = await page.getByRole('group', { name: /^Chart of/ }).boundingBox();
      const own = await legend(page).boundingBox();
      expect((frame?.y ?? 0) + (frame?.height ?? Infinity)).toBeLessThanOrEqual((own?.y ?? 0) + 1);
      expect((own?.y ?? 0) + (own?.height ?? Infinity)).toBeLessThanOrEqual(size.height);
    }
    await look(page, `chart-room-${count}`);
  });

test('behind the legend the plots are scrolled to, by keyboard, too', async ({ page, api }) => {
  await page.setViewportSize({ width: 820, height: 600 });
  await showKeys(page, api, 8);
  const last = page.locator('[data-pane]').last();
  const above = async () => {
    const [plot, own] = [await last.boundingBox(), await legend(page).boundingBox()];
    return (own?.y ?? 0) - (plot?.y ?? Infinity) - (plot?.height ?? 0);
  };
  expect(await above()).toBeLessThan(0);
  await page.getByRole('group', { name: /^Chart of/ }).focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect.poll(above).toBeGreaterThanOrEqual(-1);
  await expect(legend(page).locator('tbody tr').first()).toBeInViewport();
});
