import { isUtf8 } from 'node:buffer';
import { PacketError, REASON } from './reasons.ts';

/** Where the fixed header of a packet ends, whose length has one to four bytes (2.1.4). */
export function lengthEnd(frame: Buffer): number {
  let at = 1;
  while (frame[at]! >= 0x80) at++;
  return at + 1;
}

/** Whether a length that ends there has more bytes than it needs: 3.1.1 does not say that it may not. */
export const isPadded = (frame: Buffer, end: number): boolean => end > 2 && frame[end - 1] === 0;

/** Reader of a packet; each method throws PacketError where it ends too early. */
export class Reader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(frame: Buffer) {
    this.#bytes = frame;
    this.#at = lengthEnd(frame);
  }

  /** How many bytes were read. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  skip(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) throw malformed('it ends too early');
    this.#at += bytes;
  }

  byte(): number {
    return this.number(1);
  }

  number(bytes: 1 | 2 | 4): number {
    const from = this.#at;
    this.skip(bytes);
    return this.#bytes.readUIntBE(from, bytes);
  }

  /** MQTT 5, 1.5.5: with as few bytes as it needs. */
  variable(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 128 ** i;
      if (byte === 0 && i > 0) throw malformed('a number has more bytes than it needs (1.5.5)');
      if (byte < 0x80) return value;
    }
    throw malformed('a number has more than four bytes');
  }

  /** 1.5.4: well-formed UTF-8, without U+0000. */
  text(): string {
    const length = this.number(2);
    const from = this.#at;
    this.skip(length);
    const bytes = this.#bytes.subarray(from, this.#at);
    if (!isUtf8(bytes)) throw malformed('a text is not well-formed UTF-8 (1.5.4)');
    if (bytes.includes(0)) throw malformed('a text has U+0000 in it (1.5.4)');
    return bytes.toString('utf8');
  }
}

export const malformed = (what: string) =>
  new PacketError(REASON.malformed, `A packet cannot be read: ${what}.`);
