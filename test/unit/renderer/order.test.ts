import { expect, test } from 'vitest';
import { compareNames, compareTexts } from '../../../renderer/order.ts';

test('names are ordered by the numbers in them', () => {
  expect(['PT-10', 'PT-9', 'pt-1'].toSorted(compareNames)).toEqual(['pt-1', 'PT-9', 'PT-10']);
});

test('times of the service are ordered by their texts', () => {
  const times = ['2026-01-15T10:30:00Z', '0001-01-01T00:00:00Z', '2025-12-31T23:59:59Z'];
  expect(times.toSorted(compareTexts)).toEqual([
    '0001-01-01T00:00:00Z',
    '2025-12-31T23:59:59Z',
    '2026-01-15T10:30:00Z',
  ]);
  expect(compareTexts('a', 'a')).toBe(0);
});
