import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import { ask, messageOf, Refused } from '../../bridge/ask.ts';
import { may } from '../../bridge/distant.ts';
import { isOfDelete } from '../facts/removed-words.ts';
import { sayFailed } from './notices.ts';

/** Takes away what was left of a delete, in whichever window, that was just undone. */
export async function removeNotesOf(kept: KeptDelete): Promise<void> {
  const { project_id, device_id, start, end } = kept;
  if (device_id === null || start === null || end === null || !may('notes.list', 'notes.delete')) return;
  try {
    const found = await ask('notes.list', { project_id, device_id, start, end });
    for (const note of found) if (isOfDelete(note, kept)) await removeNote(project_id, note);
  } catch (error) {
    sayFailed('Notes could not be read', messageOf(error));
  }
}

/** Removes the note, and shows a failure; one removed elsewhere is as good. */
export async function removeNote(project_id: string, { id, device_id }: Note): Promise<void> {
  try {
    await ask('notes.delete', { project_id, device_id, note_id: id });
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return;
    sayFailed('The note that they were removed is still there', messageOf(error));
  }
}
