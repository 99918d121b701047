import type { TimerOptions } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';

declare const monotonic: unique symbol;

/** A moment of the machine, ms since the process began; only its distance to another one says anything. */
export type MonotonicMs = number & { readonly [monotonic]: true };

/** The longest delay of a timer of Node, in ms; a longer wait takes several. */
export const MOST_TIMER_MS = 2 ** 31 - 1;

/**
 * Time of the machine: disks, sockets, locks, certificates, and how long something took. Nobody sets it, so that it is
 * imported and not handed in; what is stored, shown or due takes the Clock that is handed in (clock.ts). Timers are Node's:
 * `clearTimeout` and `clearInterval` end them.
 */
export const machineClock = {
  monotonicMs: () => performance.now() as MonotonicMs,
  /** The moment in so many ms. */
  monotonicIn: (ms: number) => (performance.now() + ms) as MonotonicMs,
  /** ms since 1970-01-01T00:00:00Z. */
  wallMs: () => Date.now(),
  after: (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, ms),
  every: (ms: number, run: () => void): NodeJS.Timeout => setInterval(run, ms),
  /** Rejects with an AbortError where a signal ends it. */
  delay: (ms: number, options?: TimerOptions): Promise<void> => delay(ms, undefined, options),
};
