import { describe, expect, test } from 'vitest';
import { flagsIn, nextNote, placed, windowWith } from '../../../../../renderer/chart/notes/note-flags.ts';

const AT = Date.UTC(2026, 10, 19, 18) * 1000;
const note = (start: number, end: number | null = null) => ({
  id: String(start),
  device_id: 'd',
  start: new Date((AT + start) / 1000).toISOString(),
  end: end === null ? null : new Date((AT + end) / 1000).toISOString(),
  text: `${start}`,
  author: 'app',
  created_at: '2026-11-19T18:00:00Z',
});
const S = 1_000_000;
const window = { from: AT, to: AT + 100 * S };

describe('flags', () => {
  const found = (notes: ReturnType<typeof note>[]) =>
    flagsIn(placed(notes), window).map(({ at, notes: at_it }) => [at, at_it.map((each) => each.note.text)]);

  test('stand where notes begin, those of a span outside at the edge', () => {
    expect(found([note(-10 * S, 5 * S), note(10 * S), note(50 * S, 150 * S)])).toEqual([
      [0, [`${-10 * S}`]],
      [0.1, [`${10 * S}`]],
      [0.5, [`${50 * S}`]],
    ]);
  });

  test('leave out what the window does not touch', () => {
    expect(found([note(-10 * S), note(-10 * S, -1), note(101 * S)])).toEqual([]);
    expect(found([note(0), note(100 * S)])).toHaveLength(2);
  });

  test('that stand near one another are one, however many there are', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => note(n * 10_000));
    const flags = flagsIn(placed(many), window);
    expect(flags.length).toBeLessThanOrEqual(51);
    expect(flags.flatMap(({ notes }) => notes)).toHaveLength(10_000);
  });
});

test('the next note is the one after, and behind the last one the first', () => {
  const notes = placed([note(0), note(10 * S, 20 * S), note(30 * S)]);
  expect(nextNote(notes, null)?.note.text).toBe('0');
  expect(nextNote(notes, AT)?.note.text).toBe(`${10 * S}`);
  expect(nextNote(notes, AT + 15 * S)?.note.text).toBe(`${30 * S}`);
  expect(nextNote(notes, AT + 30 * S)?.note.text).toBe('0');
  expect(nextNote([], AT)).toBeNull();
});

test('a window that goes to a note keeps its width, unless the note is wider', () => {
  const [short, wide] = placed([note(500 * S), note(0, 1_000 * S)]);
  expect(windowWith(short!, window)).toEqual({ from: AT + 450 * S, to: AT + 550 * S });
  expect(windowWith(wide!, window)).toEqual({ from: AT - 100 * S, to: AT + 1_100 * S });
});
