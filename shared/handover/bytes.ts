/** Whole numbers from 0 to this one are written exactly, as those of which the difference of any two is asked for. */
export const MOST_WHOLE = 2 ** 51;

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** A whole number from 0 to 2⁵³ − 1, seven bits a byte, the lowest first. */
  whole(value: number): void {
    this.#room(8);
    const bytes = this.#bytes;
    let rest = value;
    // Bits of a number beyond 31 are none to JavaScript's operators on them.
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) bytes[this.#length++] = (rest % 0x80) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) bytes[this.#length++] = (rest & 0x7f) | 0x80;
    bytes[this.#length++] = rest;
  }

  /** A whole number from −2⁵² to 2⁵² − 1: its sign is the lowest bit. */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns what was written, and begins anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + bytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads what a ByteWriter wrote. Throws RangeError where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  whole(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('The data of this page is cut off.');
      if (byte < 0x80) return value + byte * scale;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    }
  }

  signed(): number {
    const value = this.whole();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new RangeError('The data of this page is cut off.');
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }
}
