import { expect, test } from 'vitest';
import { pictureOf } from '../../../../../renderer/chart/draw/picture.ts';
import { readoutOf } from '../../../../../renderer/chart/controls/legend/readings.ts';
import { seriesOf } from '../draw/series-of.ts';

const SECOND = 1e6;
const records = [
  { time: 1_000_001, values: [20.5, NaN] },
  { time: 2_000_002, values: [0.1 + 0.2, 7] },
];
const viewOf = (rows: typeof records) => ({
  timestamps: Float64Array.from(rows, ({ time }) => time),
  columns: [0, 1].map((key) => Float64Array.from(rows, ({ values }) => values[key] ?? NaN)),
});
const picture = pictureOf(viewOf(records));
const newest = [0.1 + 0.2, 7].map((value) => ({ instant: 2_000_002, value }));
/** `0 … 9` is what a column of pixels holds. */
const said = (text: string, age: string | null = null) => ({
  numbers: text === '–' ? [] : text.split(' … ').map(Number),
  age,
});

test('without a cursor the newest numbers are said to the last digit', () => {
  expect(readoutOf(picture, newest, null)).toEqual({
    from: 2_000_002,
    to: null,
    values: [said('0.30000000000000004'), said('7')],
  });
  expect(readoutOf(null, [], null)).toBeNull();
  expect(readoutOf(picture, [null, null], null)).toBeNull();
});

test('a key that has nothing at that instant says its own closest number, and how far it is', () => {
  expect(readoutOf(picture, newest, 1_400_000)).toEqual({
    from: 1_000_001,
    to: null,
    values: [said('20.5'), said('7', '1 s after')],
  });
  expect(readoutOf(picture, [{ instant: 5e6, value: 1 }, null], null)?.values).toEqual([
    said('1'),
    said('–'),
  ]);
});

test('the age is said only where more than usual lies between', () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({
    time: i * SECOND,
    values: i % 2 === 0 ? [i, NaN] : [NaN, i < 100 ? i : NaN],
  }));
  const turns = pictureOf(viewOf(rows));
  expect(readoutOf(turns, [], 50.2 * SECOND)?.values).toEqual([said('50'), said('49')]);
  expect(readoutOf(turns, [], 130.2 * SECOND)?.values).toEqual([said('130'), said('99', '31 s before')]);
  const last = [
    { instant: 198 * SECOND, value: 198 },
    { instant: 99 * SECOND, value: 99 },
  ];
  expect(readoutOf(turns, last, null)).toMatchObject({
    from: 198 * SECOND,
    values: [said('198'), said('99', '1 min 39 s before')],
  });
});

test('of a summary, what the column of pixels under the cursor holds and from when to when', () => {
  const many = Array.from({ length: 100 }, (_, i) => ({ time: i * 1e6, values: [i % 10, i < 10 ? 3 : NaN] }));
  const series = seriesOf(many, ['a', 'b'], 0, 100e6 - 1, 10);
  expect(readoutOf({ kind: 'series', series }, newest, 25e6)).toEqual({
    from: 20e6,
    to: 30e6,
    values: [said('0 … 9'), said('3', '11 s before')],
  });
  expect(readoutOf({ kind: 'series', series }, newest, 5e6)?.values).toEqual([said('0 … 9'), said('3')]);
});
