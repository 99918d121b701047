/** ms without blame after which one is forgotten. */
const FORGIVE_MS = 60_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** Scripts that are remembered. */
const MOST = 1000;
/** Blame of one whose process had to be killed. */
export const KILLED = 1;
/** Blame of a call that took too long and ended. */
export const LATE = 0.05;

interface Blame {
  readonly amount: number;
  readonly at: number;
}

/**
 * How long who is to blame has to wait: not at all the first time, then a second, and twice as long each time, up to a minute. A minute without blame takes
 * one off.
 */
export class Patience {
  readonly #firstMs: number;
  readonly #blames = new Map<string, Blame>();

  constructor(firstMs = FIRST_WAIT_MS) {
    this.#firstMs = firstMs;
  }

  blame(who: string, amount: number, now: number): void {
    const before = this.#amount(who, now);
    // Again the last to go.
    this.#blames.delete(who);
    this.#blames.set(who, { amount: before + amount, at: now });
    const [oldest] = this.#blames.keys();
    if (this.#blames.size > MOST && oldest !== undefined) this.#blames.delete(oldest);
  }

  /** ms that one has to wait yet. */
  waitMs(who: string, now: number): number {
    const blame = this.#blames.get(who);
    if (blame === undefined || blame.amount < 2) return 0;
    const wait = Math.min(LONGEST_WAIT_MS, this.#firstMs * 2 ** (Math.floor(blame.amount) - 2));
    return Math.max(0, blame.at + wait - now);
  }

  #amount(who: string, now: number): number {
    const blame = this.#blames.get(who);
    if (blame === undefined) return 0;
    return Math.max(0, blame.amount - Math.floor((now - blame.at) / FORGIVE_MS));
  }
}
