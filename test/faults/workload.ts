import type { TimeRange } from '#shared/values/time.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { record } from '../suites/record-store/harness.ts';
import type { Act } from './history.ts';

/** Acts that are under way at the same time; or the store is closed and opened again. */
export type Step = readonly Act[] | 'reopen';

/** A record now and then without a key, with a text, or with what does not pack well. */
function reading(n: number, time = n * 1000): StoredRecord {
  const fields: Record<string, Value> = { n, temp: 20 + (n % 7) / 4 };
  if (n % 3 === 0) fields['note'] = `${'än'.repeat(n % 9)}\ud83d`;
  if (n % 5 === 0) fields['ok'] = n % 2 === 0;
  if (n % 11 === 0) fields['temp'] = n % 2 === 0 ? -0 : Math.sqrt(n) * 1e300;
  return record(time, fields);
}

const readings = (first: number, count: number, timeOf?: (n: number) => number) =>
  Array.from({ length: count }, (_, i) => reading(first + i, timeOf?.(first + i)));

const append = (device: string, records: readonly StoredRecord[], receipt?: string): Act => ({
  kind: 'append',
  device,
  records,
  receipt,
});

const replace = (
  device: string,
  name: string,
  range: TimeRange,
  chunks: readonly (readonly StoredRecord[])[],
  back?: string,
): Act => ({ kind: 'replace', device, name, range, chunks, back, isFor: 'this' });

/** A little of everything that changes files: meant for limits that make segments of a few records. */
export const WORKLOAD: readonly Step[] = [
  [append('a', readings(0, 3), 'first')],
  [append('a', readings(3, 1)), append('b', readings(0, 2)), append('a', readings(4, 2))],
  // Late, of equal times, newest first.
  [
    append(
      'a',
      readings(6, 6, (n) => (12 - n) * 400),
    ),
  ],
  [{ kind: 'batch', device: 'b', chunks: [readings(100, 20), readings(50, 5)] }],
  [append('c', readings(0, 700), 'large')],
  // The same twice at the same time, and again what was stored long ago.
  [
    append('b', readings(2, 2), 'twice'),
    append('b', readings(2, 2), 'twice'),
    append('a', readings(0, 3), 'first'),
  ],
  'reopen',
  [append('a', readings(20, 3)), { kind: 'purge', device: 'b', at: 77 }],
  [append('b', readings(200, 3)), append('c', readings(700, 1)), append('b', readings(2, 2), 'twice')],
  [{ kind: 'delete', device: 'a', range: { start: 1500, end: 3500 } }],
  [
    append(
      'a',
      readings(30, 40, (n) => 2000 + (n % 4)),
    ),
  ],
  // Removed so that it comes back, with records of the same times in between.
  [{ kind: 'keep', device: 'a', name: 'span', removal: { range: { start: 2001, end: 4000 } } }],
  [
    append(
      'a',
      readings(110, 3, () => 2002),
      'meanwhile',
    ),
    append('c', readings(720, 2)),
  ],
  [{ kind: 'keep', device: 'c', name: 'all', removal: { at: 79 } }],
  [{ kind: 'keep', device: 'a', name: 'later', removal: { range: { start: 2002, end: 2002 } } }],
  [{ kind: 'restore', device: 'a', name: 'span' }, append('c', readings(730, 2))],
  [
    { kind: 'restore', device: 'c', name: 'all' },
    { kind: 'discard', device: 'a', name: 'later' },
  ],
  // Others take their place, some arrive, and what was there before comes back.
  [
    replace('a', 'decoded', { start: 2001, end: 4000 }, [
      readings(400, 30, (n) => 2001 + (n >> 3) - (400 >> 3)),
    ]),
  ],
  [
    append(
      'a',
      readings(120, 2, () => 2003),
    ),
    append('c', readings(740, 1)),
  ],
  [
    replace('a', 'undone', { start: 2001, end: 4000 }, [readings(120, 2, () => 2003)], 'decoded'),
    append('c', readings(741, 1)),
  ],
  [replace('c', 'nothing', { start: 1e12 }, [readings(750, 3)])],
  [
    { kind: 'batch', device: 'c', chunks: [readings(300, 60, (n) => n * 1000 + 500)] },
    append('a', readings(90, 1)),
  ],
  [{ kind: 'delete', device: 'c', range: { end: 500_000 } }],
  [{ kind: 'keep', device: 'b', name: 'all', removal: { at: 80 } }],
  [{ kind: 'drop', device: 'b' }, append('a', readings(91, 2))],
  [append('b', readings(500, 2)), append('b', readings(2, 2), 'twice')],
  'reopen',
  [append('a', readings(95, 2)), append('c', readings(800, 2)), append('b', readings(1, 2))],
  [{ kind: 'purge', device: 'c', at: 78 }],
  [append('c', readings(900, 2)), append('c', readings(0, 700), 'large')],
];

/** A few files of each kind, for harming every byte of them. */
export const SMALL_STORE: readonly Act[] = [
  append('a', readings(0, 12), 'first'),
  append(
    'a',
    readings(12, 6, (n) => (20 - n) * 400),
  ),
  { kind: 'batch', device: 'b', chunks: [readings(100, 20)] },
  { kind: 'delete', device: 'a', range: { start: 1500, end: 3500 } },
  append('c', readings(0, 2)),
  { kind: 'purge', device: 'c', at: 77 },
  append(
    'a',
    readings(30, 40, (n) => 2000 + (n % 4)),
  ),
  append('b', readings(200, 2)),
  append('c', readings(5, 1)),
  { kind: 'keep', device: 'a', name: 'span', removal: { range: { start: 4000, end: 9000 } } },
  replace('b', 'decoded', { start: 105_000, end: 110_000 }, [readings(600, 4, (n) => n * 180)]),
];
