import { expect, test } from 'vitest';
import { GrowingIntervals, usualIntervals } from '../../../../../renderer/chart/records/interval.ts';

const SECOND = 1e6;

function intervalOf(times: readonly number[]): number | null | undefined {
  return usualIntervals({
    timestamps: Float64Array.from(times),
    columns: [Float64Array.from(times, () => 1)],
  })[0];
}

test('it is what passes between a key and itself, not between records', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => row);
  const every = (step: number) => Float64Array.from(rows, (row) => (row % step === 0 ? row : Number.NaN));
  const view = {
    timestamps: Float64Array.from(rows, (row) => row * SECOND),
    columns: [every(1), every(2), every(50), every(1000), every(1001).fill(Number.NaN)],
  };
  expect(usualIntervals(view)).toEqual([SECOND, 2 * SECOND, 50 * SECOND, null, null]);
});

test('one silence among few is not usual, and records at one instant do not count', () => {
  expect(intervalOf([0, 1, 2, 3, 900])).toBe(1);
  expect(intervalOf([0, 0, 0, 0, 5, 5, 5, 10])).toBe(5);
  expect(intervalOf([3, 3, 3])).toBeNull();
});

test('of very many, what recurs is seen as often as it comes', () => {
  // Bursts of eight, a hundred µs apart, each second: seven of eight intervals are short.
  const bursts = Array.from({ length: 400_000 }, (_, i) => Math.floor(i / 8) * SECOND + (i % 8) * 100);
  expect(intervalOf(bursts)).toBe(100);
  const echoes = Array.from({ length: 150_000 }, (_, i) => i * SECOND).flatMap((time, i) =>
    i % 4 === 0 ? [time, time + 900] : [time],
  );
  expect(intervalOf(echoes)).toBe(SECOND);
});

test('of rows that come one by one it is taken anew once they are a sixteenth more, or fewer', () => {
  const every = (step: number, count: number, from = 0) =>
    Array.from({ length: count }, (_, row) => from + row * step);
  const viewOf = (times: readonly number[]) => ({
    timestamps: Float64Array.from(times),
    columns: [Float64Array.from(times, () => 1)],
  });
  const growing = new GrowingIntervals();
  expect(growing.of(viewOf([]))).toEqual([]);
  expect(growing.of(viewOf([0, 1]))).toEqual([1]);
  expect(growing.of(viewOf([0, 1, 6, 11]))).toEqual([5]);
  const seconds = every(SECOND, 160);
  const first = growing.of(viewOf(seconds));
  expect(first).toEqual([SECOND]);
  expect(growing.of(viewOf([...seconds, ...every(1, 10, 160 * SECOND)]))).toBe(first);
  expect(growing.of(viewOf([...seconds, ...every(1, 200, 160 * SECOND)]))).toEqual([1]);
  expect(growing.of(viewOf(every(2, 20)))).toEqual([2]);
});
