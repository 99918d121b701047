import { basename } from 'node:path';
import { nodeFiles, type Files } from '../../electron/core/disk/files.ts';
import { openFileWith } from '../../electron/core/disk/open-file-with.ts';

/** Syncs of a store's files. */
export interface Syncs {
  /** Of files of the write-ahead log. */
  log: number;
  /** Of all other files, and of folders. */
  others: number;
}

/** Node's files, and how often they were synced. */
export function countingFiles(): { readonly files: Files; readonly syncs: Syncs } {
  const syncs: Syncs = { log: 0, others: 0 };
  const files: Files = {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      const file = nodeFiles.openForWriting(path, create, mode);
      const counted = basename(path).startsWith('wal-') ? 'log' : 'others';
      return openFileWith(file, {
        sync() {
          syncs[counted]++;
          return file.sync();
        },
      });
    },
    syncDirectory(path) {
      syncs.others++;
      return nodeFiles.syncDirectory(path);
    },
  };
  return { files, syncs };
}
