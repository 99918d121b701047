import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import type { Way } from '../../stores/undo/undoable.ts';
import type { Why } from '../../stores/undo/deletes.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { requireSame, restoreKept } from './delete-ways.ts';
import { sayFailed } from './notices.ts';
import { removeNote } from './left-note.ts';
import { sayUndoable } from './undo-toast.tsx';

type Done = OutputOf<'records.delete'>;

/** Records of a device from one time to another. */
type Span = Required<Omit<InputOf<'records.delete'>, 'reason'>>;

interface Words {
  /** Of the note; null leaves none. */
  readonly note: string | null;
  /** Returns the notice of the act. */
  readonly said: (done: Done) => { readonly title: string; readonly message: string };
}

/**
 * Deletes the records of a span for a dialog, leaves a note there, and offers to take back both: nothing is removed any
 * more then. Rejects with `Refused` where nothing was deleted; a note that could not be left is said.
 */
export async function deleteWithNote(
  { why = {}, ...span }: Span & { readonly why?: Why },
  { note, said }: Words,
): Promise<void> {
  const done = await ask('records.delete', { ...span, ...why });
  closeDialog();
  const left = leaveNote();
  const { title, message } = said(done);
  sayUndoable(title, message, takingBack(done, left));
  await left;

  function leaveNote(): Promise<Note | null> {
    return note === null ? Promise.resolve(null) : leave({ ...span, text: note });
  }

  function takingBack({ deleted, undo }: Done, noted: Promise<Note | null>): Way {
    return async () => {
      await restoreKept(undo.id);
      const made = await noted;
      if (made) await removeNote(span.project_id, made);
      return { back: again(deleted) };
    };
  }

  function again(deleted: Done['deleted']): Way {
    return async () => {
      const { records } = await ask('records.count', span);
      requireSame(deleted, { records });
      const redone = await ask('records.delete', { ...span, ...why });
      const noted = leaveNote();
      await noted;
      return { back: takingBack(redone, noted) };
    };
  }
}

/** Null where it could not be: the records are gone by now, whatever becomes of the note. */
async function leave(note: InputOf<'notes.create'>): Promise<Note | null> {
  try {
    return await ask('notes.create', { ...note, end: note.end === note.start ? null : note.end });
  } catch (error) {
    sayFailed('The note could not be added', messageOf(error));
    return null;
  }
}
