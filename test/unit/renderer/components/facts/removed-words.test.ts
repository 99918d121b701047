import { describe, expect, test } from 'vitest';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import { isOfDelete, removedWords } from '../../../../../renderer/components/facts/removed-words.ts';

const kept: KeptDelete = {
  id: 'k',
  kind: 'range',
  project_id: 'p',
  project_name: 'Line 2',
  device_id: 'd',
  name: 'Press',
  deleted_at: '2026-01-05T09:00:00Z',
  author: 'app',
  until: '2026-02-04T09:00:00Z',
  start: '2026-01-05T08:00:00.000000Z',
  end: '2026-01-05T08:10:00.000000Z',
  deleted: { records: 12 },
  bytes: 100,
  waits_for: null,
};

const note: Note = {
  id: 'n',
  device_id: 'd',
  start: '2026-01-05T08:00:00.000000Z',
  end: '2026-01-05T08:10:00.000000Z',
  text: removedWords(12),
  author: 'app',
  created_at: '2026-01-05T09:00:00Z',
};

describe('the note that a delete left', () => {
  test('is the one of its span that says how many went, and whatever else', () => {
    expect(isOfDelete(note, kept)).toBe(true);
    expect(isOfDelete({ ...note, text: '12 records removed: the sensor hung loose' }, kept)).toBe(true);
  });

  test('of an instant it has no end', () => {
    const { start } = note;
    expect(isOfDelete({ ...note, end: null }, { ...kept, end: start })).toBe(true);
  });

  test('is no other note: of another span or number, in other words, or of an earlier delete', () => {
    for (const other of [
      { ...note, end: null },
      { ...note, start: '2026-01-05T07:59:00.000000Z' },
      { ...note, text: removedWords(11) },
      { ...note, text: 'The pump was replaced' },
      { ...note, created_at: '2026-01-05T08:59:59Z' },
    ])
      expect(isOfDelete(other, kept)).toBe(false);
  });
});
