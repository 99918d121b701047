import { basename } from 'node:path';
import { nodeFiles, type Files } from '../../electron/core/disk/files.ts';

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
      return {
        get size() {
          return file.size;
        },
        readNow: (into, position) => file.readNow(into, position),
        read: (into, position) => file.read(into, position),
        writeNow: (bytes, position) => file.writeNow(bytes, position),
        write: (bytes, position) => file.write(bytes, position),
        truncateNow: (size) => file.truncateNow(size),
        sync() {
          syncs[counted]++;
          return file.sync();
        },
        close: () => file.close(),
      };
    },
    syncDirectory(path) {
      syncs.others++;
      return nodeFiles.syncDirectory(path);
    },
  };
  return { files, syncs };
}
