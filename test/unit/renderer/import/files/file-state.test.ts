import { expect, test } from 'vitest';
import type { FileItem } from '../../../../../renderer/import/files/file-items.ts';
import { doneWords, fileStateOf, fileStateWords } from '../../../../../renderer/import/files/file-state.ts';

interface Found {
  readonly records?: number;
  readonly unreadable?: number;
  readonly empty?: number;
  readonly doubts?: number;
  readonly on_error?: 'keep';
}

/** A file whose whole was read. */
function read({ records = 53, unreadable = 0, empty = 0, doubts = 0, on_error }: Found): FileItem {
  const inspection = {
    state: 'ready',
    problem: null,
    unreadable: 0,
    doubts: Array.from({ length: doubts }, () => ({ setting: 'zone', options: ['UTC', 'UTC+01:00'] })),
  };
  return {
    state: { name: 'choosing', problem: null },
    target: { kind: 'device', device_id: 'd' },
    inspected: { inspection, choices: { on_error } },
    report: { state: 'read', found: { records, unreadable, empty } },
  } as unknown as FileItem;
}

const wordsOf = (found: Found) => fileStateWords(fileStateOf(read(found)));

test('rows without a value are counted among those that are left out', () => {
  expect(wordsOf({})).toBe('Ready');
  expect(wordsOf({ empty: 7 })).toBe('7 rows left out');
  expect(wordsOf({ empty: 7, unreadable: 1, on_error: 'keep' })).toBe('8 rows left out');
  expect(wordsOf({ empty: 7, unreadable: 1 })).toBe('Needs a choice');
});

test('a file that the last choice does not fit needs another, and is not ready as it was before', () => {
  const item = read({});
  const state = { name: 'choosing', problem: 'line 2: never must be a time', isMisfit: true } as const;
  expect(fileStateWords(fileStateOf({ ...item, state }))).toBe('Needs a choice');
  // What could not be imported may be tried again.
  expect(fileStateOf({ ...item, state: { name: 'choosing', problem: 'The disk is full.' } }).name).toBe(
    'ready',
  );
});

test('a guess that nobody has confirmed shows in the list', () => {
  expect(wordsOf({ doubts: 1 })).toBe('Ready, 1 guess to look at');
  expect(wordsOf({ doubts: 2, empty: 1 })).toBe('1 row left out, 2 guesses to look at');
});

test('a change of clocks that nobody has confirmed is a guess, wherever in the file it is', () => {
  const item = read({});
  const inZone = (zone: string, last: string) => {
    const inspection = {
      ...item.inspected?.inspection,
      zone_needed: true,
      start_needed: false,
      first: '2026-10-01T00:00:00Z',
      last,
    };
    const inspected = { inspection, choices: { zone } } as unknown as FileItem['inspected'];
    return fileStateWords(fileStateOf({ ...item, inspected }));
  };
  expect(inZone('Europe/Berlin', '2026-11-10T00:00:00Z')).toBe('Ready, 1 guess to look at');
  expect(inZone('UTC+02:00', '2026-11-10T00:00:00Z')).toBe('Ready');
  expect(inZone('Europe/Berlin', '2026-10-10T00:00:00Z')).toBe('Ready');
});

test('what was left out is said of a file that was imported', () => {
  expect(doneWords({ skipped: 0 })).toBe('Imported');
  expect(doneWords({ skipped: 7 })).toBe('Imported, 7 rows left out');
});
