import type { ImportResult } from '#shared/operations/records/records.ts';
import { countOf } from '../../format.ts';
import { doubtsOfFile } from '../clock-change.ts';
import { NO_COLUMNS } from '../import-choices.ts';
import type { FileItem } from './file-items.ts';

/** How a file stands before it is imported. */
export type FileState =
  /** `guesses`: what nothing in the file tells, and nobody has answered yet. */
  | { readonly name: 'ready'; readonly guesses: number }
  /** `rows` without a value, and those that cannot be read and stay out, as was chosen; null: not counted yet. */
  | { readonly name: 'rows-left-out'; readonly rows: number | null; readonly guesses: number }
  | { readonly name: 'needs-choice' }
  | { readonly name: 'cannot-import' };

const NEEDS_CHOICE: FileState = { name: 'needs-choice' };
const CANNOT: FileState = { name: 'cannot-import' };

/** What is known of a file says how it stands: the whole of it once it was read, until then its first rows. */
export function fileStateOf({ inspected, report, state, target }: FileItem): FileState {
  if (state.name === 'unreadable' || inspected === null) return CANNOT;
  const { inspection, choices } = inspected;
  if (inspection.state === 'cannot-import') return CANNOT;
  if (inspection.problem !== null || inspection.state === 'needs-choice') return NEEDS_CHOICE;
  // What is shown is how it was read before the choice that does not fit it.
  if (state.name === 'choosing' && state.isMisfit) return NEEDS_CHOICE;
  if (choices.columns === NO_COLUMNS) return NEEDS_CHOICE;
  if (report.state === 'failed' || (report.state === 'read' && report.found.records === 0)) return CANNOT;
  if (target.kind === 'new' && target.name.trim() === '') return NEEDS_CHOICE;
  const { clock, others } = doubtsOfFile(inspection, choices.zone);
  const guesses = others.length + Number(clock !== null);
  const found = report.state === 'read' ? report.found : null;
  if ((found?.unreadable ?? inspection.unreadable) > 0 && choices.on_error !== 'keep') return NEEDS_CHOICE;
  const rows = found && found.unreadable + found.empty;
  if (rows === 0 || (rows === null && inspection.unreadable === 0)) return { name: 'ready', guesses };
  return { name: 'rows-left-out', rows, guesses };
}

/** Its words in the list of files. */
export function fileStateWords(state: FileState): string {
  switch (state.name) {
    case 'ready':
      return `Ready${guessWords(state.guesses)}`;
    case 'rows-left-out':
      return `${state.rows === null ? 'Rows' : countOf(state.rows, 'row')} left out${guessWords(state.guesses)}`;
    case 'needs-choice':
      return 'Needs a choice';
    case 'cannot-import':
      return 'Cannot be imported';
  }
}

const guessWords = (guesses: number) =>
  guesses === 0 ? '' : `, ${countOf(guesses, 'guess', 'guesses')} to look at`;

/** The words of a file that was imported. */
export const doneWords = ({ skipped }: Pick<ImportResult, 'skipped'>): string =>
  skipped === 0 ? 'Imported' : `Imported, ${countOf(skipped, 'row')} left out`;
