import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { parseAgo, parseTimeEntry } from '../../../../../renderer/chart/time/time-entry.ts';
import type { Zone } from '../../../../../renderer/time.ts';

const NOW = Date.UTC(2026, 10, 22, 17, 30, 12) * 1000;
const SECOND = 1e6;
const HOUR = 3_600 * SECOND;
const read = (text: string, side: 'from' | 'to' = 'from', zone: Zone = 'utc') =>
  parseTimeEntry(text, { now: NOW, zone, side });
const utc = (text: string) => Date.parse(text) * 1000;

describe('what people type', () => {
  test.each([
    ['now', NOW],
    [' Now ', NOW],
    ['-6h', NOW - 6 * HOUR],
    ['−6h', NOW - 6 * HOUR],
    ['now-6h', NOW - 6 * HOUR],
    ['-90s', NOW - 90 * SECOND],
    ['-30m', NOW - 0.5 * HOUR],
    ['-30 min', NOW - 0.5 * HOUR],
    ['-1.5h', NOW - 1.5 * HOUR],
    ['-2w', NOW - 14 * 24 * HOUR],
    ['today', utc('2026-11-22T00:00:00Z')],
    ['yesterday', utc('2026-11-21T00:00:00Z')],
    ['yesterday 18:00', utc('2026-11-21T18:00:00Z')],
    ['18:00', utc('2026-11-22T18:00:00Z')],
    ['7:05:30', utc('2026-11-22T07:05:30Z')],
    ['2026-11-19', utc('2026-11-19T00:00:00Z')],
    ['2026-11-19 18:00', utc('2026-11-19T18:00:00Z')],
    ['2026-11-19T18:00:00.25', utc('2026-11-19T18:00:00.250Z')],
    ['2026-11-19T18:00:00.000001Z', utc('2026-11-19T18:00:00Z') + 1],
    ['2026-11-19 18:00 +01:00', utc('2026-11-19T17:00:00Z')],
    ['2026-11-19T18:00-0330', utc('2026-11-19T21:30:00Z')],
    ['2026-11-19 18:00 UTC', utc('2026-11-19T18:00:00Z')],
  ])('%s', (text, instant) => {
    expect(read(text)).toBe(instant);
  });

  test.each([
    '',
    '6h',
    '-6',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '25:00',
    '18:60',
    '2026-11-19 18',
    'now now',
    '19.11.2026',
    '2026-11-19 18:00 19:00',
    '-h',
  ])('%s is no time', (text) => {
    expect(read(text)).toBeNull();
  });

  test('a day is its first instant where something begins, and its last one where it ends', () => {
    expect(read('2026-11-19', 'to')).toBe(utc('2026-11-20T00:00:00Z') - 1);
    expect(read('yesterday', 'to')).toBe(utc('2026-11-22T00:00:00Z') - 1);
    expect(read('yesterday 00:00', 'to')).toBe(utc('2026-11-21T00:00:00Z'));
  });

  test('how long ago alone is a length, too', () => {
    expect(parseAgo('-6h')).toBe(6 * HOUR);
    expect(parseAgo('yesterday')).toBeNull();
  });
});

const date = fc.record({
  year: fc.integer({ min: 1971, max: 2199 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 31 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  second: fc.integer({ min: 0, max: 59 }),
});
const two = (value: number) => String(value).padStart(2, '0');

test.each(['local', 'utc'] as const)('a date and time is what luxon makes of it (%s)', (zone) => {
  fc.assert(
    fc.property(date, fc.constantFrom(' ', 'T', 't'), (parts, between) => {
      const { year, month, day, hour, minute, second } = parts;
      const text = `${year}-${two(month)}-${two(day)}${between}${two(hour)}:${two(minute)}:${two(second)}`;
      const expected = DateTime.fromObject(parts, { zone: zone === 'utc' ? 'utc' : 'system' });
      const instant = read(text, 'from', zone);
      // A clock that was put back says one time twice: either is right.
      const both = expected.isValid
        ? expected.getPossibleOffsets().map((one) => one.toMillis() * 1000)
        : [null];
      expect(both).toContain(instant);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test('a time with an offset is what luxon makes of it', () => {
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(date, offset, fc.boolean(), (parts, minutes, isPlain) => {
      const size = Math.abs(minutes);
      const sign = minutes < 0 ? '-' : '+';
      const zone = `${sign}${two(Math.floor(size / 60))}${isPlain ? '' : ':'}${two(size % 60)}`;
      const { year, month, day, hour, minute } = parts;
      const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}${zone}`;
      const expected = DateTime.fromISO(text);
      expect(read(text, 'from', 'local')).toBe(expected.isValid ? expected.toMillis() * 1000 : null);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});
