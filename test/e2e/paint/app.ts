import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { StoredRecord } from '#core/store/store.ts';
import { openLog } from '#core/store/log/log.ts';
import { chromiumPath, sandboxFlags } from '../chromium.ts';
import { createApi } from '../api.ts';
import { appFiles, appFlags, CLI } from '../hosts/host.ts';
import { startProgram } from '../program.ts';
import type { Picture } from './oracle.ts';
import type { Recording } from './shapes.ts';

/* The built app over records that were put into its store beforehand, and what its chart paints. */

export interface PaintingApp {
  readonly page: Page;
  readonly project: string;
  /** One for each recording, in their order. */
  readonly devices: readonly string[];
}

const BATCH = 20_000;

/** Starts the app with a device for each recording, and stops it when `use` is over. */
export async function withRecordings(
  recordings: readonly Recording[],
  use: (app: PaintingApp) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-paint-'));
  await using started = new AsyncDisposableStack();
  started.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const files = appFiles(folder);
  const start = () =>
    startProgram([process.execPath, CLI, 'serve', ...appFlags(files), '--mqtt-port', 'off']);

  const first = start();
  const api = createApi(await first.ready(files.readyFile));
  const idOf = async (path: string, body: object) => {
    const { data, message } = await api('POST', path, { body });
    if (data === null) throw new Error(message);
    return (data as { id: string }).id;
  };
  const project = await idOf('/_local/v1/projects', { name: 'Paintings', description: '' });
  const devices: string[] = [];
  for (const n of recordings.keys())
    devices.push(await idOf(`/v2/projects/${project}/devices`, { name: `Recording ${n}`, source: 'http' }));
  await first.stop();

  const store = await openLog({ directory: join(files.dataDirectory, 'data') });
  for (const [n, recording] of recordings.entries())
    for (const batch of batchesOf(recording)) await store.append(devices[n] ?? '', batch);
  await store.close();

  const service = start();
  started.defer(() => service.stop());
  const { console_url } = await service.ready(files.readyFile);
  if (console_url === null) throw new Error(`The service has no console:\n${service.output()}`);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...sandboxFlags] });
  started.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.goto(console_url);
  await use({ page, project, devices });
}

/** The records in order of arrival: those that are late come last. */
function* batchesOf({
  keys,
  times,
  columns,
  isText = false,
  late = 0,
}: Recording): Generator<StoredRecord[]> {
  const rows = Array.from(times.keys());
  const isLate = (row: number) => row % 1000 < late * 1000;
  const order = late > 0 ? [...rows.filter((row) => !isLate(row)), ...rows.filter(isLate)] : rows;
  for (let at = 0; at < order.length; at += BATCH)
    yield order.slice(at, at + BATCH).map((row) => {
      const timestamp = times[row] ?? 0;
      const held = keys.flatMap((key, column) => {
        const value = columns[column]?.[row] ?? Number.NaN;
        return Number.isNaN(value) ? [] : [{ key, value }];
      });
      // A record without any key is none.
      if (held.length === 0) held.push({ key: 'zz-alive', value: 1 });
      return {
        timestamp,
        received: timestamp,
        keys: held.map(({ key }) => key),
        values: held.map(({ value }) => (isText ? String(value) : value)),
      };
    });
}

export interface Look {
  readonly project: string;
  readonly device: string;
  readonly keys: readonly string[];
  /** What the address says besides the keys. */
  readonly query: string;
}

/** Opens a chart that has no lines to draw and reads what it says instead, or what its first strip of states is called. */
export async function wordsOf(
  page: Page,
  { project, device }: Omit<Look, 'keys' | 'query'>,
): Promise<string> {
  await page.evaluate((hash) => void (location.hash = hash), `#/projects/${project}/devices/${device}`);
  const instead = page.locator('[data-testid=chart-empty], [data-testid=chart] [role=slider]').first();
  await instead.waitFor({ timeout: 60_000 });
  return (await instead.getAttribute('aria-label')) ?? instead.innerText();
}

/** Opens a chart and reads the pixels of its plot once it is painted. */
export async function pictureOf(page: Page, { project, device, keys, query }: Look): Promise<Picture> {
  const names = keys.map(encodeURIComponent).join(',');
  // Axes reach over all that is seen, however few the extremes are.
  const address = `#/projects/${project}/devices/${device}?keys=${names}&y=fit${query}`;
  await page.evaluate((hash) => void (location.hash = hash), '#/');
  await page.evaluate((hash) => void (location.hash = hash), address);
  await page.locator('[data-testid=chart][data-state=ready] [data-view]').waitFor({ timeout: 60_000 });
  // The legend is drawn right after the plot.
  await page
    .locator('[data-testid=chart-readout] svg line')
    .nth(keys.length - 1)
    .waitFor({ state: 'attached', timeout: 60_000 });
  const colors = await page
    .locator('[data-testid=chart-readout] svg line')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke') ?? ''));
  const read = await page.evaluate(readPlot, colors);
  return { ...read, ink: Buffer.from(read.ink, 'base64') };
}

/** Runs in the page. The canvas has no background, so whatever covers a pixel but for the faint grid is ink. */
async function readPlot(colors: readonly string[]) {
  // What was asked for last is painted in the next frame; the one after it has it.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const frame = document.querySelector<HTMLElement>('[data-testid=chart] [data-view]');
  const context = frame?.querySelector('canvas')?.getContext('2d');
  if (!frame || !context) throw new Error('There is no chart.');
  const view = JSON.parse(frame.dataset['view'] ?? '') as {
    bbox: { left: number; top: number; width: number; height: number };
    x: [number, number];
    y: [number, number][];
  };
  // A line along the plot's edge lies half outside.
  const { left, top, width, height } = view.bbox;
  const around = 4;
  const stride = width + 2 * around;
  const { data } = context.getImageData(left - around, top - around, stride, height + 2 * around);
  const lines = colors.map((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)));
  const FAINT = 70;
  const CLEAR = 110;
  const ALIKE = 40;
  const ink = new Uint8Array(stride * (height + 2 * around));
  for (let pixel = 0; pixel < ink.length; pixel++) {
    const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(pixel * 4, pixel * 4 + 4);
    if (alpha < FAINT) continue;
    const line = lines.findIndex(
      ([red = 0, green = 0, blue = 0]) => Math.hypot(r - red, g - green, b - blue) < ALIKE,
    );
    ink[pixel] = alpha < CLEAR || line === -1 ? 255 : line + 1;
  }
  let text = '';
  for (let at = 0; at < ink.length; at += 8192) text += String.fromCharCode(...ink.subarray(at, at + 8192));
  return {
    width,
    height,
    around,
    ink: btoa(text),
    from: view.x[0] * 1000,
    to: view.x[1] * 1000,
    axes: view.y,
  };
}
