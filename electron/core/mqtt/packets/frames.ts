import { MOST_OTHER_PACKET, MOST_PACKET } from '../limits.ts';
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
/** Bytes in which the topic and the identifier of any PUBLISH stand (3.3.2). */
const BEGINNING = 68 * 1024;

export const typeOf = (frame: Uint8Array) => frame[0]! >> 4;

const NOTHING = Buffer.alloc(0);

/** Cuts a stream of bytes into whole packets, fixed header included. */
export class Frames {
  /** Bytes that arrived; unread ones stand from `#from` on. */
  #piece: Buffer = NOTHING;
  #from = 0;
  /** The packet that has begun, as large as it will be, and how much of it has arrived. */
  #begun: Buffer | null = null;
  #filled = 0;
  /** Whether a PUBLISH that is too large is passed over, and only its beginning kept. */
  skipsLarge = false;
  /** Bytes of the one that has begun, and of those that came of it beyond its beginning. */
  #skipping: { readonly bytes: number; came: number } | null = null;

  /** Bytes that it holds. */
  get held(): number {
    return (this.#begun?.length ?? 0) + this.#left;
  }

  /** Whether a packet has begun that is not whole. */
  get isWaiting(): boolean {
    return this.#begun !== null || this.#left > 0;
  }

  /** The type of the packet that comes next; null where nothing has come of it. */
  get type(): number | null {
    if (this.#begun !== null) return typeOf(this.#begun);
    return this.#left > 0 ? this.#piece[this.#from]! >> 4 : null;
  }

  push(piece: Buffer): void {
    this.#piece = this.#left === 0 ? piece : Buffer.concat([this.#piece.subarray(this.#from), piece]);
    this.#from = 0;
  }

  /** The bytes of the packet that comes next; null where too little of it has arrived to tell. Throws PacketError where it is too large, or no packet. */
  nextLength(): number | null {
    if (this.#begun !== null) return this.#skipping?.bytes ?? this.#begun.length;
    let remaining = 0;
    let place = 1;
    for (let i = 1; i <= MOST_LENGTH_BYTES; i++) {
      const byte = this.#piece[this.#from + i];
      if (byte === undefined) return null;
      remaining += (byte & 0x7f) * place;
      place *= 128;
      if (byte < 0x80) return this.#checked(1 + i + remaining);
    }
    // 1.5.5: it has four bytes at most.
    throw new PacketError(REASON.malformed, 'The length of a packet has more than four bytes.');
  }

  /** The next packet; null where it is not whole yet. Throws PacketError as `nextLength`. */
  next(): Buffer | null {
    if (this.#begun !== null) return this.#goOn(this.#begun);
    const length = this.nextLength();
    if (length === null) return null;
    if (length <= this.#left) return this.#take(length);
    // However small the pieces are in which the rest comes, it takes no more memory than this.
    if (length > MOST_PACKET) this.#skipping = { bytes: length, came: 0 };
    this.#begun = Buffer.allocUnsafe(this.#skipping === null ? length : BEGINNING);
    this.#filled = 0;
    return this.#goOn(this.#begun);
  }

  get #left(): number {
    return this.#piece.length - this.#from;
  }

  #goOn(begun: Buffer): Buffer | null {
    const rest = this.#take(Math.min(this.#left, begun.length - this.#filled));
    this.#filled += rest.copy(begun, this.#filled);
    if (this.#filled < begun.length) return null;
    if (this.#skipping !== null) {
      const { bytes, came } = this.#skipping;
      this.#skipping.came += this.#take(Math.min(this.#left, bytes - BEGINNING - came)).length;
      if (this.#skipping.came < bytes - BEGINNING) return null;
      this.#skipping = null;
    }
    this.#begun = null;
    return begun;
  }

  #take(bytes: number): Buffer {
    const from = this.#from;
    this.#from += bytes;
    const taken = this.#piece.subarray(from, this.#from);
    if (this.#left === 0) {
      this.#piece = NOTHING;
      this.#from = 0;
    }
    return taken;
  }

  #checked(length: number): number {
    const limit = this.type === PUBLISH ? MOST_PACKET : MOST_OTHER_PACKET;
    if (length <= limit || (this.skipsLarge && this.type === PUBLISH)) return length;
    throw new PacketError(
      REASON.packetTooLarge,
      `A packet of ${length} bytes is larger than the ${limit} bytes that this one may have.`,
    );
  }
}
