import type { StoreError } from '../../../errors.ts';
import { allocate, ByteWriter } from '../../blocks/codec/bytes.ts';
import { diskError } from '../../../disk/errors.ts';
import { closed } from '../../store-errors.ts';
import type { Files } from '../../../disk/files.ts';
import type { Poison } from '../../../disk/poison.ts';
import { ERASE } from './wal-entry.ts';
import { RESERVE_BYTES, WalFiles, type WalFile } from './wal-files.ts';
import { finishUnit, startUnit, TERMINATOR_BYTES, UNIT_HEADER_BYTES } from './wal-format.ts';

/*
 * The write-ahead log of the whole store: what was acknowledged is in it or in segments. One write and one fdatasync
 * are under way at a time; whatever arrives meanwhile becomes the next unit. Files are preallocated and used again, so
 * that fdatasync mostly has no size to write.
 */

/** The file grows by this, so that most units find their room allocated. */
const GROWTH_BYTES = 1 << 18;
/** A buffer that a large unit made larger than this is not kept. */
const KEPT_BYTES = 1 << 22;
const zeros = allocate(GROWTH_BYTES);

interface Waiting {
  readonly device: string;
  readonly kind: number;
  /** Makes the entry visible once it is durable. */
  readonly apply: (sequence: number) => void;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

interface Renewal {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface WalShared {
  readonly files: Files;
  readonly directory: string;
  readonly poison: Poison;
}

export interface WalHooks {
  /** Size from which on the file is to be given up for the next one. */
  readonly limit: number;
  /** Called when the file is over its limit; resolves when it may be written to again. */
  readonly full: () => Promise<void>;
}

export class Wal {
  readonly #walFiles: WalFiles;
  readonly #hooks: WalHooks;
  readonly #poison: Poison;
  #current: WalFile;
  #nextSequence: number;
  #unit = new ByteWriter(1 << 16);
  #spareUnit = new ByteWriter(1 << 16);
  #waiting: Waiting[] = [];
  #urgent = false;
  /** Who waits for a new file. */
  #renewal: Renewal | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(common: WalShared, current: WalFile, nextSequence: number, hooks: WalHooks) {
    this.#walFiles = new WalFiles(common);
    this.#poison = common.poison;
    this.#current = current;
    this.#nextSequence = nextSequence;
    this.#hooks = hooks;
    startUnit(this.#unit);
  }

  get current(): WalFile {
    return this.#current;
  }

  /** Entries from now on come after this one. */
  follow(sequence: number): void {
    this.#nextSequence = Math.max(this.#nextSequence, sequence + 1);
  }

  /**
   * Adds an entry; resolves once it is durable and `apply` has run. `urgent` entries may use the room kept free.
   * `write` runs at once.
   */
  append(
    device: string,
    kind: number,
    write: (out: ByteWriter) => void,
    apply: (sequence: number) => void,
    urgent = false,
  ): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    const unit = this.#unit;
    unit.u8(kind);
    unit.text(device);
    const lengthAt = unit.length;
    unit.u32(0);
    write(unit);
    unit.view.setUint32(lengthAt, unit.length - lengthAt - 4, true);
    this.#urgent ||= urgent;
    const done = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ device, kind, apply, resolve, reject });
    });
    this.#running ??= this.#run();
    return done;
  }

  get mayHoldDeleted(): boolean {
    return this.#current.mayHoldDeleted || this.#walFiles.spareMayHoldDeleted;
  }

  /** Something was deleted: what is written to now, and what waits to be used again, may hold it. */
  giveUpFiles(): void {
    this.#current.mayHoldDeleted = true;
    this.#walFiles.spareMayHoldDeleted = true;
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
    this.#current.file.close();
  }

  /** Turns to a new file; resolves with the old one, which is to be released once its entries are in segments. */
  async turn(): Promise<WalFile> {
    const full = this.#current;
    this.#current = await this.#walFiles.next(this.#nextSequence);
    return full;
  }

  /**
   * Gives up a file whose entries are all in segments; it waits under another name to be used again, unless it may hold
   * what was deleted. May be called again where it failed.
   */
  release(released: WalFile): Promise<void> {
    return this.#walFiles.release(released);
  }

  get #stopped(): StoreError | null {
    return this.#closed ? closed() : this.#poison.reason;
  }

  async #run(): Promise<void> {
    // A turn of the event loop, so that callers of the same moment share the first unit.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#renewal !== null) {
      if (this.#renewal !== null) {
        await this.#renew(this.#renewal);
        continue;
      }
      const entries = this.#waiting;
      const unit = this.#unit;
      const urgent = this.#urgent;
      this.#waiting = [];
      this.#unit = this.#spareUnit;
      this.#urgent = false;
      startUnit(this.#unit);
      try {
        if (this.#stopped) throw this.#stopped;
        if (this.#current.end >= this.#hooks.limit && !urgent) await this.#hooks.full();
        await this.#commit(unit, entries, urgent);
      } catch (error) {
        const failure = diskError(error, 'storing records');
        for (const entry of entries) entry.reject(failure);
      }
      this.#spareUnit = unit.bytes.length > KEPT_BYTES ? new ByteWriter(1 << 16) : unit;
    }
    this.#running = null;
  }

  async #renew({ resolve, reject }: Renewal): Promise<void> {
    this.#renewal = null;
    try {
      if (this.#stopped) throw this.#stopped;
      await this.#hooks.full();
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  async #commit(unit: ByteWriter, entries: readonly Waiting[], urgent: boolean): Promise<void> {
    const current = this.#current;
    const first = this.#nextSequence;
    const length = unit.length;
    finishUnit(unit, current.salt, first, entries.length);
    this.#makeRoom(current, unit.length + (urgent ? 0 : RESERVE_BYTES));
    try {
      current.file.writeNow(unit.written(), current.end);
    } catch (error) {
      this.#takeBack(current);
      throw error;
    }
    await current.file.sync();
    current.end += length;
    this.#nextSequence += entries.length;
    for (const [i, { device, kind, apply }] of entries.entries()) {
      if (kind !== ERASE) current.lastOf.set(device, first + i);
      apply(first + i);
    }
    for (const { resolve } of entries) resolve();
  }

  #makeRoom(current: WalFile, bytes: number): void {
    const missing = current.end + bytes - current.allocated;
    if (missing <= 0) return;
    let grown = current.allocated;
    try {
      for (; grown < current.end + bytes; grown += GROWTH_BYTES) current.file.writeNow(zeros, grown);
    } catch (error) {
      try {
        current.file.truncateNow(current.allocated);
      } catch (failure) {
        throw this.#poison.by(failure);
      }
      throw error;
    }
    current.allocated = grown;
  }

  /** A unit that was not written whole must not be found later. */
  #takeBack(current: WalFile): void {
    try {
      current.file.writeNow(zeros.subarray(0, UNIT_HEADER_BYTES + TERMINATOR_BYTES), current.end);
    } catch (failure) {
      this.#poison.by(failure);
    }
  }
}
