import { diskError } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import type { Threads } from '../threads/threads.ts';
import { openLog } from './log/log.ts';
import { migratePlainLog } from './migrate-plain-log.ts';
import type { OpenRecords, RecordStore, RecoveryNote } from './store.ts';

/** Opens the append log of a service; data that an earlier version stored is moved to it first. */
export const openRecords: OpenRecords = ({ directory, threads = null }) =>
  openRecordsOn(nodeFiles, directory, threads);

/** The same over any files. */
export async function openRecordsOn(
  files: Files,
  directory: string,
  threads: Threads | null = null,
): Promise<RecordStore> {
  return openLog({ directory, files, threads, notes: await moved(files, directory) });
}

async function moved(files: Files, directory: string): Promise<RecoveryNote[]> {
  try {
    return await migratePlainLog({
      directory,
      files,
      openStore: (folder) => openLog({ directory: folder, files }),
    });
  } catch (error) {
    throw diskError(error, 'moving the records to the format of this version');
  }
}
