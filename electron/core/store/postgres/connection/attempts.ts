import { machineClock } from '../../../base/machine-clock.ts';
import { systemRandom } from '../../../base/system-random.ts';
import { databaseError, isContention, isLost, letGo, Lost } from './database-errors.ts';

/** ms that a statement gets, however little is left of a caller's patience. */
export const LEAST_MS = 500;

/** Attempts at a database: retries until a deadline, and a circuit breaker for one that is known to be gone. */
export class Attempts {
  readonly #name: string;
  readonly #patienceMs: number;
  readonly #signal: AbortSignal;
  /** Since when it has answered nothing, and the failure of the last attempt; null while it answers. */
  #lost: { readonly sinceMs: number; readonly failure: unknown } | null = null;
  #isProbing = false;
  /** When it answered last, in ms since 1970. */
  #answeredMs = 0;

  /** `name`: of the database, for people. `signal` fires when it is closed. */
  constructor(name: string, patienceMs: number, signal: AbortSignal) {
    this.#name = name;
    this.#patienceMs = patienceMs;
    this.#signal = signal;
  }

  /**
   * Makes an attempt, and again where the connection was lost or another transaction was first, until `untilMs` (ms since 1970; by
   * default for as long as the patience from now on). `attempt` hears how many ms it may take. Rejects with StoreError as
   * `Database` does.
   */
  async run<T>(
    attempt: (limit: number) => Promise<T>,
    untilMs = machineClock.wallMs() + this.#patienceMs,
  ): Promise<T> {
    const signal = this.#signal;
    for (let pause = 10; ; pause = Math.min(500, 2 * pause)) {
      if (signal.aborted) throw letGo(this.#name);
      const startMs = machineClock.wallMs();
      const left = untilMs - startMs;
      if (left <= 0)
        throw databaseError(this.#lost?.failure ?? new Lost('nobody waits any more'), this.#name);
      try {
        return await this.#probed(() => attempt(Math.max(LEAST_MS, Math.min(left, 0.8 * this.#patienceMs))));
      } catch (error) {
        if (signal.aborted) throw letGo(this.#name);
        const isAway = isLost(error);
        if (isAway) this.#lose(error, startMs);
        const isOver = machineClock.wallMs() + pause >= untilMs || (isAway && this.#isLongGone());
        if (isOver || (!isAway && !isContention(error))) throw databaseError(error, this.#name);
      }
      // Two that met do not meet again.
      await machineClock.delay(pause * (0.5 + systemRandom.number()), { signal }).catch(() => undefined);
    }
  }

  /** While the database is known to be gone, one attempt at a time is made: others fail at once with what the last one did. */
  async #probed<T>(attempt: () => Promise<T>): Promise<T> {
    const isProbe = this.#isLongGone();
    if (isProbe && this.#isProbing) throw this.#lost?.failure;
    if (isProbe) this.#isProbing = true;
    try {
      const result = await attempt();
      this.#lost = null;
      this.#answeredMs = machineClock.wallMs();
      return result;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  /** It counts as lost since the attempt began, or since its last answer to another one. */
  #lose(failure: unknown, startMs: number): void {
    this.#lost = { sinceMs: this.#lost?.sinceMs ?? Math.max(startMs, this.#answeredMs), failure };
  }

  /** Whether it has been lost for so long that attempts fail at once. */
  #isLongGone(): boolean {
    return this.#lost !== null && machineClock.wallMs() - this.#lost.sinceMs > this.#patienceMs / 2;
  }
}
