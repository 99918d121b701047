import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createApi, type Api } from '../../test/e2e/api.ts';
import { startProgram, type Program, type Ready } from '../../test/e2e/program.ts';
import { builtCli } from './built.ts';
import { percentile } from './measure.ts';
import type { Bench } from './row.ts';

const EMPTY_FRAMES = 60;

/** The built service over a folder, in a process of its own. */
export interface Served {
  readonly program: Program;
  readonly ready: Ready;
  readonly api: Api;
}

/** Starts the built service; whoever starts it stops its program. */
export async function serve(directory: string, bench: Pick<Bench, 'madeFolder'>): Promise<Served> {
  const readyFile = join(await bench.madeFolder(), 'ready.json');
  const flags = ['--data', directory, '--ready-file', readyFile, '--vault', 'memory', '--mqtt-port', 'off'];
  const ports = ['--port', '0', '--http-port', '0'];
  const program = startProgram([process.execPath, builtCli(), 'serve', ...flags, ...ports]);
  const ready = await program.ready(readyFile);
  return { program, ready, api: createApi(ready) };
}

/** A window of the app in Chromium, over the socket of a service. */
export interface AppWindow {
  readonly page: Page;
  /** ms between two frames while the page does nothing. */
  readonly frame: number;
}

/** Opens one, 1280 × 800; it is closed with `started`. */
export async function openWindow(
  { program, ready }: Served,
  started: AsyncDisposableStack,
): Promise<AppWindow> {
  if (ready.console_url === null) throw new Error(`The service has no console:\n${program.output()}`);
  // Only here: Playwright's large heap makes every row of the same process wait for the collector.
  const { chromium } = await import('@playwright/test');
  const { chromiumPath, sandboxFlags } = await import('../../test/e2e/chromium.ts');
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...sandboxFlags] });
  started.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(ready.console_url);
  return { page, frame: await emptyFrame(page) };
}

export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), address);
}

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

/** A chart of the page: its element, and whether so many points are to be there or any other number. */
export interface Awaited {
  readonly testId: 'chart' | 'compare';
  readonly points: number;
  readonly isOther?: boolean;
}

/** ms from the key press until the frame with the picture that is awaited has been painted. */
export async function keyToPainted(page: Page, key: string, awaited: Awaited): Promise<number> {
  const watch = await page.evaluateHandle(watchPainting, awaited);
  await page.keyboard.press(key);
  return watch.evaluate(({ painted }) => painted);
}

/** Runs in the page. uPlot clears its canvas whenever it draws; a task posted then runs after that frame's paint. */
function watchPainting({ testId, points, isOther = false }: Awaited): { readonly painted: Promise<number> } {
  const panel = document.querySelector(`[data-testid=${testId}]`);
  const context = panel?.querySelector('canvas')?.getContext('2d');
  if (!panel || !context) throw new Error('There is no chart.');
  let asked = 0;
  addEventListener('keydown', () => (asked = performance.now()), { once: true, capture: true });
  const painted = new Promise<number>((resolve) => {
    context.clearRect = (...area) => {
      CanvasRenderingContext2D.prototype.clearRect.apply(context, area);
      const isThere = (panel.dataset['points'] === String(points)) !== isOther;
      if (asked === 0 || panel.dataset['state'] !== 'ready' || !isThere) return;
      Reflect.deleteProperty(context, 'clearRect');
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.now() - asked));
      port1.start();
      port2.postMessage(null);
    };
  });
  return { painted };
}
