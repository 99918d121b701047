import { StoreError } from '../base/errors.ts';
import { errorCode } from './errors.ts';
import type { Files } from './files.ts';
import { openFileWith } from './open-file-with.ts';

/** Records are for the service's user alone, as the metadata beside them is. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Codes of file systems that cannot sync folders. */
const NOT_SUPPORTED = new Set<string | undefined>(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * Wraps files for records: a failed sync, after which the contents of the disk are unknown, throws the result of `failed`. A
 * folder that cannot even be opened, because files run out or it is gone, was not synced and is as it was: that error stays,
 * and the caller may retry.
 */
export function guardSyncs(files: Files, failed: (cause: unknown) => Error): Files {
  const guard = async (sync: Promise<void>) => {
    try {
      await sync;
    } catch (error) {
      throw failed(error);
    }
  };
  const syncDirectory = async (path: string) => {
    try {
      await files.syncDirectory(path);
    } catch (error) {
      if (error instanceof Error && 'syscall' in error && error.syscall === 'open') throw error;
      throw NOT_SUPPORTED.has(errorCode(error)) ? noFolderSync(error) : failed(error);
    }
  };
  return {
    openForReading: (path) => files.openForReading(path),
    openForWriting: (path, create, mode = FILE_MODE) => {
      const file = files.openForWriting(path, create, mode);
      return openFileWith(file, { sync: () => guard(file.sync()) });
    },
    hasOneName: (path) => files.hasOneName(path),
    list: (directory) => files.list(directory),
    makeDirectory: (path, mode = FOLDER_MODE) => files.makeDirectory(path, mode),
    rename: (from, to) => files.rename(from, to),
    link: (from, to) => files.link(from, to),
    remove: (path) => files.remove(path),
    removeDirectory: (path) => files.removeDirectory(path),
    syncDirectory,
  };
}

function noFolderSync(cause: unknown): StoreError {
  return new StoreError(
    'io',
    'The file system of the data folder cannot make the names of files durable (fsync of a folder is not supported), ' +
      'so nothing can be stored there safely. Choose a folder on a local disk.',
    { cause },
  );
}
