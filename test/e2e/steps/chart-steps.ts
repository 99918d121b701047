import type { Locator, Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expect } from '../app.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice, type MadeDevice } from './steps.ts';

/** Of the first reading, in ms. */
export const FIRST_MS = Date.UTC(2026, 0, 5, 8);
/** Longer than a legend takes to follow the pointer: then the window is another one, and is read anew from its first edge. */
const FOLLOWS = { timeout: 1_000, intervals: [20, 50, 100] };
/** What a press says in a second of its recording. */
export const reading = (second: number) => ({
  timestamp: new Date(FIRST_MS + second * 1000).toISOString(),
  step: second,
  pressure: 4 + Math.sin(second / 40),
  note: 'ok',
});

/** Moves the mouse over the plot: 0 is its left edge, 1 its right one. */
export async function moveTo(page: Page, share: number, steps = 1): Promise<void> {
  const box = await page
    .getByRole('group', { name: /^Chart of/ })
    .locator('.u-over')
    .first()
    .boundingBox();
  if (!box) throw new Error('There is no plot.');
  // The right edge itself is outside.
  const x = Math.min(box.x + box.width * share, box.x + box.width - 1);
  await page.mouse.move(x, box.y + box.height / 2, { steps });
}

/** Takes the mouse off the plot, so that keys act on its middle. */
export async function leave(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.getByTestId('chart-readout')).toContainText('Newest');
}

/**
 * Presses Cancel as soon as some records are drawn and the button is there: from inside the page, since by the time that a
 * busy page has told of its button, the load may be over.
 */
export async function cancelOnSight(page: Page): Promise<void> {
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const chart = document.querySelector<HTMLElement>('[data-testid="chart"]');
      const buttons = [...(chart?.querySelectorAll('button') ?? [])];
      const cancel = buttons.find(({ textContent }) => textContent === 'Cancel');
      if (!cancel || Number(chart?.dataset['points']) === 0) return;
      observer.disconnect();
      cancel.click();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}

/** What the legend reads of a key, to the last digit. */
export async function expectValue(page: Page, key: string, value: string | RegExp): Promise<void> {
  await expect(valueOf(page, key)).toHaveAttribute('data-exact', value);
}

export function valueOf(page: Page, key: string): Locator {
  return page.getByTestId('chart-readout').locator(`[data-line="${key}"]`).getByTestId('value');
}

/** The key "step" of the record that the legend reads. */
export async function shownStep(page: Page): Promise<number> {
  return Number(await valueOf(page, 'step').getAttribute('data-exact'));
}

/** Drags over a share of the plot, which selects it. */
export async function drag(page: Page, from: number, to: number): Promise<void> {
  await moveTo(page, from);
  await page.mouse.down();
  await moveTo(page, to, 5);
  await page.mouse.up();
}

/** Looks closer at a share of the plot. */
export async function dragZoom(page: Page, from: number, to: number): Promise<void> {
  await drag(page, from, to);
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toHaveCount(0);
}

/** Chooses what a device's chart is seldom asked for. */
export async function openMore(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More of the chart' }).click();
  await page
    .getByRole('menuitem', { name: item, exact: true })
    .or(page.getByRole('menuitemcheckbox', { name: item, exact: true }))
    .click();
}

/** Ticks figures of the legend, or takes the ticks away. */
export async function tickFigures(page: Page, ...labels: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Figures', exact: true }).click();
  for (const label of labels)
    await page.getByRole('menuitemcheckbox', { name: new RegExp(`^${label}\\b`) }).click();
  await page.keyboard.press('Escape');
}

/** Shows or hides a key. */
export async function toggleKey(page: Page, key: string): Promise<void> {
  await page.getByRole('group', { name: 'Keys', exact: true }).getByRole('checkbox', { name: key }).click();
}

export async function pickRange(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: /^Range: / }).click();
  await page.getByRole('dialog', { name: 'Range' }).getByRole('button', { name: label, exact: true }).click();
}

/** Where the chart's window begins and ends, read at its edges as a technician would. */
export async function expectWindow(page: Page, first: number, last: number): Promise<void> {
  await expect(async () => {
    for (const [share, step] of [
      [0, first],
      [1, last],
    ] as const) {
      await moveTo(page, share);
      // The legend follows the pointer with the next frame; until then it reads the other edge.
      const off = async () => Math.abs((await shownStep(page)) - step);
      await expect.poll(off, FOLLOWS).toBeLessThanOrEqual(3);
    }
  }).toPass();
}

/** The colours of the lines that have a pixel on the plot. */
export async function paintedLines(page: Page): Promise<string[]> {
  return page.getByTestId('chart').evaluate((chart) => {
    const canvas = chart.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return [];
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4)
      if ((data[at + 3] ?? 0) === 255)
        seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
    const strokes = [...chart.querySelectorAll('[data-testid=chart-readout] line')];
    const colors = strokes.map((line) => line.getAttribute('stroke') ?? '');
    return colors.filter((color) => seen.has(Number.parseInt(color.slice(1), 16)));
  });
}

/** Makes a press that stored so many readings, and looks at their chart. */
export async function showReadings(page: Page, api: Api, records: number): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(
    api,
    device,
    Array.from({ length: records }, (_, second) => reading(second)),
  );
  await visitDevice(page, device);
  await expectChart(page, records);
  return device;
}

/** What the first plot spans: the time in seconds of the readings, and the values of each line's axis. */
export async function viewOf(page: Page): Promise<{ x: [number, number]; y: [number, number][] }> {
  const text = await page.getByTestId('chart').locator('[data-view^="{"]').first().getAttribute('data-view');
  const { x, y } = JSON.parse(text ?? '') as { x: [number, number]; y: [number, number][] };
  return { x: [(x[0] - FIRST_MS) / 1000, (x[1] - FIRST_MS) / 1000], y };
}
