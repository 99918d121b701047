import { StoreError } from '../../../base/errors.ts';

/*
 * Little-endian primitives that every file of the log shares (docs/storage-format.md, "Primitives"). Text keeps lone
 * surrogates, which UTF-8 cannot: such strings are written as UTF-16.
 */

const INITIAL_BYTES = 256;
const UTF8 = 0;
const UTF16 = 1;
const TWO_32 = 2 ** 32;

/** Bytes that a caller knows to be aligned to 8 may be read as words. */
export function allocate(size: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(size));
}

const SLAB_BYTES = 1 << 16;
let slab = new ArrayBuffer(SLAB_BYTES);
let carved = 0;

/**
 * Allocates bytes that live about as long as those allocated before and after them: small ones share one buffer, at a tenth
 * of the cost.
 */
export function allocateShared(size: number): Buffer<ArrayBuffer> {
  if (size > SLAB_BYTES / 4) return allocate(size);
  if (carved + size > SLAB_BYTES) {
    slab = new ArrayBuffer(SLAB_BYTES);
    carved = 0;
  }
  const bytes = Buffer.from(slab, carved, size);
  carved += Math.ceil(size / 8) * 8;
  return bytes;
}

/** The whole words of bytes that start at a multiple of 4. */
export function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
}

/** A growing buffer. What `take` hands out belongs to the caller; what `written` shows is valid until the next write. */
export class ByteWriter {
  bytes: Buffer<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  length = 0;

  constructor(capacity = INITIAL_BYTES) {
    this.bytes = allocate(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = allocate(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, the low ones first. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    for (; rest >= TWO_32; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) | 128;
    for (rest >>>= 0; rest > 127; rest >>>= 7) this.bytes[this.length++] = (rest & 127) | 128;
    this.bytes[this.length++] = rest;
  }

  /** A safe integer: the lowest bit is its sign. */
  signed(value: number): void {
    const sign = value < 0 ? 1 : 0;
    const magnitude = Math.abs(value);
    this.reserve(9);
    const low = (magnitude % 64) * 2 + sign;
    const rest = Math.floor(magnitude / 64);
    this.bytes[this.length++] = rest > 0 ? low | 128 : low;
    if (rest > 0) this.varint(rest);
  }

  text(value: string): void {
    if (!value.isWellFormed()) {
      this.varint(value.length * 4 + UTF16);
      this.reserve(value.length * 2);
      this.length += this.bytes.write(value, this.length, 'utf16le');
      return;
    }
    const size = Buffer.byteLength(value, 'utf8');
    this.varint(size * 2 + UTF8);
    this.reserve(size);
    if (size === value.length && size < 32) {
      for (let i = 0; i < size; i++) this.bytes[this.length++] = value.charCodeAt(i);
    } else {
      this.length += this.bytes.write(value, this.length, 'utf8');
    }
  }

  /** The bytes that hexadecimal digits stand for, up to the first character that is none; without their number. */
  hex(digits: string): void {
    this.reserve(digits.length / 2);
    this.length += this.bytes.write(digits, this.length, 'hex');
  }

  raw(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  zeros(count: number): void {
    this.reserve(count);
    this.bytes.fill(0, this.length, this.length + count);
    this.length += count;
  }

  /** Pads with zeros to a multiple of `unit`, counted from the start of the buffer. */
  align(unit: number): void {
    this.zeros((unit - (this.length % unit)) % unit);
  }

  written(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  copy(): Buffer<ArrayBuffer> {
    const copied = allocate(this.length);
    this.bytes.copy(copied, 0, 0, this.length);
    return copied;
  }
}

/** Reads what ByteWriter wrote. Anything that does not fit throws `damaged`. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;
  #end: number;
  readonly #view: DataView | null;

  /** `view`: the same bytes, where many numbers are read: Buffer's own methods take several times as long for each. */
  constructor(bytes: Buffer, at = 0, end = bytes.length, view: DataView | null = null) {
    this.bytes = bytes;
    this.at = at;
    this.#end = end;
    this.#view = view;
  }

  /** Reads the bytes from `at` to `end` next. */
  moveTo(at: number, end: number): void {
    this.at = at;
    this.#end = end;
  }

  get rest(): number {
    return this.#end - this.at;
  }

  u8(): number {
    return this.bytes[this.#advance(1)] ?? 0;
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.#advance(4));
  }

  f64(): number {
    const at = this.#advance(8);
    return this.#view === null ? this.bytes.readDoubleLE(at) : this.#view.getFloat64(at, true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    if (value > Number.MAX_SAFE_INTEGER) throw malformed();
    return value;
  }

  signed(): number {
    const first = this.u8();
    const low = (first & 127) >>> 1;
    const magnitude = first > 127 ? low + this.varint() * 64 : low;
    if (magnitude > Number.MAX_SAFE_INTEGER) throw malformed();
    return (first & 1) === 1 ? -magnitude : magnitude;
  }

  text(): string {
    const tag = this.varint();
    const size = Math.floor(tag / 2);
    const from = this.#advance(size);
    return this.bytes.toString(tag % 2 === UTF16 ? 'utf16le' : 'utf8', from, from + size);
  }

  skipText(): void {
    this.#advance(Math.floor(this.varint() / 2));
  }

  /** Passes over the bytes if they come next. */
  skipIfEqual(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    if (expected.length > this.rest) return false;
    for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
    this.at += expected.length;
    return true;
  }

  skip(size: number): void {
    this.#advance(size);
  }

  raw(size: number): Buffer {
    const from = this.#advance(size);
    return this.bytes.subarray(from, from + size);
  }

  align(unit: number): void {
    this.#advance((unit - (this.at % unit)) % unit);
  }

  #advance(size: number): number {
    const from = this.at;
    if (size > this.#end - from) throw malformed();
    this.at = from + size;
    return from;
  }
}

export function malformed(): StoreError {
  return new StoreError('damaged', 'A file of the record store does not hold what its format says.');
}
