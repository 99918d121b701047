import type { Note } from '#shared/operations/metadata/notes.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import type { TimeSpan } from '../time/window.ts';

/** A note and when it is, in µs; an instant ends where it begins. */
export interface PlacedNote extends TimeSpan {
  readonly note: Note;
}

/** Flags that stand so near to one another, as a share of the width, are one: no more than 50 fit. */
const NEAR = 0.02;

export function placed(notes: readonly Note[]): readonly PlacedNote[] {
  return notes.map((note) => {
    const from = parseInstant(note.start) ?? 0;
    return { note, from, to: (note.end === null ? null : parseInstant(note.end)) ?? from };
  });
}

/** The notes of each flag over a window, earliest first. A flag stands where its first note begins, held inside the window. */
export function flagsIn(
  notes: readonly PlacedNote[],
  window: TimeSpan,
): readonly { readonly at: number; readonly notes: readonly PlacedNote[] }[] {
  const width = window.to - window.from;
  const flags: { at: number; notes: PlacedNote[] }[] = [];
  for (const note of notes) {
    if (note.to < window.from || note.from > window.to) continue;
    const at = Math.max(0, (note.from - window.from) / width);
    const last = flags.at(-1);
    if (last && at - last.at < NEAR) last.notes.push(note);
    else flags.push({ at, notes: [note] });
  }
  return flags;
}

/** The note after an instant, and behind the last one the first; null where there is none. */
export function nextNote(notes: readonly PlacedNote[], after: Micros | null): PlacedNote | null {
  return notes.find(({ from }) => after === null || from > after) ?? notes[0] ?? null;
}

/** A window of the same width with the note in its middle; a span that is wider has all of it. */
export function windowWith({ from, to }: PlacedNote, window: TimeSpan): TimeSpan {
  const width = Math.max(window.to - window.from, Math.ceil((to - from) * 1.2));
  const begin = Math.round((from + to - width) / 2);
  return { from: begin, to: begin + width };
}
