import type { CDPSession } from '@playwright/test';
import { openWindow, serve, visit, type Served } from '../lib/app-window.ts';
import { rounds, sampleOf } from '../lib/measure.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 9;
/** Records a second of the live hour, and how many of them come at once when it is compressed. */
const RATE = 50;
const HOUR = 3_600;
const AT_ONCE = 500;
const SINGLES = 40;

/** What a technician waits for beside charts: the list of very many devices, and a chart that follows. */
export const window: Row = {
  name: 'window',
  title: 'The list of devices and a live chart',

  async run(bench) {
    const list = await ofList(bench);
    return [...list, ...(await ofLive(bench))];
  },
};

async function ofList(bench: Bench): Promise<Figure[]> {
  await using started = new AsyncDisposableStack();
  const served = await serve(await bench.madeFolder(), bench);
  started.defer(() => served.program.stop());
  const project = await makeProject(served);
  const body = {
    devices: Array.from({ length: bench.devices }, (_, n) => ({
      name: `Sensor ${n + 1}`,
      tags: [`line-${n % 40}`],
      brand: n % 2 ? 'Acme' : 'Bosch',
    })),
  };
  await served.api('POST', `/_local/v1/projects/${project}/devices`, { body });
  const { page } = await openWindow(served, started);
  const address = `#/projects/${project}`;
  await visit(page, address);
  await page.locator('[role="row"][data-row="0"]').waitFor();
  const painted = await rounds(ROUNDS, async () => {
    await visit(page, '#/service');
    await page.getByRole('heading', { name: 'Service', level: 1 }).waitFor();
    await page.waitForTimeout(300);
    return page.evaluate(listPaintedAt, address);
  });
  const reloaded = await rounds(ROUNDS, async () => {
    await page.reload({ waitUntil: 'commit' });
    return page.evaluate(listPaintedAt, null);
  });
  const typed = ['sensor 99', 'sensor 9', 'acme tag:line-3 7', 'line-12'];
  const keys = await rounds(ROUNDS * typed.length, async (round) => {
    await page.waitForTimeout(100);
    return page.evaluate(keyAnswered, typed.at(round % typed.length) ?? '');
  });
  const name = `${short(bench.devices)} devices`;
  return [
    {
      figure: `the list of ${name}, asked to painted`,
      measured: painted,
      unit: 'ms',
      must: atMost(painted.median, 200, '≤ 200 ms'),
    },
    { figure: `the same in a window that has just been opened`, measured: reloaded, unit: 'ms' },
    {
      figure: `a key in the search of ${name}, pressed to filtered`,
      measured: keys,
      unit: 'ms',
      must: atMost(keys.median, 16, '≤ 16 ms'),
    },
  ];
}

/** An hour at 50 records a second comes as fast as it is taken; then single records, one after the other. */
async function ofLive(bench: Bench): Promise<Figure[]> {
  await using started = new AsyncDisposableStack();
  const served = await serve(await bench.madeFolder(), bench);
  started.defer(() => served.program.stop());
  const project = await makeProject(served);
  const made = await served.api('POST', `/v2/projects/${project}/devices`, {
    body: { name: 'Press', source: 'http' },
  });
  const { metadata: device } = made.data as { metadata: { device_id: string; device_token: string } };
  const begun = Date.now() - HOUR * 1000;
  const store = async (body: unknown) => {
    const { status, message } = await served.api('POST', '/integrations/http', {
      key: device.device_token,
      body,
    });
    if (status !== 200 && status !== 201) throw new Error(message);
  };
  const reading = (n: number) => ({
    timestamp: new Date(begun + (n * 1000) / RATE).toISOString(),
    pressure: 4 + Math.sin(n / 900),
    flow: n % 977,
  });
  await store([reading(0), reading(1)]);
  const { page } = await openWindow(served, started);
  await visit(page, `#/projects/${project}/devices/${device.device_id}`);
  await page.locator('[data-testid=chart][data-state=ready] canvas').waitFor();
  const cdp = await page.context().newCDPSession(page);

  const total = bench.isSmall ? 10_000 : RATE * HOUR;
  const heaps: number[] = [];
  let n = 2;
  for (const share of [0.1, 0.25, 0.5, 0.75, 1]) {
    for (; n < total * share; n += AT_ONCE)
      await store(Array.from({ length: AT_ONCE }, (_, i) => reading(n + i)));
    await page.locator(`[data-testid=chart][data-points="${n}"]`).waitFor();
    heaps.push(await heapOf(cdp));
  }
  const singles: number[] = [];
  for (let single = 0; single < SINGLES; single++) {
    const drawn = await page.evaluateHandle(watchDrawn);
    const sent = Date.now();
    await store(reading(n++));
    singles.push((await drawn.evaluate(({ at }) => at)) - sent);
    await page.waitForTimeout(single % 2 ? 700 : 150);
  }
  const first = heaps[0] ?? NaN;
  const last = heaps.at(-1) ?? NaN;
  bench.note(
    `Heap of the window after 10, 25, 50, 75 and 100 % of the live hour: ${heaps.map((mb) => mb.toFixed(1)).join(', ')} MB.`,
  );
  return [
    {
      figure: 'a record, sent to drawn on a chart that follows',
      measured: sampleOf(singles),
      unit: 'ms',
      must: atMost(sampleOf(singles).median, 250, '≤ 250 ms'),
    },
    {
      figure: `heap of the window after a live hour at ${RATE} records/s`,
      measured: sampleOf([last]),
      unit: 'MB',
      must: atMost(last / first, 1.25, '≤ 1.25× after its tenth'),
      peer: { name: 'after a tenth of it', measured: sampleOf([first]) },
    },
  ];
}

async function makeProject({ api }: Served): Promise<string> {
  const made = await api('POST', '/_local/v1/projects', { body: { name: 'Plant' } });
  return (made.data as { id: string }).id;
}

/** MB in use after a collection. */
async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Runs in the page: ms from the address, or from when the page began, to the frame that shows the first rows. */
async function listPaintedAt(address: string | null): Promise<number> {
  const began = address === null ? 0 : performance.now();
  if (address !== null) location.hash = address;
  while (!document.querySelector('[role="row"][data-row="0"]')) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}

/** Runs in the page: ms from a changed text to the list that is filtered by it, which the next frame paints. */
async function keyAnswered(typed: string): Promise<number> {
  const input = document.querySelector('input[aria-label="Search devices"]');
  const main = document.querySelector('main');
  if (!input || !main) throw new Error('There is no search.');
  const began = performance.now();
  const filtered = new Promise((resolve: (nothing: null) => void) => {
    const watcher = new MutationObserver(() => {
      watcher.disconnect();
      resolve(null);
    });
    watcher.observe(main, { subtree: true, childList: true, characterData: true });
  });
  // React remembers what an input had, unless its own setter is passed by.
  Reflect.set(HTMLInputElement.prototype, 'value', typed, input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await filtered;
  return performance.now() - began;
}

/** Runs in the page: when the next picture has been painted, in ms since 1970. */
function watchDrawn(): { readonly at: Promise<number> } {
  const panel = document.querySelector('[data-testid=chart]');
  const context = panel?.querySelector('canvas')?.getContext('2d');
  if (!panel || !context) throw new Error('There is no chart.');
  const before = panel.dataset['points'];
  const at = new Promise((resolve: (ms: number) => void) => {
    context.clearRect = (...area) => {
      CanvasRenderingContext2D.prototype.clearRect.apply(context, area);
      if (panel.dataset['points'] === before) return;
      Reflect.deleteProperty(context, 'clearRect');
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.timeOrigin + performance.now()));
      port1.start();
      port2.postMessage(null);
    };
  });
  return { at };
}
