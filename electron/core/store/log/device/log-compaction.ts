import { crc32 } from 'node:zlib';
import type { StoreError } from '../../../base/errors.ts';
import { writeCarried, type Carried } from '../wal/carried.ts';
import { CARRIED } from '../wal/wal-entry.ts';
import type { NewEntry } from '../wal/new-entry.ts';
import type { Limits } from './common.ts';
import type { Unsaved } from './unsaved.ts';

/** Bytes that a device with few rows may have in the log: they are written again each time that it is carried on. */
const SMALL_BYTES = 1 << 16;
/** Bytes of a device that may wait in memory and log while they cannot be moved. */
const STUCK_BYTES = 4 << 20;

/** Compaction of a device into the log ("carried on"), where it has few records or its folder cannot be written. */
export class LogCompaction {
  /** Entries up to this one are in a later one. */
  covered = 0;
  stuck: StoreError | null = null;
  readonly #id: string;
  readonly #unsaved: Unsaved;
  readonly #fewRows: number;

  constructor(id: string, { fewRows }: Limits, unsaved: Unsaved) {
    this.#id = id;
    this.#unsaved = unsaved;
    // Devices that send alike would otherwise all have enough at the same time.
    this.#fewRows = fewRows * (1 + crc32(id) / 2 ** 32);
  }

  get isSmall(): boolean {
    return this.#unsaved.rows < this.#fewRows && this.#unsaved.weight < SMALL_BYTES;
  }

  get isFull(): boolean {
    return this.stuck !== null && this.#unsaved.weight > STUCK_BYTES;
  }

  /** Returns the entry that replaces all others; `applied` is called with its number once it is durable. */
  entry(about: Omit<Carried, 'blocks'>, applied: (sequence: number) => void): NewEntry {
    const carried = { ...about, blocks: this.#unsaved.pack() };
    return {
      device: this.#id,
      kind: CARRIED,
      write: (out) => writeCarried(carried, out),
      apply: (sequence) => {
        this.covered = Math.max(this.covered, carried.covers);
        applied(sequence);
      },
    };
  }
}

export function isStuck(device: string, { message }: StoreError): string {
  return `Records of device ${device} cannot be moved to its folder; they are safe, and it is tried again. ${message}`;
}

export function movesAgain(device: string): string {
  return `Records of device ${device} can be moved to its folder again.`;
}
