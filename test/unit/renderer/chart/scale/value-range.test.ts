import { expect, test } from 'vitest';
import { valueRange } from '../../../../../renderer/chart/scale/value-range.ts';

test('an axis has room around its numbers', () => {
  const [low, high] = valueRange(18, 24);
  expect(low).toBeLessThan(18);
  expect(high).toBeGreaterThan(24);
  expect(valueRange(null, null)).toEqual([null, null]);
});

test('a counter far from zero fills the height although it hardly moves', () => {
  const [low, high] = valueRange(1.8e12, 1.8e12 + 100);
  expect(low).toBeCloseTo(1.8e12 - 10);
  expect(high).toBeCloseTo(1.8e12 + 110);
});

test('rounding is no movement', () => {
  const [low, high] = valueRange(89.69999999999999, 89.7);
  expect((high ?? 0) - (low ?? 0)).toBeGreaterThan(1);
});

test.each([
  [0, Number.MAX_VALUE],
  [-Number.MAX_VALUE, Number.MAX_VALUE],
  [Number.MAX_VALUE, Number.MAX_VALUE],
  [-9e307, 9e307],
])('an axis from %s to %s spans a number', (min, max) => {
  const [low, high] = valueRange(min, max);
  expect(Number.isFinite((high ?? Infinity) - (low ?? -Infinity))).toBe(true);
  expect(high).toBeGreaterThan(low ?? Infinity);
});
