import { diskError } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { openLog } from './log/log.ts';
import { migratePlainLog } from './migrate-plain-log.ts';
import type { OpenRecords, RecordStore, RecordsOptions, RecoveryNote } from './store.ts';

/** Opens the append log of a service; data that an earlier version stored is moved to it first. */
export const openRecords: OpenRecords = (options) => openRecordsOn(nodeFiles, options);

/** The same over any files. */
export async function openRecordsOn(files: Files, options: RecordsOptions): Promise<RecordStore> {
  return openLog({ ...options, files, notes: await moved(files, options.directory) });
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
