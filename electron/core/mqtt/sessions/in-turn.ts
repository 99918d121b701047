import { Pace } from '../../turns/pace.ts';
import { Serial } from '../../turns/serial.ts';

/** Receivers of a message, and bytes for all of them together, that are served in one go. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 1024;

/**
 * Queue of messages to many receivers, one message after the other: a large one, or to many, in slices of time (cooperative
 * scheduling).
 */
export class InTurn {
  readonly #serial = new Serial();
  #underWay = 0;

  /** `bytes`: of the message. Null: all have it; otherwise resolves when they have. */
  each<T>(receivers: readonly T[], hand: (receiver: T) => void, bytes: number): Promise<void> | null {
    const isShort = receivers.length <= AT_ONCE && receivers.length * bytes <= BYTES_AT_ONCE;
    if (this.#underWay === 0 && (isShort || receivers.length <= 1)) {
      for (const receiver of receivers) hand(receiver);
      return null;
    }
    this.#underWay++;
    return this.#serial.run(async () => {
      const pace = new Pace();
      for (const receiver of receivers) {
        hand(receiver);
        await pace.pause();
      }
      this.#underWay--;
    });
  }

  /** Resolves when all have what was handed to them so far. */
  idle(): Promise<void> {
    return this.#serial.idle();
  }
}
