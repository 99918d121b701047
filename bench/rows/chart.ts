import type { Page } from '@playwright/test';
import { keyToPainted, openWindow, serve, visit } from '../lib/app-window.ts';
import { sensorSource } from '../lib/data.ts';
import { rounds } from '../lib/measure.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 15;
const COMPARED = 8;
const BATCH = 10_000;

/**
 * The window of the built app in Chromium, over the socket of the built service: from a key press until the frame that
 * shows what was asked for has been painted. All of the device was drawn once before; half of a window is read ahead by
 * the time somebody has looked at it, a wider one is not.
 */
export const chart: Row = {
  name: 'chart',
  title: 'Charts, asked to painted',

  async run(bench) {
    const one = await ofOneDevice(bench);
    return [...one, ...(await ofSeveral(bench))];
  },
};

async function ofOneDevice(bench: Bench): Promise<Figure[]> {
  const { directory, project, device } = await bench.filled(bench.records);
  await using started = new AsyncDisposableStack();
  const served = await serve(directory, bench);
  started.defer(() => served.program.stop());
  const { page, frame } = await openWindow(served, started);
  const points = bench.records;
  await visit(page, `#/projects/${project}/devices/${device}`);
  await drawn(page, 'chart', points);
  bench.note(`An empty frame of this Chromium takes ${frame.toFixed(1)} ms.`);

  const all = { testId: 'chart', points } as const;
  const overview = await rounds(ROUNDS, async () => {
    await page.keyboard.press('+');
    await page.locator(`[data-testid=chart][data-state=ready]:not([data-points="${points}"])`).waitFor();
    await settled(page);
    return (await keyToPainted(page, '0', all)) / frame;
  });
  // Each a half of the one before, from all of it to some thousand records, and again.
  const zoom = await rounds(ROUNDS, async (round) => {
    const shown = await pointsOf(page, 'chart');
    if (round % 5 === 0) {
      await page.keyboard.press('0');
      await drawn(page, 'chart', points);
    }
    await settled(page);
    const before = round % 5 === 0 ? points : shown;
    return (await keyToPainted(page, '+', { testId: 'chart', points: before, isOther: true })) / frame;
  });
  // What is not read ahead: out of a quarter of all of it, and in again.
  const wider = await rounds(ROUNDS, async () => (await outOfQuarter(page, 'chart', points)) / frame);
  const name = short(points);
  return [
    {
      figure: `chart overview of ${name} points, four keys, asked to painted`,
      measured: overview,
      unit: 'frames',
      must: atMost(overview.median, 1.6, '≤ 1.6 frames'),
    },
    {
      figure: `zoom into ${name} points, four keys, asked to painted`,
      measured: zoom,
      unit: 'frames',
      must: atMost(zoom.median, 2, '≤ 2 frames'),
    },
    {
      figure: `zoom out of a quarter of ${name} points, which nothing reads ahead, frames`,
      measured: wider,
      unit: 'frames',
    },
  ];
}

/** Zooms into a quarter of all points and out of it again; ms of the last step, asked to painted. */
async function outOfQuarter(page: Page, testId: 'chart' | 'compare', points: number): Promise<number> {
  await page.keyboard.press('0');
  await drawn(page, testId, points);
  let before = points;
  for (let step = 0; step < 2; step++) {
    await keyToPainted(page, '+', { testId, points: before, isOther: true });
    await settled(page);
    before = await pointsOf(page, testId);
  }
  return keyToPainted(page, '-', { testId, points: before, isOther: true });
}

/** Devices of a million records each on one chart. */
async function ofSeveral(bench: Bench): Promise<Figure[]> {
  const records = Math.min(1_000_000, bench.records);
  const directory = await bench.madeFolder();
  const { project, devices } = await makeDevices(directory, bench);
  const store = await bench.openStore(`${directory}/data`);
  for (const [n, device] of devices.entries()) {
    const next = sensorSource(n + 1);
    for (let stored = 0; stored < records; stored += BATCH)
      await store.append(device, next(Math.min(BATCH, records - stored)));
  }
  await store.close();
  await using started = new AsyncDisposableStack();
  const served = await serve(directory, bench);
  started.defer(() => served.program.stop());
  const { page, frame } = await openWindow(served, started);
  const address = `#/compare?d=${devices.join(',')}&keys=temperature`;
  const points = records * COMPARED;
  const opened = await rounds(5, async () => {
    await visit(page, `#/projects/${project}`);
    await page.getByRole('table', { name: 'Devices' }).waitFor();
    await settled(page);
    return page.evaluate(openedAt, { address, points: String(points) });
  });
  const zoom = await rounds(ROUNDS, async () => {
    await page.getByRole('group', { name: /^Chart of/ }).focus();
    await page.keyboard.press('0');
    await drawn(page, 'compare', points);
    await settled(page);
    return (await keyToPainted(page, '+', { testId: 'compare', points, isOther: true })) / frame;
  });
  const wider = await rounds(ROUNDS, async () => (await outOfQuarter(page, 'compare', points)) / frame);
  const name = `${COMPARED} devices of ${short(records)} records`;
  return [
    {
      figure: `${name} compared, from the list to the picture`,
      measured: opened,
      unit: 'ms',
      must: atMost(opened.median, 250, '≤ 250 ms'),
    },
    {
      figure: `zoom into ${name}, asked to painted`,
      measured: zoom,
      unit: 'frames',
      must: atMost(zoom.median, 2, '≤ 2 frames'),
    },
    {
      figure: `zoom out of a quarter of ${name}, which nothing reads ahead, frames`,
      measured: wider,
      unit: 'frames',
    },
  ];
}

/** Runs in the page: ms from the address to the first frame in which the picture is there. */
async function openedAt({ address, points }: { address: string; points: string }): Promise<number> {
  const began = performance.now();
  location.hash = address;
  const ready = `[data-testid=compare][data-state=ready][data-points="${points}"] canvas`;
  while (!document.querySelector(ready)) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}

async function makeDevices(directory: string, bench: Bench) {
  const { api, program } = await serve(directory, bench);
  const made = await api('POST', '/_local/v1/projects', { body: { name: 'Plant' } });
  const { id: project } = made.data as { id: string };
  const body = { devices: Array.from({ length: COMPARED }, (_, n) => ({ name: `Sensor ${n + 1}` })) };
  await api('POST', `/_local/v1/projects/${project}/devices`, { body });
  const listed = await api('GET', `/v2/projects/${project}/devices`);
  await program.stop();
  return { project, devices: (listed.data as readonly { id: string }[]).map(({ id }) => id) };
}

async function drawn(page: Page, testId: string, points: number): Promise<void> {
  // Unlike keys have a plot each.
  const plots = page.locator(`[data-testid=${testId}][data-state=ready][data-points="${points}"] canvas`);
  await plots.first().waitFor();
}

async function pointsOf(page: Page, testId: string): Promise<number> {
  return Number(await page.getByTestId(testId).getAttribute('data-points'));
}

/** What follows a picture, as its statistics, is there, too: a technician does not zoom ten times a second. */
async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(500);
}
