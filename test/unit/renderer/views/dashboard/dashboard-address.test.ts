import { describe, expect, test } from 'vitest';
import { dashboardTail } from '../../../../../renderer/views/dashboard/dashboard-address.ts';
import { rangeOfSeconds } from '../../../../../renderer/views/dashboard/widget/use-span.ts';
import { spanOfRange } from '../../../../../renderer/chart/time/range.ts';

describe('the address of a dashboard', () => {
  test.each([
    '',
    '?range=24h',
    '?range=all&from=2026-01-05T08:00:00.000000Z&to=2026-01-05T09:00:00.000000Z&zone=utc',
  ])('as “%s” is written as it is read', (text) => {
    const shown = dashboardTail.parse([], text.slice(1));
    expect(shown).not.toBeNull();
    expect(shown && dashboardTail.text(shown)).toBe(text);
  });

  test('counts what is wrong in it as not said, and has nothing behind its path', () => {
    expect(dashboardTail.parse([], 'range=1y&from=yesterday&to=now&zone=mars')).toEqual({});
    expect(dashboardTail.parse([], 'from=2026-01-05T09:00:00Z&to=2026-01-05T08:00:00Z&range=1h')).toEqual({});
    expect(dashboardTail.parse(['devices'], '')).toBeNull();
  });
});

describe('seconds as a range', () => {
  test.each([
    [45, '45s'],
    [3_600, '1h'],
    [86_400, '1d'],
    [90_061, '90061s'],
  ])('%i are %s', (seconds, range) => {
    expect(rangeOfSeconds(seconds)).toBe(range);
  });

  test('of many years are a range still, rounded up', () => {
    for (const seconds of [1_000_001, 59_999_999, 60_000_001, 315_359_999, 315_360_000]) {
      const span = (spanOfRange(rangeOfSeconds(seconds)) ?? 0) / 1e6;
      expect(span - seconds).toBeGreaterThanOrEqual(0);
      expect(span - seconds).toBeLessThan(3_600);
    }
  });
});
