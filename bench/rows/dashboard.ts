import type { CDPSession } from '@playwright/test';
import { openWindow, serve, visit, type Served } from '../lib/app-window.ts';
import { percentile, sampleOf } from '../lib/measure.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../lib/row.ts';

/** Records of each device of a dashboard before the window is opened, a second apart. */
const HOUR = 3_600;
const SIX_DAYS = 520_000;

interface Wall {
  readonly widgets: number;
  /** Of them; the others are charts. */
  readonly values: number;
  readonly states: number;
  readonly before: number;
}

const WALLS: readonly Wall[] = [
  { widgets: 60, values: 15, states: 5, before: HOUR },
  // More records than a chart loads of a device.
  { widgets: 20, values: 0, states: 0, before: SIX_DAYS },
];
const WARM_UP_S = 10;
const SECONDS = 30;
const FRAMES_A_SECOND = 60;

interface Device {
  readonly id: string;
  readonly token: string;
}

/** Dashboards on a wall, all of their widgets in sight, of devices that store a record a second each. */
export const dashboard: Row = {
  name: 'dashboard',
  title: 'Dashboards of 1 Hz devices',

  async run(bench): Promise<Figure[]> {
    const figures: Figure[] = [];
    for (const wall of WALLS) figures.push(...(await figuresOf(wall, bench)));
    return figures;
  },
};

async function figuresOf(wall: Wall, bench: Bench): Promise<Figure[]> {
  await using started = new AsyncDisposableStack();
  const served = await serve(await bench.madeFolder(), bench);
  started.defer(() => served.program.stop());
  const { widgets, values, states } = wall;
  const before = bench.isSmall ? 60 : wall.before;
  const { project_id, devices } = await make(served, { ...wall, before });
  const { page } = await openWindow(served, started);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await visit(page, `#/projects/${project_id}/dashboard`);
  await page
    .locator('[data-widget]')
    .nth(widgets - 1)
    .waitFor();
  await page.keyboard.press('f');
  await page
    .locator('[data-testid="widget-chart"][data-state="ready"]')
    .nth(widgets - values - states - 1)
    .waitFor();

  const sending = new AbortController();
  const sent = send(served, devices, sending.signal);
  await page.waitForTimeout(WARM_UP_S * 1_000);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const first = await busyOf(cdp);
  const seconds = bench.isSmall ? 5 : SECONDS;
  const { frames, counts } = await page.evaluate(framesOf, seconds * 1_000);
  const last = await busyOf(cdp);
  sending.abort();
  const records = await sent;
  const ofFrame = (name: keyof Busy) => (last[name] - first[name]) / (seconds * FRAMES_A_SECOND);
  const parts = `${ofFrame('ScriptDuration').toFixed(2)} ms scripts, ${ofFrame('LayoutDuration').toFixed(2)} ms layout`;
  bench.note(
    `${widgets} widgets: ${records} records were stored meanwhile; charts showed ${counts} of them more at the end. Of the processor time of a frame ${parts}, ${ofFrame('RecalcStyleDuration').toFixed(2)} ms styles.`,
  );
  const sorted = frames.toSorted((a, b) => a - b);
  const p95 = percentile(sorted, 0.95);
  const mean = ofFrame('TaskDuration');
  const what = `${widgets} widgets of 1 Hz devices with ${short(before)} records`;
  return [
    {
      figure: `work of a frame, ${what}, p95`,
      measured: sampleOf([p95]),
      unit: 'ms',
      must: atMost(p95, 8, '≤ 8 ms'),
    },
    {
      figure: `processor time of the window, ${what}, by each of 60 frames a second`,
      measured: sampleOf([mean]),
      unit: 'ms',
      must: atMost(mean, 8, '≤ 8 ms'),
    },
  ];
}

async function make({ api }: Served, { widgets, values, states, before }: Wall) {
  const done = async (...asked: Parameters<typeof api>) => {
    const { status, message, data } = await api(...asked);
    if (status !== 200 && status !== 201) throw new Error(message);
    return data;
  };
  const { id: project_id } = (await done('POST', '/_local/v1/projects', { body: { name: 'Plant' } })) as {
    id: string;
  };
  const devices: Device[] = [];
  const first = Date.now() - before * 1_000;
  const rows = Array.from({ length: before }, (_, second) => {
    const { bar, state } = reading(second);
    return `${new Date(first + second * 1_000).toISOString()},${bar},${state}\n`;
  });
  const csv = `timestamp,bar,state\n${rows.join('')}`;
  for (let n = 0; n < widgets; n++) {
    const body = { name: `PT-${n}`, source: 'http' };
    const made = (await done('POST', `/v2/projects/${project_id}/devices`, { body })) as {
      metadata: { device_id: string; device_token: string };
    };
    const { device_id: id, device_token: token } = made.metadata;
    devices.push({ id, token });
    await done('POST', `/_local/v1/projects/${project_id}/devices/${id}/records?format=csv`, {
      body: csv,
      type: 'text/csv',
    });
    const type = n < values ? 'value' : n < values + states ? 'state' : 'chart';
    const widget = {
      title: `PT-${n}`,
      type,
      sources: [{ device_id: id, key: type === 'state' ? 'state' : 'bar' }],
      layout: { x: (n % 6) * 2, y: Math.floor(n / 6) * 3, w: 2, h: 3 },
    };
    await done('POST', `/_local/v1/projects/${project_id}/widgets`, { body: widget });
  }
  return { project_id, devices };
}

const reading = (second: number) => ({
  bar: 4 + Math.sin(second / 60) + (second % 7) / 50,
  state: second % 90 < 80 ? 'running' : 'idle',
});

/** Each device stores a record a second, spread over that, until it is told to end. Resolves with how many were stored. */
async function send({ api }: Served, devices: readonly Device[], signal: AbortSignal): Promise<number> {
  const counts = await Promise.all(
    devices.map(async ({ token }, n) => {
      let count = 0;
      let next = Date.now() + (n * 1_000) / devices.length;
      while (!signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
        const { status, message } = await api('POST', '/integrations/http', {
          key: token,
          body: reading(next / 1_000),
        });
        if (status !== 200) throw new Error(message);
        count++;
        next += 1_000;
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

type Busy = Readonly<
  Record<'TaskDuration' | 'ScriptDuration' | 'LayoutDuration' | 'RecalcStyleDuration', number>
>;

/** Milliseconds of processor time of the window's main thread, and of parts of it. */
async function busyOf(cdp: CDPSession): Promise<Busy> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: keyof Busy) => (metrics.find((metric) => metric.name === name)?.value ?? NaN) * 1_000;
  return {
    TaskDuration: of('TaskDuration'),
    ScriptDuration: of('ScriptDuration'),
    LayoutDuration: of('LayoutDuration'),
    RecalcStyleDuration: of('RecalcStyleDuration'),
  };
}

/** Runs in the page: of each frame, the ms from its first callback until it has been painted. */
async function framesOf(ms: number): Promise<{ readonly frames: number[]; readonly counts: number }> {
  const points = () =>
    [...document.querySelectorAll('[data-testid="widget-chart"]')].reduce(
      (sum, chart) => sum + Number(chart.dataset['points']),
      0,
    );
  const before = points();
  const frames: number[] = [];
  const began = performance.now();
  while (performance.now() - began < ms)
    frames.push(
      await new Promise<number>((resolve) => {
        requestAnimationFrame(() => {
          const at = performance.now();
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve(performance.now() - at));
          port1.start();
          port2.postMessage(null);
        });
      }),
    );
  return { frames, counts: points() - before };
}
