import { expect, test } from 'vitest';
import { readNoteTime } from '../../../../../../renderer/views/device/notes/note-time.ts';
import { formatLocal } from '../../../../../../renderer/time.ts';

test.each([
  ['2026-11-19', '2026-11-19 00:00:00'],
  ['2026-11-19 18:00', '2026-11-19 18:00:00'],
  [' 2026-11-19T18:00:05.25 ', '2026-11-19 18:00:05.25'],
  ['2026-11-19 18:00:05,000001', '2026-11-19 18:00:05.000001'],
])('%j is a time of the local zone', (text, shown) => {
  expect(formatLocal(readNoteTime(text)!)).toBe(shown);
});

test('a time with a zone of its own is taken as it is', () => {
  expect(readNoteTime('2026-11-19T18:00:00+01:00')).toBe(Date.UTC(2026, 10, 19, 17) * 1000);
  expect(readNoteTime('2026-11-19 18:00:00Z')).toBe(Date.UTC(2026, 10, 19, 18) * 1000);
});

test.each(['', 'now', '2026-02-31', '2026-11-19 25:00', '2026-11-19 18', '19.11.2026'])(
  '%j is none',
  (text) => {
    expect(readNoteTime(text)).toBeNull();
  },
);
