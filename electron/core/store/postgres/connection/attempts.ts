import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import { systemRandom } from '../../../base/system-random.ts';
import { InDoubtError } from '../../../base/errors.ts';
import { databaseError, isContention, isLost, letGo, Lost } from './database-errors.ts';

/** Share of what is left of a caller's patience that an attempt may take: the rest is for finding out what became of it. */
const SHARE = 0.8;
/** Share of the patience below which an attempt is not worth beginning: it would only leave its change in doubt. */
const LEAST_SHARE = 0.05;

/** Limits of one attempt. */
export interface AttemptLimits {
  /** ms that it may take. */
  readonly limit: number;
  /** When its caller is told, whatever is known by then. */
  readonly untilMs: MonotonicMs;
}

/** Attempts at a database: retries until a deadline, and a circuit breaker for one that is known to be gone. */
export class Attempts {
  readonly #name: string;
  readonly #patienceMs: number;
  readonly #signal: AbortSignal;
  /** Since when it has answered nothing, and the failure of the last attempt; null while it answers. */
  #lost: { readonly sinceMs: number; readonly failure: unknown } | null = null;
  #isProbing = false;
  #answeredMs = -Infinity;

  /** `name`: of the database, for people. `signal` fires when it is closed. */
  constructor(name: string, patienceMs: number, signal: AbortSignal) {
    this.#name = name;
    this.#patienceMs = patienceMs;
    this.#signal = signal;
  }

  /** ms before a deadline from which on no attempt begins. */
  get leastMs(): number {
    return LEAST_SHARE * this.#patienceMs;
  }

  /**
   * Makes an attempt, and again where the connection was lost or another transaction was first, until `untilMs` (by default for as
   * long as the patience from now on). Rejects with StoreError as `Database` does.
   */
  async run<T>(
    attempt: (limits: AttemptLimits) => Promise<T>,
    untilMs: MonotonicMs = machineClock.monotonicIn(this.#patienceMs),
  ): Promise<T> {
    const signal = this.#signal;
    const lastMs = untilMs - this.leastMs;
    let last: { readonly error: unknown } | null = null;
    for (let pause = 10; ; pause = Math.min(500, 2 * pause)) {
      if (signal.aborted) throw letGo(this.#name);
      const startMs = machineClock.monotonicMs();
      if (startMs >= lastMs) throw last === null ? this.refusal() : databaseError(last.error, this.#name);
      try {
        return await this.#probed(() => attempt({ limit: SHARE * (untilMs - startMs), untilMs }));
      } catch (error) {
        if (signal.aborted) throw letGo(this.#name);
        last = { error };
        const failure = error instanceof InDoubtError ? error.cause : error;
        if (isLost(failure)) this.#lose(failure, startMs);
        const isOver = machineClock.monotonicMs() + pause >= lastMs || (isLost(error) && this.#isLongGone());
        if (isOver || (!isLost(error) && !isContention(error))) throw databaseError(error, this.#name);
      }
      // Two that met do not meet again.
      await machineClock.delay(pause * (0.5 + systemRandom.number()), { signal }).catch(() => undefined);
    }
  }

  /** Returns the error for what was never sent, because its time was up: StoreError `unreachable`, as the last attempt failed. */
  refusal(): unknown {
    return databaseError(this.#lost?.failure ?? new Lost('nobody waits any more'), this.#name);
  }

  /** While the database is known to be gone, one attempt at a time is made: others fail at once with what the last one did. */
  async #probed<T>(attempt: () => Promise<T>): Promise<T> {
    const isProbe = this.#isLongGone();
    if (isProbe && this.#isProbing) throw this.#lost?.failure;
    if (isProbe) this.#isProbing = true;
    try {
      const result = await attempt();
      this.#lost = null;
      this.#answeredMs = machineClock.monotonicMs();
      return result;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  /** It counts as lost since the attempt began, or since its last answer to another one. */
  #lose(failure: unknown, startMs: MonotonicMs): void {
    this.#lost = { sinceMs: this.#lost?.sinceMs ?? Math.max(startMs, this.#answeredMs), failure };
  }

  /** Whether it has been lost for so long that attempts fail at once. */
  #isLongGone(): boolean {
    return this.#lost !== null && machineClock.monotonicMs() - this.#lost.sinceMs > this.#patienceMs / 2;
  }
}

/** Returns what says how many of so many ms are left from now on: 0 at least. */
export function countdown(ms: number): () => number {
  const startMs = machineClock.monotonicMs();
  return () => Math.max(0, ms - (machineClock.monotonicMs() - startMs));
}

/** Returns until when the outcome of an attempt that was lost now is asked for: a long transaction may be past its deadline. */
export function untilResolved({ limit, untilMs }: AttemptLimits): MonotonicMs {
  const restMs = machineClock.monotonicIn(limit * (1 / SHARE - 1));
  return restMs > untilMs ? restMs : untilMs;
}
