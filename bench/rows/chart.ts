import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { startProgram } from '../../test/e2e/program.ts';
import { percentile, rounds } from '../lib/measure.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';

const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
const ROUNDS = 15;
const WARM_UP = 3;
const EMPTY_FRAMES = 60;

/**
 * The window of the built app in Chromium, over the socket of the built service: from the key that asks for all of a
 * device's records, while a part of them is shown, until the frame that shows them has been painted.
 */
export const chart: Row = {
  name: 'chart',
  title: 'Chart overview, asked to painted',

  async run(bench) {
    if (!existsSync(CLI)) throw new Error(`There is no built app at ${CLI}: npm run build makes it.`);
    const { directory, project, device } = await bench.filled(bench.records);
    await using started = new AsyncDisposableStack();
    const readyFile = join(await bench.madeFolder(), 'ready.json');
    const flags = ['--data', directory, '--ready-file', readyFile, '--vault', 'memory', '--mqtt-port', 'off'];
    const service = startProgram([
      process.execPath,
      CLI,
      'serve',
      ...flags,
      '--port',
      '0',
      '--http-port',
      '0',
    ]);
    started.defer(() => service.stop());
    const { console_url } = await service.ready(readyFile);
    if (console_url === null) throw new Error(`The service has no console:\n${service.output()}`);
    // Only here: Playwright's large heap makes every row of the same process wait for the collector.
    const { chromium } = await import('@playwright/test');
    const { chromiumPath, sandboxFlags } = await import('../../test/e2e/chromium.ts');
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...sandboxFlags] });
    started.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(console_url);
    await page.evaluate((hash) => (location.hash = hash), `#/projects/${project}/devices/${device}`);
    await wholePicture(page, bench.records);

    const frame = await emptyFrame(page);
    for (let n = 0; n < WARM_UP; n++) await overview(page, bench.records);
    const measured = await rounds(ROUNDS, async () => (await overview(page, bench.records)) / frame);
    bench.note(`An empty frame of this Chromium takes ${frame.toFixed(1)} ms.`);
    const figure: Figure = {
      figure: `chart overview of ${short(bench.records)} points, four keys, asked to painted`,
      measured,
      unit: 'frames',
      must: atMost(measured.median, 2, '≤ 2 frames'),
    };
    return [figure];
  },
};

/** Waits until the chart shows all of so many records. */
async function wholePicture(page: Page, records: number): Promise<void> {
  await page.locator(`[data-testid=chart][data-state=ready][data-points="${records}"] canvas`).waitFor();
}

/** ms between two frames while the page does nothing. */
async function emptyFrame(page: Page): Promise<number> {
  const times = await page.evaluate(async (count) => {
    const frames: number[] = [];
    while (frames.length <= count) frames.push(await new Promise(requestAnimationFrame));
    return frames.slice(1).map((time, i) => time - (frames[i] ?? time));
  }, EMPTY_FRAMES);
  return percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

/** ms from the key press until the frame with the new picture has been painted. */
async function overview(page: Page, records: number): Promise<number> {
  await page.keyboard.press('+');
  await page.locator(`[data-testid=chart][data-state=ready]:not([data-points="${records}"])`).waitFor();
  const watch = await page.evaluateHandle(watchPainting, String(records));
  await page.keyboard.press('0');
  return watch.evaluate(({ painted }) => painted);
}

/** Runs in the page. uPlot clears its canvas whenever it draws; a task posted then runs after that frame's paint. */
function watchPainting(records: string): { readonly painted: Promise<number> } {
  const panel = document.querySelector('[data-testid=chart]');
  const context = panel?.querySelector('canvas')?.getContext('2d');
  if (!panel || !context) throw new Error('There is no chart.');
  let asked = 0;
  addEventListener('keydown', () => (asked = performance.now()), { once: true, capture: true });
  const painted = new Promise<number>((resolve) => {
    context.clearRect = (...area) => {
      CanvasRenderingContext2D.prototype.clearRect.apply(context, area);
      if (asked === 0 || panel.dataset['state'] !== 'ready' || panel.dataset['points'] !== records) return;
      Reflect.deleteProperty(context, 'clearRect');
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.now() - asked));
      port1.start();
      port2.postMessage(null);
    };
  });
  return { painted };
}
