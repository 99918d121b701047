import { StartError, StoreError } from '../base/errors.ts';

/** Returns the code of a system error, such as "ENOSPC"; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** No space is left in the memory that takes the place of a disk (disk/memory/). */
export class MemoryFull extends Error {
  readonly code = 'ENOSPC';

  constructor() {
    super('ENOSPC: the memory for files is full');
  }
}

/** Meanings of system codes; any other is a failing disk, `io`. */
const MEANINGS = new Map<string | undefined, 'disk-full' | 'read-only'>([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
]);

/** Messages to users, by failure. */
type Sentences = Readonly<Record<'disk-full' | 'read-only' | 'io', string>>;

/**
 * Returns what a failed file operation of a store means to a user: `disk-full`, `read-only` or `io`. `what` is what
 * failed, such as "storing records". Askers read it: it names the system's code, never a path. What already is a StoreError
 * stays as it is; what no file operation throws is a bug or meant for another, and is thrown again.
 */
export function diskError(error: unknown, what: string): StoreError {
  if (!(error instanceof StoreError) && errorCode(error) === undefined) throw error;
  return told(error, {
    'disk-full': `${fullPlace(error)} is full: ${what} failed. Nothing stored before is lost. Free some space and try again.`,
    'read-only': `The data folder cannot be written: ${what} failed. Give this user permission to write to it.`,
    io: `The disk failed: ${what} failed (${errorCode(error)}).`,
  });
}

/** Resolves as `work` does, and rejects with what `diskError` makes of its failure. */
export async function doing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, what);
  }
}

/** Returns the error for a file that is replaced as a whole: it has changed, or nothing has. */
export function changeError(error: unknown): StoreError {
  return told(error, {
    'disk-full': `${fullPlace(error)} is full: nothing was changed. Free some space and try again.`,
    'read-only':
      'The data folder is read-only: nothing was changed. Give its user the right to write to it and try again.',
    io: 'The disk failed to write: the change may be lost. Check the disk.',
  });
}

/** Returns why a start could not write to the data folder: `disk-full`, or `read-only` with the system's own words. */
export function startError(error: unknown, directory: string): StartError {
  const failure = changeError(error);
  if (failure.code === 'disk-full')
    return new StartError('disk-full', `The disk of ${directory} is full. Free some space and start again.`, {
      cause: failure,
    });
  const reason = reasonOf(failure.cause instanceof Error ? failure.cause : failure);
  return new StartError(
    'read-only',
    `${directory} cannot be written to (${reason}). Give this user the right to, or choose another folder with --data.`,
    { cause: failure },
  );
}

/** The path and the system's words stay in the cause. */
function told(error: unknown, sentences: Sentences): StoreError {
  if (error instanceof StoreError) return error;
  const meaning = MEANINGS.get(errorCode(error)) ?? 'io';
  return new StoreError(meaning, sentences[meaning], { cause: error });
}

const fullPlace = (error: unknown) => (error instanceof MemoryFull ? 'The memory for files' : 'The disk');

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
