import { diskError } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { openLog, type LogOptions } from './log/log.ts';
import { migratePlainLog } from './migrate-plain-log.ts';
import type { RecordStore, RecoveryNote } from './store.ts';

/** Opens the records of a service; data that an earlier version stored is moved to the append log first. Throws StoreError. */
export async function openRecords(options: LogOptions): Promise<RecordStore> {
  return openLog({ ...options, notes: await moved(options) });
}

async function moved(options: LogOptions): Promise<RecoveryNote[]> {
  try {
    return await migratePlainLog({
      directory: options.directory,
      files: options.files ?? nodeFiles,
      openStore: (directory) => openLog({ ...options, directory }),
    });
  } catch (error) {
    throw diskError(error, 'moving the records to the format of this version');
  }
}
