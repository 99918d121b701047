import { expect, test } from 'vitest';
import type { SeriesPicture } from '#shared/bridge/wire.ts';
import {
  boundsOf,
  columnAt,
  recordCount,
  drawSeries,
  newestOf,
} from '../../../../../renderer/chart/draw/draw-series.ts';
import { seriesOf } from './series-of.ts';

/** A picture of one key from the values in each column of pixels; columns are a second wide. */
function picture(...columns: readonly (readonly number[])[]): SeriesPicture {
  const records = columns.flatMap((values, second) =>
    values.map((value, i) => ({ time: second * 1e6 + i * 1000, values: [value] })),
  );
  return seriesOf(records, ['value'], 0, columns.length * 1e6 - 1, columns.length);
}

const whole = ({ start, end }: SeriesPicture) => ({ from: start, to: end });

test('each column of pixels is drawn from its first to its last value, through both extremes', () => {
  const [line] = drawSeries(picture([5, 9, 1, 4], [7], [6, 2]));
  expect(line?.values).toEqual([5, 1, 9, 4, 7, 6, 2]);
  expect(line?.times.map((time) => Math.floor(time / 1e6))).toEqual([0, 0, 0, 0, 1, 2, 2]);
});

test('a key that is silent leaves the others whole', () => {
  const records = Array.from({ length: 300 }, (_, i) => ({
    time: i * 1e5,
    values: [i, i < 100 || i >= 200 ? i : Number.NaN],
  }));
  const series = seriesOf(records, ['steady', 'stopped'], 0, 30e6 - 1, 30);
  expect(drawSeries(series).map(({ starts }) => starts.length)).toEqual([1, 2]);
});

test('a line comes from the number before the window and leads to the one after it, unless a silence lies between', () => {
  const records = [0, 10, 20, 30, 40, 50, 60].map((second) => ({ time: second * 1e6, values: [second] }));
  const [line] = drawSeries(seriesOf(records, ['value'], 15e6, 45e6, 100));
  expect(line?.values).toEqual([10, 20, 30, 40, 50]);
  expect(line?.starts).toEqual([0]);
  expect(line).toMatchObject({ min: 20, max: 40 });
  const late = [...records, { time: 900e6, values: [1] }];
  expect(drawSeries(seriesOf(late, ['value'], 45e6, 700e6, 100))[0]?.starts).toHaveLength(2);
});

test('bounds, the newest number and the number of records leave gaps out', () => {
  const series = picture([3, -2], [], [8], []);
  expect(boundsOf(series, whole(series))).toEqual([{ min: -2, max: 8 }]);
  expect(boundsOf(series, { from: 0, to: 1.5e6 })).toEqual([{ min: -2, max: 3 }]);
  expect(newestOf(series, whole(series))).toEqual([{ instant: 2e6, value: 8 }]);
  expect(newestOf(series, { from: 0, to: 1.5e6 })).toEqual([{ instant: 1000, value: -2 }]);
  expect(recordCount(series)).toBe(3);
  expect(recordCount(picture([]))).toBe(0);
  expect(newestOf(picture([]), { from: 0, to: 1e6 })).toEqual([null]);
});

test('the cursor finds its column, and the outermost ones beyond the ends', () => {
  const series = picture([1], [2], [3]);
  expect([-5, 0, 999_999, 1_000_000, 2_999_999, 9e9].map((instant) => columnAt(series, instant))).toEqual([
    0, 0, 0, 1, 2, 2,
  ]);
});
