import { array, assert, constant, integer, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnView } from '../../../renderer/chart/columns.ts';
import { draw, type Drawing } from '../../../renderer/chart/decimate.ts';

const SECOND = 1e6;

/** A record a second from 0 on, with these numbers. */
function everySecond(...columns: readonly (readonly number[])[]): ColumnView {
  const rows = columns[0]?.length ?? 0;
  return {
    timestamps: Float64Array.from({ length: rows }, (_, row) => row * SECOND),
    columns: columns.map((column) => Float64Array.from(column)),
  };
}

const pixelOf = (timeMs: number, from: number, to: number, width: number) =>
  Math.floor(((timeMs * 1000 - from) * width) / (to - from + 1));

function extremes(
  points: readonly (readonly [time: number, value: number])[],
  from: number,
  to: number,
  width: number,
) {
  const pixels = new Map<number, { min: number; max: number }>();
  for (const [time, value] of points) {
    const pixel = pixelOf(time, from, to, width);
    const seen = pixels.get(pixel) ?? { min: Infinity, max: -Infinity };
    pixels.set(pixel, { min: Math.min(seen.min, value), max: Math.max(seen.max, value) });
  }
  return pixels;
}

function pointsOf({ times, values }: Drawing, key: number): [number, number][] {
  return times.flatMap((time, index) => {
    const value = values[key]?.[index];
    return typeof value === 'number' ? [[time, value] as [number, number]] : [];
  });
}

test('few points are drawn as they are, times in ms', () => {
  const { times, values } = draw(everySecond([1, 2, 3]), { from: 0, to: 2 * SECOND }, 800, [false]);
  expect(times).toEqual([0, 1000, 2000]);
  expect(values).toEqual([[1, 2, 3]]);
});

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
      array(oneof(integer({ min: -100, max: 100 }), constant(Number.NaN)), {
        minLength: 400,
        maxLength: 900,
      }),
      integer({ min: 10, max: 40 }),
      integer({ min: -2, max: 2 }),
      (numbers, width, more) => {
        // Among these ends are the one at the last record and the one that makes the columns whole seconds.
        const window = { from: 0, to: (numbers.length - 1) * SECOND + more };
        const all = numbers.flatMap((value, row): [number, number][] =>
          Number.isNaN(value) ? [] : [[row * 1000, value]],
        );
        const drawn = draw(everySecond(numbers), window, width, [false]);
        expect(extremes(pointsOf(drawn, 0), window.from, window.to, width)).toEqual(
          extremes(all, window.from, window.to, width),
        );
        expect(drawn.times).toEqual(drawn.times.toSorted((a, b) => a - b));
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

test('millions of points become a few thousand', () => {
  const rows = 2_000_000;
  const view = everySecond(Array.from({ length: rows }, (_, row) => Math.sin(row / 1000)));
  const { times } = draw(view, { from: 0, to: rows * SECOND }, 1000, [false]);
  expect(times.length).toBeLessThanOrEqual(1002 * 6);
  expect(times.at(-1)).toBe((rows - 1) * 1000);
});

test('a zoomed window reaches one point beyond each edge, so that lines do not end inside', () => {
  const { times } = draw(everySecond([0, 1, 2, 3, 4, 5]), { from: 2.5 * SECOND, to: 3.5 * SECOND }, 800, [
    false,
  ]);
  expect(times).toEqual([2000, 3000, 4000]);
});

test('a missing number breaks the line of a key, and is passed over where most rows belong to other keys', () => {
  const view = everySecond([1, Number.NaN, 3]);
  const window = { from: 0, to: 2 * SECOND };
  expect(draw(view, window, 800, [false]).values).toEqual([[1, null, 3]]);
  expect(draw(view, window, 800, [true]).values).toEqual([[1, undefined, 3]]);
});

test('a long silence breaks the line even where columns of pixels hold many rows', () => {
  const rows = 10_000;
  const timestamps = Float64Array.from(
    { length: rows },
    (_, row) => (row < 5000 ? row : row + 20_000) * SECOND,
  );
  const view = { timestamps, columns: [timestamps.map((_, row) => row)] };
  const { times, values } = draw(view, { from: 0, to: timestamps.at(-1) ?? 0 }, 100, [false]);
  const breaks = times.filter((_, index) => values[0]?.[index] === null);
  expect(breaks).toHaveLength(1);
  expect(breaks[0]).toBeGreaterThan(4_999_000);
  expect(breaks[0]).toBeLessThan(25_000_000);
});

test('nothing draws nothing', () => {
  expect(draw(everySecond([]), { from: 0, to: SECOND }, 800, [false])).toEqual({ times: [], values: [[]] });
});
