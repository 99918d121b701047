import * as fc from 'fast-check';
import { IANAZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import { createLocalTime } from '#core/import/time/local-time.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';

/** Converts wall texts in order; answers the instants as UTC texts without seconds. */
function convert(zone: string, walls: readonly string[]) {
  const local = createLocalTime(zone);
  const instants = walls.map((wall) =>
    formatMicros(local.toInstant(parseInstant(`${wall}:00Z`) ?? Number.NaN)).slice(5, 16),
  );
  return { instants, skipped: local.skipped, repeated: local.repeated };
}

describe('times on the wall', () => {
  test('become instants by the zone, in winter and summer', () => {
    expect(convert('Europe/Berlin', ['2024-01-10T12:00', '2024-07-10T12:00']).instants).toEqual([
      '01-10T11:00',
      '07-10T10:00',
    ]);
    expect(convert('UTC', ['2024-07-10T12:00']).instants).toEqual(['07-10T12:00']);
    expect(convert('Asia/Kathmandu', ['2024-07-10T12:00']).instants).toEqual(['07-10T06:15']);
  });

  test('in a skipped hour move forward by it, and are counted', () => {
    const walls = ['2024-03-31T01:59', '2024-03-31T02:30', '2024-03-31T03:00'];
    expect(convert('Europe/Berlin', walls)).toEqual({
      instants: ['03-31T00:59', '03-31T01:30', '03-31T01:00'],
      skipped: 1,
      repeated: 0,
    });
  });

  test('in a repeated hour are of the first pass until they step back', () => {
    const walls = [
      '2024-10-27T01:30',
      '2024-10-27T02:00',
      '2024-10-27T02:30',
      '2024-10-27T02:00',
      '2024-10-27T02:30',
      '2024-10-27T03:00',
    ];
    expect(convert('Europe/Berlin', walls)).toEqual({
      instants: ['10-26T23:30', '10-27T00:00', '10-27T00:30', '10-27T01:00', '10-27T01:30', '10-27T02:00'],
      skipped: 0,
      repeated: 4,
    });
  });

  test('of one row an hour are of the second pass where the same time comes again', () => {
    const walls = ['2024-10-27T01:00', '2024-10-27T02:00', '2024-10-27T02:00', '2024-10-27T03:00'];
    const instants = ['10-26T23:00', '10-27T00:00', '10-27T01:00', '10-27T02:00'];
    expect(convert('Europe/Berlin', walls).instants).toEqual(instants);
    expect(convert('Europe/Berlin', walls.toReversed()).instants).toEqual(instants.toReversed());
  });

  test('of which each comes twice, as of two sensors, or closer to each other, are no second pass when they come again', () => {
    const twice = ['2024-10-27T01:00', '2024-10-27T01:00', '2024-10-27T02:00', '2024-10-27T02:00'];
    expect(convert('Europe/Berlin', twice).instants.slice(2)).toEqual(['10-27T00:00', '10-27T00:00']);
    const close = ['2024-10-27T01:45', '2024-10-27T02:00', '2024-10-27T02:00', '2024-10-27T02:15'];
    expect(convert('Europe/Berlin', close).instants.slice(1)).toEqual([
      '10-27T00:00',
      '10-27T00:00',
      '10-27T00:15',
    ]);
  });

  test('written newest first are of the second pass until they step forward', () => {
    const walls = [
      '2024-10-27T03:00',
      '2024-10-27T02:30',
      '2024-10-27T02:00',
      '2024-10-27T02:30',
      '2024-10-27T02:00',
      '2024-10-27T01:30',
    ];
    expect(convert('Europe/Berlin', walls).instants).toEqual([
      '10-27T02:00',
      '10-27T01:30',
      '10-27T01:00',
      '10-27T00:30',
      '10-27T00:00',
      '10-26T23:30',
    ]);
  });

  test('that step back elsewhere are taken as they are', () => {
    expect(
      convert('Europe/Berlin', ['2024-10-26T02:30', '2024-10-26T02:00', '2024-10-26T02:00']).instants,
    ).toEqual(['10-26T00:30', '10-26T00:00', '10-26T00:00']);
  });

  test.each([
    ['Europe/Berlin', 2024],
    ['America/New_York', 2007],
    ['America/New_York', 2006],
    ['Australia/Lord_Howe', 2024],
    ['America/St_Johns', 1990],
    ['Africa/Casablanca', 2023],
    ['Asia/Kolkata', 2024],
  ])('give back every instant of a steady recording in %s in %i, either way round', (zoneName, year) => {
    const zone = IANAZone.create(zoneName);
    const start = Date.UTC(year, 0, 2);
    const instants = Array.from({ length: 360 * 24 * 3 }, (_, step) => start + step * 1_200_000);
    const walls = instants.map((instant) => instant + zone.offset(instant) * 60_000);
    const forward = createLocalTime(zoneName);
    expect(walls.map((wall) => forward.toInstant(wall * 1000) / 1000)).toEqual(instants);
    const backward = createLocalTime(zoneName);
    expect(walls.toReversed().map((wall) => backward.toInstant(wall * 1000) / 1000)).toEqual(
      instants.toReversed(),
    );
  });

  test('keep their microseconds, before 1970 too', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8e15, max: 7e15 }), (wall) => {
        expect(createLocalTime('UTC').toInstant(wall)).toBe(wall);
      }),
    );
  });

  test('need a zone that exists', () => {
    expect(() => createLocalTime('Europe/Atlantis')).toThrow(
      'zone must be an IANA time zone such as "Europe/Berlin", "UTC", or an offset that holds all year, such as "UTC+02:00", got "Europe/Atlantis"',
    );
    expect(() => createLocalTime('')).toThrow('got ""');
  });
});
