import { expect, test } from 'vitest';
import { formatMicros, NEVER_SEEN } from '#shared/values/time.ts';
import { lookOf, lookSentence } from '../../../../renderer/components/facts/status-look.ts';

const NOW = Date.UTC(2026, 0, 15) * 1000;
const MINUTE = 60e6;

const device = (minutes: number | null, interval_s: number | null = null, newest: string | null = null) => ({
  newest,
  last_seen: minutes === null ? NEVER_SEEN : formatMicros(NOW - minutes * MINUTE),
  interval_s,
});

test.each([
  [device(null), 'never'],
  [device(0), 'online'],
  [device(15), 'online'],
  [device(16), 'late'],
  [device(16, 600), 'online'],
  [device(2, 30), 'late'],
  [device(1440), 'late'],
  [device(1441), 'silent'],
  [device(1441, 86_400), 'online'],
  // A clock that is behind the service's.
  [device(-60), 'online'],
  // Files brought its records, and nothing has come from it.
  [device(null, null, '2025-01-01T00:00:00Z'), 'recording'],
  [device(16, null, '2025-01-01T00:00:00Z'), 'late'],
] as const)('%j is %s', (watched, look) => {
  expect(lookOf(watched, NOW)).toBe(look);
});

test('it is said in a sentence', () => {
  expect(lookSentence(device(180), NOW)).toBe(
    'Late: last seen 3 hours ago. Late from 15 min of silence on, silent from a day on',
  );
  expect(lookSentence(device(1, 30), NOW)).toContain('Late from 1 min of silence on, twice its interval');
  expect(lookSentence(device(null), NOW)).toBe('Never: nothing has come from it yet');
  expect(lookSentence(device(null, null, '2025-01-01T00:00:00Z'), NOW)).toBe(
    'Recording: its records came from files',
  );
});
