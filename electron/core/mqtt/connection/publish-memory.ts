import { Refusal } from '../../base/errors.ts';
import type { Asker, MemoryReservation } from '../../ingest/memory-budget.ts';
import { ENTRY_BYTES, LARGE_PACKET } from '../limits.ts';
import { PacketError, REASON } from '../packets/reasons.ts';

/** Reservation of one connection's messages in the memory budget. Its methods throw PacketError where there is no room. */
export class PublishMemory {
  readonly #memory: MemoryReservation;
  readonly #asker: Asker;
  /** Taken for a large packet that is on its way, and for a frame of a WebSocket. */
  #reserved = 0;
  #gathered = 0;

  constructor(memory: MemoryReservation, asker: Asker) {
    this.#memory = memory;
    this.#asker = asker;
  }

  /** A large packet has begun. */
  reserve(bytes: number): void {
    this.#take(bytes);
    this.#reserved = bytes;
  }

  /** The door holds so many bytes of a frame that is not whole. */
  gathers(bytes: number): void {
    const counted = bytes > LARGE_PACKET ? bytes : 0;
    if (counted > this.#gathered) this.#take(counted - this.#gathered);
    else if (counted < this.#gathered) this.give(this.#gathered - counted);
    this.#gathered = counted;
  }

  /** A message has come, with a payload of so many bytes. Returns what is to be given back for it. */
  enter(payload: number): number {
    const bytes = this.#reserved > 0 ? this.#reserved : payload + ENTRY_BYTES;
    if (this.#reserved === 0) this.#take(bytes);
    this.#reserved = 0;
    return bytes;
  }

  give(bytes: number): void {
    this.#memory.give(this.#asker, bytes);
  }

  /** Gives all of it back. */
  release(): void {
    this.#memory.release();
  }

  #take(bytes: number): void {
    try {
      this.#memory.take(this.#asker, bytes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new PacketError(error.status === 429 ? REASON.quotaExceeded : REASON.serverBusy, error.message);
    }
  }
}
