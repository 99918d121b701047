import { ask } from '../../bridge/ask.ts';
import { may } from '../../bridge/distant.ts';
import { editsWay, reversed, type Edited, type Edits } from '../../stores/undo/edits.ts';
import { undoHistory } from '../../stores/undo/undo-history.ts';
import type { Way } from '../../stores/undo/undoable.ts';

/** The way that takes edits back which were just made; null where the service has no such operation. */
export function takingBack(project_id: string, edits: Edits): Way | null {
  if (!may('edits.replace')) return null;
  return editsWay((input) => ask('edits.replace', input), project_id, reversed(edits));
}

/** Adds what was just edited to what can be undone. Nothing was edited where it is null. */
export function addEdited(project_id: string, edited: Edited | null): void {
  const way = edited && takingBack(project_id, edited.edits);
  if (edited && way) undoHistory.add({ title: edited.title, way });
}
