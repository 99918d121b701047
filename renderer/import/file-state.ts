import { countOf } from '../format.ts';
import type { FileItem } from './file-items.ts';

/** How a file stands before it is imported. */
export type FileState =
  | { readonly name: 'ready' }
  /** `rows` that cannot be read stay out, as was chosen; null: not counted yet. */
  | { readonly name: 'rows-left-out'; readonly rows: number | null }
  | { readonly name: 'needs-choice' }
  | { readonly name: 'cannot-import' };

const READY: FileState = { name: 'ready' };
const NEEDS_CHOICE: FileState = { name: 'needs-choice' };
const CANNOT: FileState = { name: 'cannot-import' };

/** What is known of a file says how it stands: the whole of it once it was read, until then its first rows. */
export function fileStateOf({ inspected, report, state, target }: FileItem): FileState {
  if (state.name === 'unreadable' || inspected === null) return CANNOT;
  const { inspection, choices } = inspected;
  if (inspection.state === 'cannot-import') return CANNOT;
  if (inspection.problem !== null || inspection.state === 'needs-choice') return NEEDS_CHOICE;
  if (report.state === 'failed' || (report.state === 'read' && report.found.records === 0)) return CANNOT;
  if (target.kind === 'new' && target.name.trim() === '') return NEEDS_CHOICE;
  const unread = report.state === 'read' ? report.found.unreadable : null;
  if (unread === 0 || (unread === null && inspection.unreadable === 0)) return READY;
  return choices.on_error === 'keep' ? { name: 'rows-left-out', rows: unread } : NEEDS_CHOICE;
}

/** Its words in the list of files. */
export function fileStateWords(state: FileState): string {
  switch (state.name) {
    case 'ready':
      return 'Ready';
    case 'rows-left-out':
      return state.rows === null ? 'Rows left out' : `${countOf(state.rows, 'row')} left out`;
    case 'needs-choice':
      return 'Needs a choice';
    case 'cannot-import':
      return 'Cannot be imported';
  }
}
