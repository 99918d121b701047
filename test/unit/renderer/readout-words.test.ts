import { expect, test } from 'vitest';
import { wordsOf } from '../../../renderer/views/device/readout-words.ts';
import { seriesOf } from './series-of.ts';

const records = [
  { time: 1_000_001, values: [20.5, NaN] },
  { time: 2_000_002, values: [0.1 + 0.2, 7] },
];
const view = {
  timestamps: Float64Array.from(records, ({ time }) => time),
  columns: [0, 1].map((key) => Float64Array.from(records, ({ values }) => values[key] ?? NaN)),
};
const newest = { instant: 2_000_002, values: [0.1 + 0.2, 7] };

test('without a cursor the newest record is said to the last digit', () => {
  expect(wordsOf(null, newest, null)).toEqual({
    from: 2_000_002,
    to: null,
    values: ['0.30000000000000004', '7'],
  });
  expect(wordsOf(null, null, null)).toBeNull();
});

test('the record closest to the cursor, with a dash for what it lacks', () => {
  const picture = { kind: 'records', view, sparse: [false, false] } as const;
  expect(wordsOf(picture, newest, 1_400_000)).toEqual({ from: 1_000_001, to: null, values: ['20.5', '–'] });
});

test('of a summary, what the column of pixels under the cursor holds and from when to when', () => {
  const many = Array.from({ length: 100 }, (_, i) => ({ time: i * 1e6, values: [i % 10, i < 10 ? 3 : NaN] }));
  const series = seriesOf(many, ['a', 'b'], 0, 100e6 - 1, 10);
  expect(wordsOf({ kind: 'summary', series }, newest, 25e6)).toEqual({
    from: 20e6,
    to: 30e6,
    values: ['0 … 9', '–'],
  });
  expect(wordsOf({ kind: 'summary', series }, newest, 5e6)?.values).toEqual(['0 … 9', '3']);
});
