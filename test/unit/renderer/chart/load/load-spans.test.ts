import { beforeEach, expect, test, vi } from 'vitest';
import { deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { begin, MANY, query, ready, SECOND, sent, state, summary } from './chart-of-device.ts';
import { device } from './counted-device.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';

vi.mock('../../../../../renderer/bridge/bridge.ts', () => import('./counted-device.ts'));
beforeEach(begin);

test('many records come as one series at the width of the plot, with the newest record exactly', async () => {
  deviceChart.load(query, summary());
  await ready();
  expect(device.series).toEqual([{ ...sent, start: 0, end: 599 * SECOND, width: 100 }]);
  expect(state()).toMatchObject({
    picture: { kind: 'series', series: { width: 100 } },
    whole: { from: 0, to: 599 * SECOND },
    points: 600_000,
    bounds: [{ min: 0, max: 599 }],
    newest: [{ instant: 599 * SECOND, value: 599 }],
  });
});

test('once it was drawn at the width of the plot, everything is there again without asking', async () => {
  deviceChart.load(query, summary());
  await ready();
  // The chart is laid out now.
  deviceChart.look({ window: null, width: 120 });
  await ready();
  expect(device.series.map(({ width }) => width)).toEqual([100, 120]);
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 120 });
  await ready();
  const asked = device.series.length;
  deviceChart.look({ window: null, width: 120 });
  await ready();
  expect(device.series).toHaveLength(asked);
  expect(state()).toMatchObject({ picture: { kind: 'series', series: { width: 120 } }, points: 600_000 });
  deviceChart.look({ window: { from: 0, to: 599 * SECOND }, width: 120 });
  await ready();
  expect(device.series).toHaveLength(asked);
});

test('a picture of a few more columns than the plot has pixels stays; a wider plot and one far narrower ask', async () => {
  deviceChart.load(query, summary());
  await ready();
  const states: string[] = [];
  const stop = deviceChart.useData.subscribe(({ state: now }) => states.push(now));
  deviceChart.look({ window: null, width: 90 });
  expect(states).toEqual([]);
  stop();
  expect(device.series).toHaveLength(1);
  expect(state()).toMatchObject({ state: 'ready', picture: { series: { width: 100 } } });
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 90 });
  await ready();
  deviceChart.look({ window: null, width: 90 });
  await ready();
  deviceChart.look({ window: null, width: 110 });
  await ready();
  deviceChart.look({ window: null, width: 60 });
  await ready();
  expect(device.series.map(({ width }) => width)).toEqual([100, 90, 110, 60]);
});

test('what has been answered is told once: nothing follows when its patience would have ended', async () => {
  deviceChart.load(query, summary());
  await ready();
  deviceChart.expect({ from: 0, to: 300 * SECOND });
  await vi.waitUntil(() => device.series.length === 2, PATIENTLY);
  vi.useFakeTimers();
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
  await vi.waitUntil(() => state().state === 'ready', PATIENTLY);
  const before = state();
  vi.runAllTimers();
  expect(state()).toBe(before);
});

test('a window that is expected is read ahead, and asked for no second time', async () => {
  deviceChart.load(query, summary());
  await ready();
  const next = { from: 0, to: 300 * SECOND };
  deviceChart.expect(next);
  deviceChart.expect({ ...next });
  await vi.waitUntil(() => device.series.length === 2, PATIENTLY);
  expect(state().window).toBeNull();
  deviceChart.look({ window: next, width: 100 });
  await ready();
  expect(state()).toMatchObject({ window: next, picture: { series: { start: 0, end: 300 * SECOND } } });
  expect(device.series).toHaveLength(2);
});

test('what was read ahead is not shown when the device has stored more since, or at another width', async () => {
  deviceChart.load(query, summary());
  await ready();
  const next = { from: 0, to: 300 * SECOND };
  deviceChart.expect(next);
  await vi.waitUntil(() => device.series.length === 2, PATIENTLY);
  device.records = device.records.filter(({ time }) => time !== 100 * SECOND);
  deviceChart.follow(summary(MANY + 100));
  await ready();
  deviceChart.look({ window: next, width: 100 });
  await ready();
  expect(state().points).toBe(300_000);
  deviceChart.expect({ from: 0, to: 150 * SECOND });
  deviceChart.look({ window: { from: 0, to: 150 * SECOND }, width: 120 });
  await ready();
  expect(state().picture).toMatchObject({ series: { width: 120 } });
});

test('what could not be read ahead is asked for again by whoever looks at it', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.gate = () => Promise.reject(new Error('The service is away.'));
  const next = { from: 0, to: 300 * SECOND };
  deviceChart.expect(next);
  await vi.waitUntil(() => device.series.length === 2, PATIENTLY);
  expect(state()).toMatchObject({ state: 'ready', error: null });
  device.gate = async () => {};
  deviceChart.look({ window: next, width: 100 });
  await ready();
  expect(state()).toMatchObject({ window: next, picture: { series: { end: 300 * SECOND } } });
});

test('a window of few records is read record by record, with some around it, and moves without asking', async () => {
  deviceChart.load(query, summary());
  await ready();
  deviceChart.look({ window: { from: 100 * SECOND, to: 110 * SECOND }, width: 100 });
  await ready();
  const { picture, points } = state();
  expect(picture?.kind).toBe('records');
  expect(points).toBe(11);
  expect(picture?.kind === 'records' && [...picture.view.timestamps]).toEqual(
    Array.from({ length: 21 }, (_, i) => (95 + i) * SECOND),
  );

  const asked = device.series.length;
  deviceChart.look({ window: { from: 104 * SECOND, to: 114 * SECOND }, width: 100 });
  await ready();
  expect(device.series).toHaveLength(asked);
  expect(state().points).toBe(11);
});

test('while one window is being answered the last of the others waits, and its picture is the one that stays', async () => {
  deviceChart.load(query, summary());
  await ready();
  const before = state().picture;
  let open = () => {};
  device.gate = () => new Promise((resolve) => (open = resolve));
  for (const from of [0, 100, 200, 300])
    deviceChart.look({ window: { from: from * SECOND, to: (from + 200) * SECOND }, width: 100 });
  expect(state()).toMatchObject({ state: 'loading', picture: before });
  device.gate = async () => {};
  open();
  await ready();
  expect(device.series.slice(1).map(({ start = 0 }) => start / SECOND)).toEqual([0, 300]);
  expect(state().picture).toMatchObject({ series: { start: 300 * SECOND } });
});

test('a window shows together with its picture, or stretches the one there is when that takes too long', async () => {
  deviceChart.load(query, summary());
  await ready();
  const shown = { from: 0, to: 300 * SECOND };
  deviceChart.look({ window: shown, width: 100 });
  expect(state().window).toBeNull();
  await ready();
  expect(state()).toMatchObject({ window: shown, picture: { series: { end: 300 * SECOND } } });

  let open = () => {};
  device.gate = () => new Promise((resolve) => (open = resolve));
  deviceChart.look({ window: { from: 0, to: 200 * SECOND }, width: 100 });
  await vi.waitUntil(() => state().window?.to === 200 * SECOND, PATIENTLY);
  expect(state()).toMatchObject({ state: 'loading', picture: { series: { end: 300 * SECOND } } });
  open();
  await ready();
  expect(state()).toMatchObject({ picture: { series: { end: 200 * SECOND } } });
});

/** What the chart is told from now on. */
function following() {
  const told: unknown[] = [];
  deviceChart.useData.subscribe(({ state: now, window }) => told.push([now, window]));
  return told;
}
const answered = () => new Promise((resolve) => setTimeout(resolve));

test('a window that was read ahead is shown at once by a glance, and is told once', async () => {
  deviceChart.load(query, summary());
  await ready();
  const next = { from: 0, to: 300 * SECOND };
  deviceChart.expect(next);
  await answered();
  const told = following();
  deviceChart.glance(next);
  deviceChart.look({ window: next, width: 100 });
  await answered();
  expect(told).toEqual([['ready', next]]);
  expect(state().picture).toMatchObject({ series: { start: 0, end: 300 * SECOND } });
  deviceChart.glance(null);
  deviceChart.look({ window: null, width: 100 });
  await answered();
  expect(told.slice(1)).toEqual([['ready', null]]);
  expect(state()).toMatchObject({ points: 600_000, picture: { series: { end: 599 * SECOND } } });
  expect(device.series).toHaveLength(2);
});

test('a glance at what has to be asked for changes nothing', async () => {
  deviceChart.load(query, summary());
  await ready();
  const told = following();
  deviceChart.glance({ from: 0, to: 300 * SECOND });
  await answered();
  expect(told).toEqual([]);
  expect(device.series).toHaveLength(1);
});

test('an answer that comes behind a window that was there at once takes nothing of its place', async () => {
  deviceChart.load(query, summary());
  await ready();
  for (const gate of [async () => {}, () => Promise.reject(new Error('The service is away.'))]) {
    let open = () => {};
    device.gate = () => new Promise<void>((resolve) => (open = resolve)).then(gate);
    deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
    expect(state().state).toBe('loading');
    deviceChart.glance(null);
    const told = following();
    open();
    await answered();
    expect(told).toEqual([]);
    expect(state()).toMatchObject({ state: 'ready', window: null, error: null, points: 600_000 });
  }
});
