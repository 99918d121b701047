import { describe, expect, test } from 'vitest';
import { NEVER_SEEN, parseInstant } from '#shared/values/time.ts';
import { formatClock, formatLocal, formatRelative, lastSeenOf, zoneOffset } from '../../../renderer/time.ts';

describe('times', () => {
  const local = (ms: number) => new Date(2026, 2, 2, 21, 30, 21, ms).getTime() * 1000;
  test('show the digits that an instant has, to the microsecond', () => {
    expect(formatLocal(local(0))).toBe('2026-03-02 21:30:21');
    expect(formatLocal(local(202) + 946)).toBe('2026-03-02 21:30:21.202946');
    expect(formatClock(local(500))).toBe('21:30:21.5');
  });
  test('are right before 1970', () => {
    expect(formatClock(new Date(1931, 0, 1, 6, 7, 8).getTime() * 1000 + 1)).toBe('06:07:08.000001');
  });
  test('name the offset of the local zone', () => {
    expect(zoneOffset(local(0))).toMatch(/^UTC[+−]\d{2}:\d{2}$/);
  });
  test('relative ones count whole units', () => {
    const now = 1e15;
    const ago = (seconds: number) => formatRelative(now - seconds * 1e6, now);
    expect([5, 60, 119, 7200, 172_800].map(ago)).toEqual([
      'just now',
      '1 minute ago',
      '1 minute ago',
      '2 hours ago',
      '2 days ago',
    ]);
  });
  test('the zero timestamp is "never"', () => {
    expect(lastSeenOf({ last_seen: NEVER_SEEN })).toBeNull();
    expect(lastSeenOf({ last_seen: '2026-03-02T20:30:21Z' })).toBe(parseInstant('2026-03-02T20:30:21Z'));
  });
});
