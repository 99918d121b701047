import { crc32 } from 'node:zlib';
import { Pace } from '../../../turns/pace.ts';
import { ByteWriter } from '../../blocks/codec/bytes.ts';
import { TERMINATOR_BYTES, UNIT_HEADER_BYTES, writeUnitHeader } from './wal-format.ts';

/** Of a unit that is larger, blocks are not copied, and the rest happens piece by piece, with turns in between. */
const LARGE_BYTES = 1 << 20;
/** Bytes from which an entry is written without a copy. */
const APART_BYTES = 1 << 12;

/** The bytes of a unit as entries are added to it: a buffer, and blocks that belong between its bytes and stay as they are. */
export class UnitBytes extends ByteWriter {
  #apart: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #apartBytes = 0;

  constructor() {
    super(1 << 16);
    this.start();
  }

  /** Begins another unit in the same memory, with room for the header. */
  start(): void {
    this.length = this.#apartBytes = 0;
    this.#apart = [];
    this.zeros(UNIT_HEADER_BYTES);
  }

  /** All bytes so far, in the buffer or apart. */
  get total(): number {
    return this.length + this.#apartBytes;
  }

  /** Adds all that `write` adds; nothing of it where it throws. */
  attempt(write: () => void): void {
    const { length } = this;
    const apart = this.#apart.length;
    try {
      write();
    } catch (error) {
      this.length = length;
      for (const { bytes } of this.#apart.splice(apart)) this.#apartBytes -= bytes.length;
      throw error;
    }
  }

  override raw(source: Uint8Array): void {
    if (this.total < LARGE_BYTES || source.length < APART_BYTES) {
      super.raw(source);
    } else {
      this.#apart.push({ at: this.length, bytes: source });
      this.#apartBytes += source.length;
    }
  }

  get isLarge(): boolean {
    return this.total > LARGE_BYTES;
  }

  /** Fills the header in and adds the terminator; nothing more can be added. */
  async finish(salt: number, sequence: number, entries: number): Promise<void> {
    writeUnitHeader(this.view, { length: this.total, salt, sequence, entries });
    const pace = new Pace();
    let crc = 0;
    let skipped = 8;
    for (const piece of this.pieces()) {
      crc = crc32(piece.subarray(skipped), crc);
      skipped = 0;
      if (this.isLarge) await pace.pause();
    }
    this.view.setUint32(4, crc, true);
    this.zeros(TERMINATOR_BYTES);
  }

  /** All bytes in order, some at a time; those of a unit that is not large at once. */
  *pieces(): Generator<Uint8Array> {
    let from = 0;
    for (const { at, bytes } of [...this.#apart, { at: this.length, bytes: null }]) {
      for (; from < at; from = Math.min(at, from + LARGE_BYTES))
        yield this.bytes.subarray(from, Math.min(at, from + LARGE_BYTES));
      if (bytes !== null) yield bytes;
    }
  }
}
