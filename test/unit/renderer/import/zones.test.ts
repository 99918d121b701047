import { expect, test } from 'vitest';
import type { Inspection } from '#shared/operations/records/records.ts';
import { doubtsOfFile, offsetsBetween } from '../../../../renderer/import/clock-change.ts';
import { inspectText } from '../../import/inspecting.ts';
import { findZones, offsetName, zoneOptions } from '../../../../renderer/import/zones.ts';

const options = zoneOptions();
const found = (search: string) => findZones(options, search).map(({ value }) => value);

test.each([
  ['UTC+2', 'UTC+02:00'],
  ['+01:00', 'UTC+01:00'],
  ['−3:30', 'UTC-03:30'],
  ['gmt-5', 'UTC-05:00'],
  ['CET', 'UTC+01:00'],
  ['Etc', 'UTC'],
  ['GMT', 'UTC'],
  ['utc', 'UTC+05:30'],
  ['berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
])('who types %s finds %s', (search, zone) => {
  expect(found(search)).toContain(zone);
});

test('offsets that hold all year stand before the zones, each once', () => {
  const places = options.map(({ value }) => value);
  expect(new Set(places).size).toBe(places.length);
  const lastOffset = places.findLastIndex((zone) => zone.startsWith('UTC'));
  expect(places.slice(lastOffset + 1).every((zone) => zone.includes('/') || !zone.startsWith('UTC'))).toBe(
    true,
  );
  expect(options.find(({ value }) => value === 'UTC+02:00')?.label).toBe('UTC+02:00, all year');
  expect([offsetName(-210), offsetName(345)]).toEqual(['UTC-03:30', 'UTC+05:45']);
});

test('a change of clocks inside a span is seen, and its offsets are named', () => {
  const at = (text: string) => Date.parse(text) * 1000;
  expect(offsetsBetween('Europe/Berlin', at('2026-10-20'), at('2026-10-30'))).toEqual([
    'UTC+02:00',
    'UTC+01:00',
  ]);
  expect(offsetsBetween('Europe/Berlin', at('2026-07-01'), at('2026-07-30'))).toEqual(['UTC+02:00']);
  expect(offsetsBetween('Europe/London', at('2026-01-01'), at('2026-12-30'))).toEqual(['UTC', 'UTC+01:00']);
});

test('a change of clocks is asked of in one wording, whoever finds it', () => {
  const early = inspectText(`time,a\n2026-10-24 12:00:00,1\n2026-10-25 12:00:00,2\n`, {
    zone: 'Europe/Berlin',
  });
  const message = early.doubts.find(({ setting }) => setting === 'zone')?.message;
  expect(message).toMatch(/^The clocks in Europe\/Berlin were changed within the recording/);
  const late: Inspection = { ...early, doubts: [] };
  expect(doubtsOfFile(late, 'Europe/Berlin').clock?.message).toBe(message);
  expect(doubtsOfFile(early, 'Europe/Berlin')).toEqual({ clock: early.doubts[0], others: [] });
});
