import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError, StoreError } from '../errors.ts';

/** What durable files ask of the disk: the one place that tests make fail, tear and count. */
export interface Files {
  /** The file's bytes, or null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /** Creates or empties the file, writes all of it and fsyncs it. */
  write(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Replaces `to` in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Nothing to remove is fine. */
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed names of a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** Creates the folder and its parents; one that exists keeps its mode. */
  makeFolder(path: string, mode: number): Promise<void>;
}

export const nodeFiles: Files = {
  async read(path) {
    try {
      return await readFile(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  },
  async write(path, content, mode) {
    const file = await open(path, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: renameBusy,
  remove: (path) => rm(path, { force: true }),
  async syncFolder(path) {
    // Windows has no fsync of folders; NTFS journals renames itself.
    if (process.platform === 'win32') return;
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  async makeFolder(path, mode) {
    await mkdir(path, { recursive: true, mode });
  },
};

/** On Windows a virus scanner may hold a fresh file for some milliseconds, which refuses a rename over it. */
async function renameBusy(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const busy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error));
      if (!busy || attempt === 10) throw error;
      await delay(attempt * 10);
    }
  }
}

/** The name under which `path` is written before it takes its place; one that a crash left is removed at start. */
export const temporaryName = (path: string) => `${path}.tmp`;

/**
 * Replaces a file's content: after a crash or an error at any step the old file is still whole. One writer at a time.
 * Throws StoreError. Only where the very last step fails (the fsync of the folder, on a failing disk) may the new
 * content be found afterwards.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, files = nodeFiles }: { readonly mode?: number; readonly files?: Files } = {},
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await files.write(temporary, content, mode);
    await files.rename(temporary, path);
    await files.syncFolder(dirname(path));
  } catch (error) {
    await files.remove(temporary).catch(() => {
      // A disk that cannot even remove it keeps it until the next write or start; the first error says why.
    });
    throw storeError(error);
  }
}

/** The code of a system error, such as "ENOSPC"; "" for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Says what a failed file operation means to a user; the path and the system's words stay in the cause. */
export function storeError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  switch (errorCode(cause)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StoreError(
        'disk-full',
        'The disk is full: nothing was changed. Free some space and try again.',
        {
          cause,
        },
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new StoreError(
        'read-only',
        'The data folder is read-only: nothing was changed. Give its user the right to write to it and try again.',
        { cause },
      );
    default:
      return new StoreError('io', 'The disk failed to write: the change may be lost. Check the disk.', {
        cause,
      });
  }
}

/** Why a start could not write to the data folder. */
export function startError(error: unknown, directory: string): StartError {
  const failure = storeError(error);
  if (failure.code === 'disk-full')
    return new StartError('disk-full', `The disk of ${directory} is full. Free some space and start again.`, {
      cause: failure,
    });
  const reason = failure.cause instanceof Error ? failure.cause.message : failure.message;
  return new StartError(
    'read-only',
    `${directory} cannot be written to (${reason}). Give this user the right to, or choose another folder with --data.`,
    { cause: failure },
  );
}
