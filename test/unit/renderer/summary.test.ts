import { array, assert, constant, integer, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import type { SeriesPicture } from '#shared/wire.ts';
import { boundsOf, columnAt, countOf, drawSummary } from '../../../renderer/chart/summary.ts';
import { seriesOf } from './series-of.ts';

/** A picture of one key from the values in each column of pixels; columns are a second wide. */
function picture(...columns: readonly (readonly number[])[]): SeriesPicture {
  const records = columns.flatMap((values, second) =>
    values.map((value, i) => ({ time: second * 1e6 + i, values: [value] })),
  );
  return seriesOf(records, ['value'], 0, columns.length * 1e6 - 1, columns.length);
}

const drawn = (series: SeriesPicture, key = 0) => drawSummary(series).values[key] ?? [];

test('each column of pixels is drawn from its first to its last value, through both extremes', () => {
  expect(drawn(picture([5, 9, 1, 4], [7]))).toEqual([5, 1, 9, 4, 7, 7, 7, 7]);
});

/** In how many places a line is broken. */
const breaks = (values: readonly unknown[]) =>
  values.filter((value, i) => value === null && values[i - 1] !== null).length;

test('points lie inside their column, in order, in ms', () => {
  assert(
    property(array(oneof(constant([]), array(integer())), { minLength: 1, maxLength: 40 }), (columns) => {
      const { times } = drawSummary(picture(...columns));
      expect(times.map((time) => Math.floor(time / 1000))).toEqual(
        columns.flatMap((_, column) => [column, column, column, column]),
      );
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
  );
});

test('a silence of ten usual intervals breaks the line', () => {
  const busy = Array.from({ length: 20 }, (_, i) => i);
  expect(drawn(picture(busy, [], busy)).slice(4, 8)).toEqual([null, null, null, null]);
});

test('columns between rare readings do not break it, until the readings stay away', () => {
  const rare = (silence: number) =>
    picture([1], [], [2], [], [3], ...Array.from({ length: silence }, () => []), [4]);
  expect(breaks(drawn(rare(9)))).toBe(0);
  expect(breaks(drawn(rare(10)))).toBe(1);
});

test('a key that is silent leaves the others whole', () => {
  const records = Array.from({ length: 300 }, (_, i) => ({
    time: i * 1e5,
    values: [i, i < 100 || i >= 200 ? i : Number.NaN],
  }));
  const series = seriesOf(records, ['steady', 'stopped'], 0, 30e6 - 1, 30);
  expect(breaks(drawn(series, 0))).toBe(0);
  expect(breaks(drawn(series, 1))).toBe(1);
});

test('bounds and the number of records leave gaps out', () => {
  const series = picture([3, -2], [], [8]);
  expect(boundsOf(series)).toEqual([{ min: -2, max: 8 }]);
  expect(countOf(series)).toBe(3);
  expect(countOf(picture([]))).toBe(0);
});

test('the cursor finds its column, and the outermost ones beyond the ends', () => {
  const series = picture([1], [2], [3]);
  expect([-5, 0, 999_999, 1_000_000, 2_999_999, 9e9].map((instant) => columnAt(series, instant))).toEqual([
    0, 0, 0, 1, 2, 2,
  ]);
});
