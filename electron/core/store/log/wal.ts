import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StoreError } from '#core/errors.ts';
import { allocate, ByteWriter } from './bytes.ts';
import { closed, storeError } from './failures.ts';
import type { Files, OpenFile } from './files.ts';
import type { Poison } from './poison.ts';
import {
  finishUnit,
  startUnit,
  TERMINATOR_BYTES,
  UNIT_HEADER_BYTES,
  WAL_HEADER_BYTES,
  walHeader,
  walName,
  SPARE_NAME,
} from './wal-format.ts';

/*
 * The write-ahead log of the whole store: what was acknowledged is in it or in segments. One write and one fdatasync
 * are under way at a time; whatever arrives meanwhile becomes the next unit. Files are preallocated and used again, so
 * that fdatasync mostly has no size to write.
 */

/** The file grows by this, so that most units find their room allocated. */
const GROWTH_BYTES = 1 << 18;
/** Kept free in the allocated file for purges: they must work on a full disk. */
const RESERVE_BYTES = 1 << 12;
/** A buffer that a large unit made larger than this is not kept. */
const KEPT_BYTES = 1 << 22;
const zeros = allocate(GROWTH_BYTES);

interface Waiting {
  readonly device: string;
  /** Makes the entry visible once it is durable. */
  readonly apply: (sequence: number) => void;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/** A file of the log and the last entry of each device in it. */
export interface WalFile {
  readonly path: string;
  readonly file: OpenFile;
  readonly salt: number;
  readonly lastOf: Map<string, number>;
  /** End of the last unit. */
  end: number;
  allocated: number;
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
  readonly #files: Files;
  readonly #directory: string;
  readonly #hooks: WalHooks;
  readonly #poison: Poison;
  #current: WalFile;
  #nextSequence: number;
  #unit = new ByteWriter(1 << 16);
  #spareUnit = new ByteWriter(1 << 16);
  #waiting: Waiting[] = [];
  #urgent = false;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(shared: WalShared, current: WalFile, nextSequence: number, hooks: WalHooks) {
    this.#files = shared.files;
    this.#directory = shared.directory;
    this.#poison = shared.poison;
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
      this.#waiting.push({ device, apply, resolve, reject });
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

  /** Turns to a new file; answers the old one, which is to be released once its entries are in segments. */
  async turn(): Promise<WalFile> {
    const full = this.#current;
    const salt = randomBytes(4).readUInt32LE(0);
    const path = join(this.#directory, walName(this.#nextSequence, salt));
    const spare = join(this.#directory, SPARE_NAME);
    const reused = (await this.#files.list(this.#directory)).some(({ name }) => name === SPARE_NAME);
    if (reused) await this.#files.rename(spare, path);
    const file = this.#files.openForWriting(path, !reused);
    try {
      file.writeNow(walHeader(), 0);
      // Without its reserve a full disk would keep even a purge out of it.
      if (file.size < RESERVE_BYTES) file.writeNow(zeros.subarray(0, RESERVE_BYTES), file.size);
      await file.sync();
      await this.#files.syncDirectory(this.#directory);
    } catch (error) {
      file.close();
      await this.#files.remove(path);
      throw error;
    }
    this.#current = { path, file, salt, lastOf: new Map(), end: WAL_HEADER_BYTES, allocated: file.size };
    return full;
  }

  /** Gives up a file whose entries are all in segments; it waits under another name to be used again. */
  async release({ file, path }: WalFile): Promise<void> {
    file.close();
    const spare = join(this.#directory, SPARE_NAME);
    if ((await this.#files.list(this.#directory)).some(({ name }) => name === SPARE_NAME))
      await this.#files.remove(path);
    else await this.#files.rename(path, spare);
  }

  get #stopped(): StoreError | null {
    return this.#closed ? closed() : this.#poison.reason;
  }

  async #run(): Promise<void> {
    // A turn of the event loop, so that callers of the same moment share the first unit.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
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
        const failure = storeError(error, 'storing records');
        for (const entry of entries) entry.reject(failure);
      }
      this.#spareUnit = unit.bytes.length > KEPT_BYTES ? new ByteWriter(1 << 16) : unit;
    }
    this.#running = null;
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
    for (const [i, { device, apply }] of entries.entries()) {
      current.lastOf.set(device, first + i);
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
