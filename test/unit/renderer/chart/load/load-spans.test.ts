import { beforeEach, expect, test, vi } from 'vitest';
import { succeeded } from '#shared/schema/envelope.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { ArraysId, InputOf } from '#shared/operations/index.ts';
import type { ColumnPage, SeriesPicture } from '#shared/bridge/wire.ts';
import { deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { seriesOf, type Point } from '../draw/series-of.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';

const SECOND = 1e6;
/** What the device claims to have: above the number that is loaded one by one. */
const MANY = 600_000;

/** A device whose records count a thousandfold in the series, so that tests need not make hundreds of thousands. */
const device = vi.hoisted(() => ({
  records: [] as Point[],
  series: [] as InputOf<'chart.series'>[],
  columns: [] as InputOf<'chart.columns'>[],
  /** Holds answers up where a test wants it. */
  gate: async () => {},
}));

vi.mock('../../../../../renderer/bridge/bridge.ts', () => {
  const answers = {
    async 'chart.series'(
      request: InputOf<'chart.series'>,
      onPicture: (picture: SeriesPicture) => void,
      { signal }: { signal?: AbortSignal } = {},
    ) {
      device.series.push(request);
      await device.gate();
      if (signal?.aborted) throw signal.reason;
      const { start = 0, end = 0, width, keys } = request;
      const series = seriesOf(device.records, keys, start, end, width);
      for (const { counts } of series.keys)
        counts.forEach((count, column) => (counts[column] = count * 1000));
      onPicture(series);
      return succeeded('get series', 200, 'Series retrieved successfully.', null);
    },
    async 'chart.columns'(
      request: InputOf<'chart.columns'>,
      onPage: (page: ColumnPage) => void,
      { signal }: { signal?: AbortSignal } = {},
    ) {
      device.columns.push(request);
      const { start = -Infinity, end = Infinity } = request;
      const rows = device.records.filter(({ time }) => time >= start && time <= end).toReversed();
      if (signal?.aborted) throw signal.reason;
      onPage({
        offset: 0,
        total: rows.length * 1000,
        timestamps: Float64Array.from(rows, ({ time }) => time),
        columns: [Float64Array.from(rows, ({ values }) => values[0] ?? NaN)],
      });
      if (signal?.aborted) throw signal.reason;
      return succeeded('read columns', 200, 'Columns read successfully.', { records: rows.length });
    },
  };
  return {
    bridge: {
      stream: (id: ArraysId, ...asked: [never, never, never]) => answers[id](...asked),
    },
  };
});

const sent = { project_id: 'p', device_id: 'd', keys: ['value'] };
const query = { ...sent, far: false };

function summary(records = MANY): DeviceSummary {
  return {
    records,
    first: formatMicros(device.records[0]?.time ?? 0),
    last: formatMicros(device.records.at(-1)?.time ?? 0),
    last_seen: '2026-01-01T00:00:00Z',
    purged_at: null,
    source: 'http',
    interval_s: null,
    bytes: 0,
    keys: [{ key: 'value', count: records, numeric: records }],
  };
}

const state = () => deviceChart.useData.getState();
const ready = () => vi.waitUntil(() => state().state === 'ready', PATIENTLY);
const everySecond = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ time: i * SECOND, values: [i] }));

beforeEach(() => {
  vi.useRealTimers();
  deviceChart.leave();
  deviceChart.look({ window: null, width: 100 });
  device.records = everySecond(600);
  device.series = [];
  device.columns = [];
  device.gate = async () => {};
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
});

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

test('records that come in lengthen the picture and become the newest', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.records = everySecond(700);
  deviceChart.follow(summary(MANY + 100));
  await vi.waitUntil(() => state().state === 'ready' && state().points === 700_000, PATIENTLY);
  expect(state()).toMatchObject({
    whole: { from: 0, to: 699 * SECOND },
    newest: [{ instant: 699 * SECOND, value: 699 }],
  });
});

test('a device that outgrows loading is asked for windows from then on', async () => {
  device.records = everySecond(60);
  deviceChart.load(query, summary(60));
  await ready();
  expect(state().picture?.kind).toBe('records');
  device.records = everySecond(600);
  deviceChart.follow(summary());
  await vi.waitUntil(() => state().picture?.kind === 'series', PATIENTLY);
});

test('a range reaches up to now: what a clock that is ahead stored is not in it, and an empty one says so', async () => {
  vi.setSystemTime(500_000);
  device.records = [...everySecond(600), { time: Date.UTC(2099, 0) * 1000, values: [7] }];
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await ready();
  expect(state()).toMatchObject({
    whole: { from: 400 * SECOND, to: 500 * SECOND },
    points: 101_000,
    bounds: [{ min: 400, max: 500 }],
    newest: [{ instant: 500 * SECOND, value: 500 }],
    far: null,
  });
  vi.setSystemTime(900_000);
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await ready();
  expect(state()).toMatchObject({ whole: null, points: 0 });
});

test('a few far-off times are left out and said, or shown when asked for', async () => {
  const core = everySecond(600).map(({ values }, i) => ({ time: (1e9 + i) * SECOND, values }));
  const [first, last] = [Date.UTC(1970, 0) * 1000, Date.UTC(2099, 0) * 1000];
  device.records = [{ time: first, values: [-9] }, ...core, { time: last, values: [9999] }];
  deviceChart.load(query, summary());
  await ready();
  const far = { records: 2000, first, last };
  expect(state()).toMatchObject({
    whole: { from: 1e9 * SECOND, to: (1e9 + 599) * SECOND },
    far,
    bounds: [{ min: 0, max: 599 }],
    newest: [{ value: 599 }],
    picture: { series: { start: 1e9 * SECOND, end: (1e9 + 599) * SECOND } },
  });
  deviceChart.load({ ...query, far: true }, summary());
  await ready();
  expect(state()).toMatchObject({ whole: { from: first, to: last }, far, newest: [{ value: 9999 }] });
});

test('records read one by one know the usual interval and what lies beside them', async () => {
  deviceChart.load(query, summary());
  await ready();
  deviceChart.look({ window: { from: 100 * SECOND, to: 110 * SECOND }, width: 100 });
  await ready();
  const { picture } = state();
  expect(picture?.kind === 'records' && picture.facts).toMatchObject([
    {
      interval: SECOND,
      before: { instant: 94 * SECOND, value: 94 },
      after: { instant: 116 * SECOND, value: 116 },
    },
  ]);
});

test('cancelling keeps the picture and asks no more, until it is loaded again', async () => {
  deviceChart.load(query, summary());
  await ready();
  const { picture } = state();
  let open = () => {};
  device.gate = () => new Promise((resolve) => (open = resolve));
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
  deviceChart.cancel();
  device.gate = async () => {};
  open();
  deviceChart.look({ window: { from: 0, to: 200 * SECOND }, width: 100 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(state()).toMatchObject({ state: 'cancelled', picture, window: { from: 0, to: 200 * SECOND } });
  deviceChart.reload();
  await ready();
  expect(state().picture).toMatchObject({ series: { start: 0, end: 200 * SECOND } });
});

test('a refusal is said, and the next window is asked for as usual', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.gate = () => Promise.reject(new Error('The disk is gone.'));
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
  await vi.waitUntil(() => state().state === 'error', PATIENTLY);
  expect(state().error).toBe('The disk is gone.');
  device.gate = async () => {};
  deviceChart.look({ window: null, width: 100 });
  await ready();
  expect(state().error).toBeNull();
});
