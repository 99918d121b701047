import { array, assert, constant, integer, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnView } from '../../../../../renderer/chart/records/columns.ts';
import { drawRecords } from '../../../../../renderer/chart/draw/draw-records.ts';
import { usualIntervals } from '../../../../../renderer/chart/records/interval.ts';
import { isBlank, type Drawing, type Line } from '../../../../../renderer/chart/draw/line.ts';
import { drawSeries } from '../../../../../renderer/chart/draw/draw-series.ts';
import type { TimeSpan } from '../../../../../renderer/chart/time/window.ts';
import { seriesOf } from './series-of.ts';

const SECOND = 1e6;

function viewOf(times: readonly number[], ...columns: readonly (readonly number[])[]): ColumnView {
  return {
    timestamps: Float64Array.from(times),
    columns: columns.map((column) => Float64Array.from(column)),
  };
}

/** A record a second from 0 on, with these numbers. */
const everySecond = (...columns: readonly (readonly number[])[]) =>
  viewOf(
    (columns[0] ?? []).map((_, row) => row * SECOND),
    ...columns,
  );

const factsOf = (view: ColumnView) =>
  usualIntervals(view).map((interval) => ({ interval, before: null, after: null }));
const drawn = (view: ColumnView, window: TimeSpan, width: number): Drawing =>
  drawRecords(view, factsOf(view), window, width);

/** The runs of a line, as pairs of seconds and value. */
function runsOf({ times, values, starts }: Line): [number, number][][] {
  return starts.map((start, run) =>
    times
      .slice(start, starts[run + 1] ?? times.length)
      .map((time, i) => [time / SECOND, values[start + i] ?? Number.NaN]),
  );
}

const NONE = Number.NaN;

test('few points are drawn as they are', () => {
  const [line] = drawn(everySecond([1, 2, 3]), { from: 0, to: 2 * SECOND }, 800);
  expect(line && runsOf(line)).toEqual([
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  ]);
  expect(line).toMatchObject({ min: 1, max: 3 });
});

test('records of other keys break no line: of keys that come in turn, each is one line', () => {
  for (const width of [800, 10]) {
    const rows = Array.from({ length: 601 }, (_, row) => row);
    const turns = everySecond(
      rows.map((row) => (row % 2 === 0 ? row : NONE)),
      rows.map((row) => (row % 2 === 1 ? row : NONE)),
      rows.map((row) => (row % 3 < 2 ? row : NONE)),
    );
    const lines = drawn(turns, { from: 0, to: 600 * SECOND }, width);
    expect(lines.map(({ starts }) => starts)).toEqual([[0], [0], [0]]);
    expect(lines.map(({ min, max }) => [min, max])).toEqual([
      [0, 600],
      [1, 599],
      [0, 600],
    ]);
  }
});

test('a silence breaks the line of a key that is rare, too, by its own measure', () => {
  // Every 50 s, and then nothing for 17 minutes, in which another key goes on.
  const rows = Array.from({ length: 6000 }, (_, row) => row);
  const silent = (row: number) => row > 2000 && row <= 2000 + 17 * 60;
  const view = everySecond(
    rows,
    rows.map((row) => (row % 50 === 0 && !silent(row) ? row : NONE)),
  );
  for (const width of [1600, 100]) {
    const [steady, rare] = drawn(view, { from: 0, to: 5999 * SECOND }, width);
    expect(steady?.starts).toHaveLength(1);
    const runs = rare ? runsOf(rare) : [];
    expect(runs.map((run) => [run[0]?.[0], run.at(-1)?.[0]])).toEqual([
      [0, 2000],
      [3050, 5950],
    ]);
  }
});

test('a lone point and a cluster narrower than a dot are dots, however dense the others are', () => {
  const day = 86_400;
  const cluster = Array.from({ length: 500 }, (_, i) => 10_000 * day + i);
  const times = [0, ...cluster, 40_000 * day].map((second) => second * SECOND);
  const view = viewOf(
    times,
    times.map((_, i) => i % 7),
  );
  for (const width of [100, 2000]) {
    const [line] = drawn(view, { from: times[0] ?? 0, to: times.at(-1) ?? 0 }, width);
    expect(line?.starts).toHaveLength(3);
    const seen = line?.dots.map((dot) => Math.round((line.times[dot] ?? 0) / SECOND / day));
    expect(new Set(seen)).toEqual(new Set([0, 10_000, 40_000]));
    const clusterDots = line?.dots.map((dot) => line.values[dot]) ?? [];
    expect(clusterDots).toEqual(expect.arrayContaining([0, 6]));
  }
});

test.each([
  ['one record', [5]],
  ['two records', [5, 9_000_000]],
  ['several at one instant', [5, 5, 5, 5]],
])('%s: something is seen', (_, times) => {
  const [line] = drawn(
    viewOf(
      times,
      times.map((_time, i) => i),
    ),
    { from: 0, to: 10_000_000 },
    500,
  );
  expect(line?.starts).toEqual([0]);
  expect(line?.dots).toHaveLength(times.length);
});

test('a zoomed window reaches one number of the key beyond each edge, so that lines do not end inside', () => {
  const view = everySecond([0, NONE, 2, 3, NONE, 5], [0, 1, 2, 3, 4, 5]);
  const lines = drawn(view, { from: 2.5 * SECOND, to: 2.8 * SECOND }, 800);
  expect(lines.map((line) => line.times.map((time) => time / SECOND))).toEqual([
    [2, 3],
    [2, 3],
  ]);
  // It passes through, so it is what the axis must hold.
  expect(lines.map(({ min, max }) => [min, max])).toEqual([
    [2, 3],
    [2, 3],
  ]);
  const beyond = [{ interval: SECOND, before: { instant: -SECOND, value: 7 }, after: null }];
  const [line] = drawRecords(viewOf([SECOND], [1]), beyond, { from: 0, to: 2 * SECOND }, 800);
  expect(line?.times).toEqual([-SECOND, SECOND]);
});

const pixelOf = (time: number, { from, to }: TimeSpan, width: number) =>
  Math.floor(((time - from) * width) / (to - from + 1));

function extremes(points: readonly (readonly [number, number])[], window: TimeSpan, width: number) {
  const pixels = new Map<number, { min: number; max: number }>();
  for (const [time, value] of points) {
    const pixel = pixelOf(time, window, width);
    const seen = pixels.get(pixel) ?? { min: Infinity, max: -Infinity };
    pixels.set(pixel, { min: Math.min(seen.min, value), max: Math.max(seen.max, value) });
  }
  return pixels;
}

/**
 * A peak in the very middle, where two columns of pixels meet, and a lower one well inside either: whose column the
 * middle is taken for decides which of these is left out.
 */
const peakOnEdge = Array.from({ length: 401 }, (_, row) =>
  row === 200 ? 2 : row === 195 || row === 205 ? 1 : 0,
);

test('of many points, every column of pixels keeps its smallest and largest value', () => {
  assert(
    property(
      array(oneof(integer({ min: -100, max: 100 }), constant(NONE)), { minLength: 400, maxLength: 900 }),
      integer({ min: 10, max: 40 }),
      integer({ min: -2, max: 2 }),
      (numbers, width, more) => {
        // Among these ends are the one at the last record and the one that makes the columns whole seconds.
        const window = { from: 0, to: (numbers.length - 1) * SECOND + more };
        const all = numbers.flatMap((value, row): [number, number][] =>
          Number.isNaN(value) || row * SECOND > window.to ? [] : [[row * SECOND, value]],
        );
        const [line] = drawn(everySecond(numbers), window, width);
        const points = (line?.times ?? [])
          .map((time, i): [number, number] => [time, line?.values[i] ?? NONE])
          .filter(([time]) => time <= window.to);
        expect(extremes(points, window, width)).toEqual(extremes(all, window, width));
        expect(line?.times).toEqual(line?.times.toSorted((a, b) => a - b));
      },
    ),
    {
      numRuns: 60,
      examples: [
        [peakOnEdge, 20, 0],
        [peakOnEdge, 20, -1],
        [peakOnEdge, 22, 0],
      ],
    },
  );
});

/** Records with steps of a second, silences, and equal times; each key in some of them. */
const history = array(
  record({
    pause: oneof(
      { weight: 20, arbitrary: constant(SECOND) },
      { weight: 2, arbitrary: integer({ min: 0, max: 300 * SECOND }) },
      { weight: 1, arbitrary: constant(0) },
    ),
    a: oneof(integer({ min: -50, max: 50 }), constant(NONE)),
    b: oneof({ weight: 1, arbitrary: integer() }, { weight: 9, arbitrary: constant(NONE) }),
  }),
  { minLength: 1, maxLength: 700 },
);

test('what the service summarises and what is summarised here is one drawing', () => {
  assert(
    property(history, integer({ min: 3, max: 60 }), integer({ min: 0, max: 3 }), (records, width, cut) => {
      let time = 0;
      const points = records.map(({ pause, a, b }) => ({ time: (time += pause), values: [a, b] }));
      const times = points.map((point) => point.time);
      const from = times[Math.floor((times.length * cut) / 8)] ?? 0;
      const window = { from, to: Math.max(from + 1, (times.at(-1) ?? 0) - cut * SECOND) };
      const rows = times.filter((at) => at >= window.from && at <= window.to).length;
      const view = viewOf(times, ...[0, 1].map((key) => points.map(({ values }) => values[key] ?? NONE)));
      const series = seriesOf(points, ['a', 'b'], window.from, window.to, width);
      const here = drawn(view, window, width);
      const there = drawSeries(series);
      if (rows > 4 * width) expect(here).toEqual(there);
      // Drawn one by one, a run begins and ends where it does when it is summarised, and spans the same values.
      const outline = (line: Line) =>
        runsOf(line).map((run) => [
          run[0]?.[0],
          run.at(-1)?.[0],
          Math.min(...run.map(([, value]) => value)),
          Math.max(...run.map(([, value]) => value)),
        ]);
      expect(here.map(outline)).toEqual(there.map(outline));
      expect(here.map(({ min, max }) => [min, max])).toEqual(there.map(({ min, max }) => [min, max]));
    }),
    { numRuns: 150 },
  );
});

test('millions of points become a few thousand', () => {
  const rows = 2_000_000;
  const view = everySecond(Array.from({ length: rows }, (_, row) => Math.sin(row / 1000)));
  const [line] = drawn(view, { from: 0, to: rows * SECOND }, 1000);
  expect(line?.times.length).toBeLessThanOrEqual(1002 * 4);
  expect(line?.times.at(-1)).toBe((rows - 1) * SECOND);
});

test('nothing draws nothing', () => {
  expect(drawn(everySecond([]), { from: 0, to: SECOND }, 800)).toMatchObject([
    { times: [], starts: [], dots: [] },
  ]);
});

test('a window in a silence or beyond all records is blank; one that a line passes through is not', () => {
  const timestamps = Float64Array.from([...seconds(0, 20), ...seconds(1_000, 20)]);
  const view = { timestamps, columns: [timestamps.map(() => 1)] };
  const facts = usualIntervals(view).map((interval) => ({ interval, before: null, after: null }));
  const isBlankAt = (from: number, to: number) => {
    const window = { from: from * 1e6, to: to * 1e6 };
    return isBlank(drawRecords(view, facts, window, 800), window);
  };
  expect(isBlankAt(0, 1_019)).toBe(false);
  expect(isBlankAt(3.2, 3.8)).toBe(false);
  expect(isBlankAt(500, 600)).toBe(true);
  expect(isBlankAt(-100, -50)).toBe(true);
  expect(isBlankAt(2_000, 3_000)).toBe(true);
});

function seconds(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (from + index) * 1e6);
}
