import { assert, integer, maxSafeInteger, property } from 'fast-check';
import { expect, test } from 'vitest';
import { columnStarts } from '#shared/values/pixel-columns.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';

/** The rule of shared/values/pixel-columns.ts, in numbers of any length. */
function columnOf(instant: number, start: number, end: number, width: number): number {
  const span = BigInt(end) - BigInt(start) + 1n;
  return Number(((BigInt(instant) - BigInt(start)) * BigInt(width)) / span);
}

function expectExact(start: number, end: number, width: number): void {
  const starts = columnStarts(start, end, width);
  starts.forEach((first, column) => {
    // With fewer instants than columns some columns hold none: their first instant is the next column's.
    if (first > end || starts[column + 1] === first) return;
    expect(columnOf(first, start, end, width)).toBe(column);
    if (first > start) expect(columnOf(first - 1, start, end, width)).toBeLessThan(column);
  });
}

test('the first instant of every column is the first one that falls into it', () => {
  assert(
    property(
      maxSafeInteger(),
      integer({ min: 0, max: 2 ** 48 }),
      integer({ min: 1, max: 50 }),
      (a, b, width) => {
        const start = a % 2 ** 52;
        expectExact(start, start + b, width);
      },
    ),
  );
});

test('that holds over all the time that records may carry, and over less than a column has pixels', () => {
  expectExact(FIRST_RECORD_TIME, LAST_RECORD_TIME, 1103);
  expectExact(5, 11, 800);
  expectExact(5, 5, 3);
});
