import { expect, test } from '../../../app.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../../steps/steps.ts';

/* Numbers and windows that a chart is seldom given, and that must not leave it blank without a word. */

const FIRST_MS = Date.UTC(2026, 0, 5, 8);
const at = (second: number) => new Date(FIRST_MS + second * 1000).toISOString();

test('the largest numbers there are, and a counter that hardly moves, are seen to move', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  // What some devices send for "no reading".
  const sentinel = Number.MAX_VALUE;
  const records = Array.from({ length: 100 }, (_, second) => ({
    timestamp: at(second),
    counter: 1.8e12 + second,
    level: second % 10 === 0 ? sentinel : second % 5 === 0 ? -sentinel : second,
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 100);
  const paintedHeights = () =>
    page.getByTestId('chart').evaluate((chart) => {
      const canvas = chart.querySelector('canvas');
      const context = canvas?.getContext('2d');
      const view = chart.querySelector<HTMLElement>('[data-view]')?.dataset['view'];
      if (!canvas || !context || view === undefined) return [];
      const { bbox } = JSON.parse(view) as {
        bbox: { left: number; top: number; width: number; height: number };
      };
      const { data } = context.getImageData(bbox.left, bbox.top, bbox.width, bbox.height);
      const strokes = [...chart.querySelectorAll('[data-testid=chart-readout] line')];
      return strokes.map((stroke) => {
        const color = Number.parseInt((stroke.getAttribute('stroke') ?? '').slice(1), 16);
        const rows = new Set<number>();
        for (let i = 0; i < data.length; i += 4)
          if (
            data[i + 3] === 255 &&
            (((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0)) === color
          )
            rows.add(Math.floor(i / 4 / bbox.width));
        return (Math.max(...rows) - Math.min(...rows)) / bbox.height;
      });
    });
  await expect
    .poll(async () => Math.min(...(await paintedHeights())), 'each of the lines takes much of the height')
    .toBeGreaterThan(0.5);
  expect(await paintedHeights()).toHaveLength(2);
});

test('a window without records says so, and Reset leads out of it and keeps the focus', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  const records = Array.from({ length: 60 }, (_, second) => ({
    timestamp: at(second < 30 ? second : 3_600 + second),
    step: second,
  }));
  await store(api, device, records);
  await visitDevice(page, device);
  await expectChart(page, 60);
  const words = page.getByRole('status').filter({ hasText: 'These keys have no numbers in this span.' });
  await expect(words).toHaveCount(0);
  const reset = page.getByRole('button', { name: 'Reset' });
  for (const [from, to] of [
    ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'],
    // The silence in between.
    [at(600), at(1_200)],
  ]) {
    await page.evaluate((query) => {
      window.location.hash = `${window.location.hash.split('?')[0]}?${query}`;
    }, `from=${from}&to=${to}`);
    await expect(words).toBeVisible();
    // The toolbar follows the plot.
    await expect(reset).toBeEnabled();
    await reset.focus();
    await page.keyboard.press('Enter');
    await expect(words).toHaveCount(0);
    await expect(reset).toBeDisabled();
    await expect(reset).toBeFocused();
  }
});
