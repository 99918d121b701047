import { MOST_OTHER_PACKET, MOST_PACKET } from './limits.ts';
import { PacketError, REASON } from './reasons.ts';

/*
 * The library that reads packets gathers bytes without a limit and takes the last of them for granted; so packets are cut
 * out of the stream here, and it gets whole ones.
 */

/** Types of packets (2.1.2). */
export const CONNECT = 1;
export const PUBLISH = 3;
export const PUBACK = 4;
export const PUBCOMP = 7;
export const SUBSCRIBE = 8;
export const UNSUBSCRIBE = 10;
export const DISCONNECT = 14;
export const AUTH = 15;
const MOST_LENGTH_BYTES = 4;

export const typeOf = (frame: Uint8Array) => frame[0]! >> 4;

/** Cuts a stream of bytes into whole packets, fixed header included. */
export class Frames {
  #pieces: Buffer[] = [];
  /** Bytes of the first piece that went out already. */
  #from = 0;
  /** Bytes that did not. */
  #size = 0;

  /** Whether a packet has begun that is not whole. */
  get isWaiting(): boolean {
    return this.#size > 0;
  }

  /** The type of the packet that comes next; null where nothing has come of it. */
  get type(): number | null {
    const byte = this.#byteAt(0);
    return byte === null ? null : byte >> 4;
  }

  push(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** The bytes of the packet that comes next; null where too little of it has arrived to tell. Throws PacketError where it is too large, or no packet. */
  nextLength(): number | null {
    let remaining = 0;
    let place = 1;
    for (let i = 1; i <= MOST_LENGTH_BYTES; i++) {
      const byte = this.#byteAt(i);
      if (byte === null) return null;
      remaining += (byte & 0x7f) * place;
      place *= 128;
      if (byte < 0x80) return this.#checked(1 + i + remaining);
    }
    // 1.5.5: it has four bytes at most.
    throw new PacketError(REASON.malformed, 'The length of a packet has more than four bytes.');
  }

  /** The next packet; null where it is not whole yet. Throws PacketError as `nextLength`. */
  next(): Buffer | null {
    const length = this.nextLength();
    if (length === null || length > this.#size) return null;
    if (this.#from + length > this.#pieces[0]!.length) this.#join();
    const bytes = this.#pieces[0]!;
    const end = this.#from + length;
    const frame = bytes.subarray(this.#from, end);
    this.#size -= length;
    this.#from = end;
    if (end === bytes.length) {
      this.#pieces.shift();
      this.#from = 0;
    }
    return frame;
  }

  /** Makes one piece of all. */
  #join(): void {
    this.#pieces[0] = this.#pieces[0]!.subarray(this.#from);
    this.#pieces = [Buffer.concat(this.#pieces, this.#size)];
    this.#from = 0;
  }

  #checked(length: number): number {
    const limit = this.#byteAt(0)! >> 4 === PUBLISH ? MOST_PACKET : MOST_OTHER_PACKET;
    if (length <= limit) return length;
    throw new PacketError(
      REASON.packetTooLarge,
      `A packet of ${length} bytes is larger than the ${limit} bytes that this one may have.`,
    );
  }

  #byteAt(index: number): number | null {
    let at = this.#from + index;
    for (let i = 0; i < this.#pieces.length; i++) {
      const piece = this.#pieces[i]!;
      if (at < piece.length) return piece[at]!;
      at -= piece.length;
    }
    return null;
  }
}
