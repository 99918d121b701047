import { StoreError } from '../../../errors.ts';
import type { Micros } from '#shared/time.ts';
import { lastSeenOfCarried } from '../wal/carried.ts';
import type { Entries } from '../wal/wal-entries.ts';
import {
  BLOCKS,
  BLOCKS_ONCE,
  CARRIED,
  readUpload,
  ROWS,
  ROWS_ONCE,
  type WalEntry,
} from '../wal/wal-entry.ts';
import { latestReceived, type DeviceLog } from './device-log.ts';

/**
 * Devices of which the log alone tells, as it was read at the start: of ten thousand nobody asks for most, so nothing is
 * made of their entries before somebody does.
 */
export class Asleep {
  readonly #entries: Map<string, readonly Entries[]>;
  readonly #takeUp: (log: DeviceLog, entries: readonly Entries[]) => void;

  /**
   * `entries`: what each stored, in its order; nothing of it was removed, and all of it can be read. `takeUp` brings what they
   * say to a device that holds nothing.
   */
  constructor(
    entries: Map<string, readonly Entries[]>,
    takeUp: (log: DeviceLog, entries: readonly Entries[]) => void,
  ) {
    this.#entries = entries;
    this.#takeUp = takeUp;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether the log has one packed entry of each. */
  get arePacked(): boolean {
    for (const [only, ...others] of this.#entries.values())
      if (others.length > 0 || only?.length !== 1 || only.at(0).kind !== CARRIED) return false;
    return true;
  }

  ids(): Iterable<string> {
    return this.#entries.keys();
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Its last contact; undefined where the last entry does not say it as easily as that. */
  lastSeen(id: string): Micros | null | undefined {
    const last = this.#entries.get(id)?.at(-1);
    return last && lastSeenIn(last.at(last.length - 1));
  }

  /** Brings what its entries say to one that sleeps; `log` holds nothing yet. Where that throws it sleeps on. */
  wake(log: DeviceLog): void {
    const entries = this.#entries.get(log.id);
    if (entries === undefined) return;
    this.#takeUp(log, entries);
    this.#entries.delete(log.id);
  }
}

/** Whether entries store, and do nothing else, and can be read. Little is made of them: a start asks of ten thousand. */
export function onlyStore(entries: Entries): boolean {
  for (let i = 0; i < entries.length; i++) {
    const entry = entries.at(i);
    if (!STORES.has(entry.kind) || !isReadable(entry)) return false;
  }
  return true;
}

const STORES = new Set([ROWS, BLOCKS, ROWS_ONCE, BLOCKS_ONCE, CARRIED]);

function isReadable(entry: WalEntry): boolean {
  try {
    lastSeenIn(entry);
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return false;
    throw error;
  }
}

/** The last contact that an entry says, which stores; undefined where more would have to be made of it. Throws `damaged`. */
function lastSeenIn(entry: WalEntry): Micros | null | undefined {
  if (entry.kind === CARRIED) return lastSeenOfCarried(entry.reader());
  const upload = readUpload(entry);
  return upload !== null && 'rows' in upload.records ? latestReceived(upload.records.rows) : undefined;
}
