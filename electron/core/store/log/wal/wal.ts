import { StoreError } from '../../../base/errors.ts';
import type { ByteWriter } from '../../blocks/codec/bytes.ts';
import { diskError, errorCode } from '../../../disk/errors.ts';
import { closed } from '../../store-errors.ts';
import type { Poison } from '../../../disk/poison.ts';
import { writeEntry, type NewEntry } from './new-entry.ts';
import { UnitBytes } from './unit.ts';
import type { WalFile, WalShared } from './wal-files.ts';
import { WalWriter } from './wal-writer.ts';

/*
 * The write-ahead log of the whole store: what was acknowledged is in it or in segments. One write and one fdatasync
 * are under way at a time; whatever arrives meanwhile becomes the next unit. Files are preallocated and used again, so
 * that fdatasync mostly has no size to write.
 */

/** A buffer that a large unit made larger than this is not kept. */
const KEPT_BYTES = 1 << 22;

/** A unit takes no more entries once it has so many bytes. */
const FULL_UNIT_BYTES = 8 << 20;

interface Waiting extends Pick<NewEntry, 'device' | 'kind' | 'apply'> {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Entries that one write is to make durable. */
interface Unit {
  readonly bytes: UnitBytes;
  readonly entries: Waiting[];
  isUrgent: boolean;
}

interface Alone {
  readonly entries: () => readonly NewEntry[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Renewal {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface WalHooks {
  /** Size from which on the file is to be given up for the next one. */
  readonly limit: number;
  /** Called when the file is over its limit; resolves when it may be written to again. */
  readonly full: () => Promise<void>;
}

export class Wal {
  readonly #writer: WalWriter;
  readonly #hooks: WalHooks;
  readonly #poison: Poison;
  /** Waiting units, oldest first; entries join the last. */
  #units: Unit[] = [];
  readonly #spares: UnitBytes[] = [];
  /** The writer that waits to write alone. */
  #alone: Alone | null = null;
  /** Whether the log waits for room, and what is written meanwhile. */
  #isFull = false;
  #whileFull: Promise<void> | null = null;
  /** The writer that waits for a new file. */
  #renewal: Renewal | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(common: WalShared, current: WalFile, nextSequence: number, hooks: WalHooks) {
    this.#writer = new WalWriter(common, current, nextSequence);
    this.#poison = common.poison;
    this.#hooks = hooks;
  }

  get current(): WalFile {
    return this.#writer.current;
  }

  /** The number of the last entry that was written. */
  get lastSequence(): number {
    return this.#writer.nextSequence - 1;
  }

  /** Entries from now on come after this one. */
  follow(sequence: number): void {
    this.#writer.nextSequence = Math.max(this.#writer.nextSequence, sequence + 1);
  }

  /**
   * Adds an entry; resolves once it is durable and `apply` has run, rejects as `write` throws. `urgent` entries may use
   * the room kept free.
   */
  append(
    device: string,
    kind: number,
    write: (out: ByteWriter) => void,
    apply: (sequence: number) => void,
    urgent = false,
  ): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    return new Promise<void>((resolve, reject) => {
      const unit = this.#openUnit();
      writeEntry({ device, kind, write }, unit.bytes);
      unit.isUrgent ||= urgent;
      unit.entries.push({ device, kind, apply, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /**
   * Writes entries of how things are when everything before is applied and nothing is under way: `entries` is called
   * then. Called by one at a time; while the log waits for room, it may be what makes room.
   */
  appendAlone(entries: () => readonly NewEntry[]): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    if (this.#isFull) return (this.#whileFull = this.#commitAlone(entries));
    return new Promise<void>((resolve, reject) => {
      this.#alone = { entries, resolve, reject };
      this.#running ??= this.#run();
    });
  }

  get mayHoldDeleted(): boolean {
    return this.current.mayHoldDeleted || this.#writer.files.spareMayHoldDeleted;
  }

  /** Gives up files after a delete: the present one and those to be used again may hold entries of it. */
  giveUpFiles(): void {
    this.current.mayHoldDeleted = true;
    this.#writer.files.spareMayHoldDeleted = true;
  }

  /** Goes on in a new file, after what is being written; resolves then. Called by one at a time. */
  renew(): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    const done = new Promise<void>((resolve, reject) => {
      this.#renewal = { resolve, reject };
    });
    this.#running ??= this.#run();
    return done;
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  /** Waits until nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    await this.idle();
    this.#closed = true;
    this.current.file.close();
  }

  /** Turns to a new file; resolves with the old one, which is to be released once its entries are in segments. */
  turn(): Promise<WalFile> {
    return this.#writer.turn();
  }

  /**
   * Gives up a file whose entries are all in segments; it waits under another name to be used again, unless it may hold
   * what was deleted. May be called again where it failed.
   */
  release(released: WalFile): Promise<void> {
    return this.#writer.files.release(released);
  }

  get #stopped(): StoreError | null {
    return this.#closed ? closed() : this.#poison.reason;
  }

  /** The unit that entries of this moment join. */
  #openUnit(): Unit {
    const last = this.#units.at(-1);
    if (last !== undefined && last.bytes.total < FULL_UNIT_BYTES) return last;
    const unit = { bytes: this.#takeBytes(), entries: [], isUrgent: false };
    this.#units.push(unit);
    return unit;
  }

  #takeBytes(): UnitBytes {
    return this.#spares.pop() ?? new UnitBytes();
  }

  #giveBack(bytes: UnitBytes): void {
    if (bytes.bytes.length > KEPT_BYTES || this.#spares.length >= 2) return;
    bytes.start();
    this.#spares.push(bytes);
  }

  async #run(): Promise<void> {
    // A turn of the event loop, so that callers of the same moment share the first unit.
    await Promise.resolve();
    while (this.#units.length > 0 || this.#renewal !== null || this.#alone !== null) {
      // First, since the log may be about to wait for the room that it makes.
      if (this.#alone !== null) await this.#writeAlone(this.#alone);
      if (this.#renewal !== null) await this.#renew(this.#renewal);
      else await this.#writeUnit();
    }
    this.#running = null;
  }

  async #writeUnit(): Promise<void> {
    const unit = this.#units.shift();
    if (unit === undefined) return;
    const { bytes, entries, isUrgent } = unit;
    try {
      if (this.#stopped) throw this.#stopped;
      // An entry that could not be written leaves a unit without any.
      if (entries.length > 0) {
        if (this.current.end >= this.#hooks.limit && !isUrgent) await this.#makeWay();
        await this.#writer.commit(bytes, entries, isUrgent);
      }
      for (const { resolve } of entries) resolve();
    } catch (error) {
      const failure = failureOf(error);
      for (const { reject } of entries) reject(failure);
    }
    this.#giveBack(bytes);
  }

  async #writeAlone({ entries, resolve, reject }: Alone): Promise<void> {
    this.#alone = null;
    try {
      await this.#commitAlone(entries);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  async #commitAlone(entries: () => readonly NewEntry[]): Promise<void> {
    if (this.#stopped) throw this.#stopped;
    const bytes = this.#takeBytes();
    const added = entries();
    for (const entry of added) writeEntry(entry, bytes);
    if (added.length > 0) await this.#writer.commit(bytes, added, false);
    this.#giveBack(bytes);
  }

  async #renew({ resolve, reject }: Renewal): Promise<void> {
    this.#renewal = null;
    try {
      if (this.#stopped) throw this.#stopped;
      await this.#makeWay();
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  /** Waits for a new file, or for room; what makes room may write meanwhile. */
  async #makeWay(): Promise<void> {
    this.#isFull = true;
    // Asked for just before, it may be what makes room.
    if (this.#alone !== null) this.#whileFull = this.#writeAlone(this.#alone);
    try {
      await this.#hooks.full();
    } finally {
      this.#isFull = false;
      // Its failure is for who began it.
      await Promise.allSettled([this.#whileFull]);
      this.#whileFull = null;
    }
  }
}

/** Returns the error for callers that store; one of no disk, such as a lack of memory, as it is. */
function failureOf(error: unknown): unknown {
  return error instanceof StoreError || errorCode(error) !== undefined
    ? diskError(error, 'storing records')
    : error;
}
