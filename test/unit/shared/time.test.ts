import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';

const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

test('any instants are written as Date writes their milliseconds, whichever was written before', () => {
  const ms = fc.oneof(
    fc.integer({ min: FIRST_MS, max: LAST_MS }),
    // Next to where a minute, and a year, begins.
    fc.integer({ min: -3, max: 3 }).map((offset) => Date.parse('2026-01-01T00:00:00Z') + offset),
    fc.integer({ min: -120_000, max: 120_000 }),
  );
  const instants = fc.array(fc.tuple(ms, fc.integer({ min: 0, max: 999 })), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(instants, (given) => {
      // Beyond these years a number has not every microsecond.
      const exact = given.filter(([at]) => Math.abs(at) < 9e12);
      const written = exact.map(([at, micros]) => formatMicros(at * 1000 + micros));
      const expected = exact.map(
        ([at, micros]) => `${new Date(at).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`,
      );
      expect(written).toEqual(expected);
    }),
  );
  for (const at of [FIRST_MS, LAST_MS])
    expect(formatMicros(at * 1000)).toBe(`${new Date(at).toISOString().slice(0, -1)}000Z`);
});
