import { dirname } from 'node:path';
import type { Threads } from '../../threads/threads.ts';
import type { RecoveryNote } from '../store.ts';
import { Background } from '../../turns/background.ts';
import { Checkpoint } from './checkpoint.ts';
import { Devices } from './device/devices.ts';
import { Erasure } from './erasure.ts';
import { diskError } from '../../disk/errors.ts';
import { LogStore } from './log-store.ts';
import { SavedWorlds } from './saved-worlds.ts';
import { nodeFiles, type Files } from '../../disk/files.ts';
import { recover } from './recovery.ts';
import { createCommon, DEFAULT_LIMITS, type Limits } from './device/common.ts';

/*
 * The append log: `RecordStore` over a write-ahead log and columnar segments. docs/storage-format.md says what is on
 * disk; each file of this folder is one concept of it.
 */

export interface LogOptions {
  /** The service's data folder: one folder a device, and the write-ahead log. Made when missing. */
  readonly directory: string;
  readonly files?: Files;
  readonly limits?: Partial<Limits>;
  /** Where long work is done; absent or null: in this thread, in slices. Only where `files` is absent. */
  readonly threads?: Threads | null;
  /** Gets what is noted once the store is open, as it comes up. */
  readonly say?: (line: string) => void;
}

/** Opens the store, with recovery after a crash. Throws StoreError (`newer-format`, `read-only`, `disk-full`, `io`). */
export async function openLog({
  directory,
  files = nodeFiles,
  limits,
  threads = null,
  say = () => {},
}: LogOptions): Promise<LogStore> {
  const recovery: RecoveryNote[] = [];
  let isOpen = false;
  const background = new Background();
  const common = createCommon({
    directory,
    files,
    limits: { ...DEFAULT_LIMITS, ...limits },
    background,
    threads,
    note: (note) => {
      recovery.push(note);
      if (isOpen) say(note.message);
    },
  });
  try {
    await common.files.makeDirectory(directory);
    // A process that was killed may not have come to it: names that are found must last.
    await common.files.syncDirectory(dirname(directory));
    await common.files.syncDirectory(directory);
    const devices = new Devices(common);
    const { wal, older, mayHoldDeleted } = await recover(
      common,
      { limit: common.limits.walBytes, full: () => checkpoint.turn(wal) },
      devices,
    );
    const checkpoint = new Checkpoint(older, devices, common.limits);
    devices.follow(wal);
    const erasure = new Erasure(wal, checkpoint, common);
    if (mayHoldDeleted) erasure.want();
    const parts = { common, devices, wal, checkpoint, erasure, background };
    const worlds = new SavedWorlds(parts);
    await worlds.open();
    common.saved.endReplay();
    isOpen = true;
    // What many devices left waits for more of the like: at a start nobody should wake them.
    void checkpoint.catchUp(wal);
    return new LogStore(parts, recovery, worlds);
  } catch (error) {
    throw diskError(error, 'opening the record store');
  }
}
