import { StoreError } from '../../../base/errors.ts';
import type { Micros } from '#shared/values/time.ts';
import { isBlock, rowsOf } from '../../blocks/block/block.ts';
import { lastSeenOfCarried, readCarried } from '../wal/carried.ts';
import type { Entries, WalEntries } from '../wal/wal-entries.ts';
import { BLOCKS, BLOCKS_ONCE, CARRIED, readUpload, ROWS, ROWS_ONCE, type Payload } from '../wal/wal-entry.ts';
import { latestReceived } from './device-entries.ts';
import type { DeviceLog } from './device-log.ts';

/**
 * Lazy loading of devices that are in the log alone, as read at the start: most of ten thousand are never asked for, so
 * their entries stay bytes until then.
 */
export class Asleep {
  readonly #ids: Set<string>;
  /** Files of sleeping devices; none once all are awake. */
  #files: readonly WalEntries[];
  readonly #takeUp: (log: DeviceLog, entries: readonly Entries[]) => void;

  /**
   * `files`: of the log, in their order; of these devices they hold what was stored and nothing else, and all of it can be
   * read. `takeUp` brings what the entries of one say to a device that holds nothing.
   */
  constructor(
    ids: Set<string>,
    files: readonly WalEntries[],
    takeUp: (log: DeviceLog, entries: readonly Entries[]) => void,
  ) {
    this.#ids = ids;
    this.#files = files;
    this.#takeUp = takeUp;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Whether the log has one packed entry of each. */
  get arePacked(): boolean {
    for (const id of this.#ids) {
      const [only, ...others] = entriesOf(this.#files, id);
      if (others.length > 0 || only?.length !== 1 || only.at(0).kind !== CARRIED) return false;
    }
    return true;
  }

  ids(): Iterable<string> {
    return this.#ids;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Its last contact; undefined where the last entry does not say it as easily as that. */
  lastSeen(id: string): Micros | null | undefined {
    if (!this.#ids.has(id)) return undefined;
    const last = entriesOf(this.#files, id).at(-1);
    return last && lastSeenIn(last.at(last.length - 1));
  }

  /** How many records one holds. */
  records(id: string): number {
    return this.#ids.has(id) ? recordsIn(entriesOf(this.#files, id)) : 0;
  }

  /** Brings what its entries say to one that sleeps; `log` holds nothing yet. Where that throws it sleeps on. */
  wake(log: DeviceLog): void {
    if (!this.#ids.has(log.id)) return;
    this.read(log);
    this.forget(log.id);
  }

  /** The same for a look at what one holds, which sleeps on: `log` is for that look alone. */
  read(log: DeviceLog): void {
    this.#takeUp(log, entriesOf(this.#files, log.id));
  }

  forget(id: string): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#files = [];
  }
}

/** Returns a device's entries in files, in order. */
export function entriesOf(files: readonly WalEntries[], id: string): Entries[] {
  return files.map((file) => file.of(id)).filter((entries) => entries !== null);
}

/** Whether an entry stores, and does nothing else, and can be read. Little is made of it: a start asks of ten thousand. */
export const onlyStores = (entry: Payload) => STORES.has(entry.kind) && isReadable(entry);

const STORES = new Set([ROWS, BLOCKS, ROWS_ONCE, BLOCKS_ONCE, CARRIED]);

function isReadable(entry: Payload): boolean {
  try {
    lastSeenIn(entry);
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return false;
    throw error;
  }
}

/** The last contact that an entry says, which stores; undefined where more would have to be made of it. Throws `damaged`. */
function lastSeenIn(entry: Payload): Micros | null | undefined {
  if (entry.kind === CARRIED) return lastSeenOfCarried(entry.reader());
  const upload = readUpload(entry);
  return upload !== null && 'rows' in upload.records ? latestReceived(upload.records.rows) : undefined;
}

/** How many records entries bring that only store. */
function recordsIn(files: readonly Entries[]): number {
  let records = 0;
  for (const entries of files)
    for (let i = 0; i < entries.length; i++) {
      const entry = entries.at(i);
      const upload = readUpload(entry);
      // One that carries takes the place of those before it.
      if (upload === null) records = recordsOf(readCarried(entry.reader()).blocks);
      else
        records += 'rows' in upload.records ? upload.records.rows.length : recordsOf(upload.records.blocks);
    }
  return records;
}

const recordsOf = (blocks: readonly Buffer[]) =>
  blocks.filter(isBlock).reduce((sum, block) => sum + rowsOf(block), 0);
