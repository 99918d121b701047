import { ask, messageOf } from '../../bridge/ask.ts';
import { sayDone, sayFailed } from './notices.ts';
import type { KeptDelete } from '../../stores/undo/kept-deletes.ts';
import { countWords } from '../facts/deleted-words.ts';
import { removeNotesOf } from './left-note.ts';

/** Puts back what was deleted, and says so. */
export async function restoreDelete(kept: KeptDelete): Promise<void> {
  try {
    await ask('undo.restore', { undo_id: kept.id });
    sayDone(`“${kept.name}” restored`, `Back: ${countWords(kept)}.`);
  } catch (error) {
    sayFailed(`“${kept.name}” was not restored`, messageOf(error));
    return;
  }
  await removeNotesOf(kept);
}
