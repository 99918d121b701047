import { expect, test } from 'vitest';
import { viewOf } from '../../../../../renderer/chart/controls/range-menu.tsx';
import { labelOfRange, rangeOfSpan, spanOfRange } from '../../../../../renderer/chart/time/range.ts';

const NOW = Date.UTC(2026, 10, 22, 17) * 1000;
const view = (from: string, to: string) => viewOf(from, to, 'utc', NOW);

test('so long ago up to now moves on; anything else is a window', () => {
  expect(view('-6h', 'now')).toEqual({ view: { range: '6h', window: null } });
  expect(view('-1.5h', ' Now ')).toEqual({ view: { range: '90m', window: null } });
  expect(view('-6h', '-1h')).toEqual({
    view: { range: 'all', window: { from: NOW - 6 * 3_600e6, to: NOW - 3_600e6 } },
  });
  expect(view('2026-11-19', '2026-11-19')).toMatchObject({
    view: { window: { from: Date.UTC(2026, 10, 19) * 1000, to: Date.UTC(2026, 10, 20) * 1000 - 1 } },
  });
});

test('what is wrong is said of the entry that it is wrong in', () => {
  expect(view('soon', 'now')).toMatchObject({ field: 'from', text: expect.stringContaining('Takes a date') });
  expect(view('-6h', 'soon')).toMatchObject({ field: 'to', text: expect.stringContaining('Takes a date') });
  expect(view('now', '-6h')).toMatchObject({ field: 'to', text: 'Must lie after 2026-11-22 17:00:00.' });
});

test('ranges are read, written and said', () => {
  expect(spanOfRange('6h')).toBe(6 * 3_600e6);
  for (const wrong of ['6', 'h', '0h', '-6h', '6y', 'all', '6h ']) expect(spanOfRange(wrong)).toBeNull();
  expect(rangeOfSpan(spanOfRange('90m') ?? 0)).toBe('90m');
  expect(rangeOfSpan(spanOfRange('2w') ?? 0)).toBe('14d');
  expect(['all', '24h', '1h', '90m', '1w', '5m', '30s'].map(labelOfRange)).toEqual([
    'All time',
    'Last 24 hours',
    'Last hour',
    'Last 90 minutes',
    'Last week',
    'Last 5 minutes',
    'Last 30 seconds',
  ]);
});
