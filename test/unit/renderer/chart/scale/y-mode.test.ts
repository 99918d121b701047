import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentile, robustBounds } from '../../../../../renderer/chart/scale/outliers.ts';
import { axisRange, zoomAxis } from '../../../../../renderer/chart/scale/y-mode.ts';

/** A week of a temperature every five minutes, with so many readings of 999. */
const week = (faulty: number) =>
  Float64Array.from({ length: 2016 }, (_, at) =>
    at >= 1000 && at < 1000 + faulty ? 999 : 20 + 2 * Math.sin(at / 40),
  );
const seen = (numbers: Float64Array) => ({
  bounds: { min: Math.min(...numbers), max: Math.max(...numbers) },
  robust: () => robustBounds(numbers),
});

test.each([1, 5, 12, 30])('%s readings of 999 do not press a week flat, by themselves', (faulty) => {
  const range = axisRange('auto', seen(week(faulty)));
  expect(range?.isCut).toBe(true);
  expect(range?.span[0]).toBeGreaterThan(15);
  expect(range?.span[1]).toBeLessThan(25);
  expect(axisRange('fit', seen(week(faulty)))?.span[1]).toBeGreaterThan(999);
});

test('a state that lasts is no outlier, nor is what only lies a little beyond', () => {
  expect(axisRange('auto', seen(week(400)))?.isCut).toBe(false);
  expect(axisRange('auto', seen(week(0)))?.isCut).toBe(false);
  expect(axisRange('robust', seen(week(400)))?.span[1]).toBeGreaterThan(999);
  const switched = Float64Array.from({ length: 1000 }, (_, at) => (at < 15 ? 1 : 0));
  expect(axisRange('auto', seen(switched))?.isCut).toBe(false);
});

test('from 0 has zero at its end', () => {
  expect(axisRange('zero', { bounds: { min: 10, max: 20 }, robust: never })?.span[0]).toBe(0);
  expect(axisRange('zero', { bounds: { min: -20, max: -10 }, robust: never })?.span[1]).toBe(0);
  expect(axisRange('fit', { bounds: { min: Infinity, max: -Infinity }, robust: never })).toBeNull();
});

test('a percentile has as much below it as it says, by a naive count', () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      const found = percentile(Float64Array.from(all).toSorted(), share);
      const below = all.filter((number) => number < found).length;
      const upTo = all.filter((number) => number <= found).length;
      expect(below).toBeLessThanOrEqual(Math.ceil(share * (all.length - 1)));
      expect(upTo).toBeGreaterThanOrEqual(Math.floor(share * (all.length - 1)));
    }),
  );
});

test('a percentile of numbers that lie as far apart as numbers can is one of them, nearly', () => {
  const ends = Float64Array.of(-1.7976931348623145e308, 1.2972962011975679e293);
  expect(percentile(ends, 5e-324)).toBe(ends[0]);
  expect(percentile(Float64Array.of(-Number.MAX_VALUE, Number.MAX_VALUE), 0.5)).toBe(0);
});

test('an axis that is zoomed keeps the value under the wheel where it is', () => {
  expect(zoomAxis([0, 10], 0.5, 2)).toEqual([1, 6]);
  expect(zoomAxis([1, 1 + Number.EPSILON], 0.5, 1)).toEqual([1, 1 + Number.EPSILON]);
});

function never(): never {
  throw new Error('Nobody asked for it.');
}
