import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import { countOf } from '../../format.ts';

/* A note that says of a span that its records were removed: it is not true any more once they are back. */

/** Default text of such a note. */
export const removedWords = (records: number): string => `${countOf(records, 'record')} removed`;

/** Whether the note speaks of this delete: of the same span, written after it, in its words, whatever stands behind them. */
export function isOfDelete(note: Note, { start, end, deleted, deleted_at }: KeptDelete): boolean {
  return (
    note.start === start &&
    (note.end ?? note.start) === end &&
    note.created_at >= deleted_at &&
    note.text.startsWith(removedWords(deleted.records))
  );
}
