import type { Micros } from '#shared/time.ts';
import { lastSeenOfCarried } from '../wal/carried.ts';
import type { Entries } from '../wal/wal-entries.ts';
import { CARRIED, readUpload, type WalEntry } from '../wal/wal-entry.ts';
import { latestReceived, type DeviceLog } from './device-log.ts';

/**
 * Devices of which the log alone tells, as it was read at the start: of ten thousand nobody asks for most, so nothing is
 * made of their entries before somebody does.
 */
export class Asleep {
  readonly #entries = new Map<string, readonly Entries[]>();
  /** Whether the log has one packed entry of each. */
  isPacked = true;
  readonly #takeUp: (log: DeviceLog, entries: readonly Entries[]) => void;

  /** `takeUp` brings what entries say to a device that holds nothing. */
  constructor(takeUp: (log: DeviceLog, entries: readonly Entries[]) => void) {
    this.#takeUp = takeUp;
  }

  get size(): number {
    return this.#entries.size;
  }

  ids(): Iterable<string> {
    return this.#entries.keys();
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** `entries`: what was stored, in its order; nothing of it was removed, and all of it can be read. */
  add(id: string, entries: readonly Entries[]): void {
    this.#entries.set(id, entries);
    const [only] = entries;
    const isOne = entries.length === 1 && only?.length === 1;
    this.isPacked &&= isOne && only.at(0).kind === CARRIED;
  }

  /** Its last contact; undefined where the last entry does not say it as easily as that. */
  lastSeen(id: string): Micros | null | undefined {
    const last = this.#entries.get(id)?.at(-1);
    return last && lastSeenOf(last.at(last.length - 1));
  }

  /** Brings what its entries say to one that sleeps; `log` holds nothing yet. Where that throws it sleeps on. */
  wake(log: DeviceLog): void {
    const entries = this.#entries.get(log.id);
    if (entries === undefined) return;
    this.#takeUp(log, entries);
    this.#entries.delete(log.id);
  }
}

function lastSeenOf(entry: WalEntry): Micros | null | undefined {
  if (entry.kind === CARRIED) return lastSeenOfCarried(entry.reader());
  const upload = readUpload(entry);
  return upload !== null && 'rows' in upload.records ? latestReceived(upload.records.rows) : undefined;
}
