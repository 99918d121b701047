import type { Files, OpenFile } from '#core/disk/files.ts';

/** What goes wrong with one operation. `short` writes half of the bytes before the disk is full. */
export type Fault = 'EACCES' | 'EDQUOT' | 'EIO' | 'ENOSPC' | 'EROFS' | 'short';

/** `write` stays within a file, `grow` goes beyond its end. */
export type Attempt =
  | 'make'
  | 'rename'
  | 'remove'
  | 'write'
  | 'grow'
  | 'truncate'
  | 'sync'
  | 'sync-folder'
  | 'read'
  | 'open'
  | 'list';

/** Says what goes wrong with an operation that is about to be; null lets it be. */
export type AskFault = (what: Attempt, path: string) => Fault | null;

/** Hears of syncs that were made to fail, by the open file or by the folder's path. */
export interface FailedSyncs {
  file(file: OpenFile): void;
  folder(path: string): void;
}

/** The one layer that makes the disk fail: these files, of a real disk or one in memory, with `fault` asked before each operation. */
export function failingFiles(files: Files, fault: AskFault, failedSyncs?: FailedSyncs): Files {
  const attempt = (what: Attempt, path: string): void => {
    const failing = fault(what, path);
    if (failing) throw systemError(failing === 'short' ? 'ENOSPC' : failing, what, path);
  };
  const trySync = (what: 'sync' | 'sync-folder', path: string, failed: () => void): void => {
    try {
      attempt(what, path);
    } catch (error) {
      failed();
      throw error;
    }
  };

  const failing = (path: string, file: OpenFile): OpenFile => {
    /** Does what is to be done of a write before it fails. */
    const tryWrite = (bytes: Uint8Array, position: number): void => {
      const what = position + bytes.length > file.size ? 'grow' : 'write';
      const found = fault(what, path);
      if (found === 'short') file.writeNow(bytes.subarray(0, bytes.length >> 1), position);
      if (found) throw systemError(found === 'short' ? 'ENOSPC' : found, what, path);
    };
    return {
      get size() {
        return file.size;
      },
      readNow(into, position) {
        attempt('read', path);
        return file.readNow(into, position);
      },
      async read(into, position) {
        attempt('read', path);
        return file.read(into, position);
      },
      writeNow(bytes, position) {
        tryWrite(bytes, position);
        file.writeNow(bytes, position);
      },
      async write(bytes, position) {
        tryWrite(bytes, position);
        await file.write(bytes, position);
      },
      truncateNow(size) {
        attempt('truncate', path);
        file.truncateNow(size);
      },
      async sync() {
        trySync('sync', path, () => failedSyncs?.file(file));
        await file.sync();
      },
      close: () => file.close(),
    };
  };

  return {
    openForReading(path) {
      attempt('open', path);
      return failing(path, files.openForReading(path));
    },
    openForWriting(path, create, mode) {
      attempt(create ? 'make' : 'open', path);
      return failing(path, files.openForWriting(path, create, mode));
    },
    hasOneName: (path) => files.hasOneName(path),
    async list(path) {
      attempt('list', path);
      return files.list(path);
    },
    async makeDirectory(path, mode) {
      attempt('make', path);
      return files.makeDirectory(path, mode);
    },
    async rename(from, to) {
      attempt('rename', from);
      await files.rename(from, to);
    },
    async link(from, to) {
      attempt('make', to);
      await files.link(from, to);
    },
    async remove(path) {
      attempt('remove', path);
      await files.remove(path);
    },
    async removeDirectory(path) {
      attempt('remove', path);
      await files.removeDirectory(path);
    },
    async syncDirectory(path) {
      trySync('sync-folder', path, () => failedSyncs?.folder(path));
      await files.syncDirectory(path);
    },
  };
}

/** An error as Node makes it of a failed system call. */
export function systemError(code: string, what: Attempt, path: string): Error {
  return Object.assign(new Error(`${code}: ${what} '${path}'`), { code });
}
