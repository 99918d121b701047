import { formatSeconds, type Micros } from '#shared/values/time.ts';

/**
 * The service's time, handed in so that it can be held or moved: of what is stored, shown or due. How long something took,
 * and whatever waits for the machine, goes by machine-clock.ts.
 */
export interface Clock {
  /** µs since 1970-01-01T00:00:00Z. */
  now(): Micros;
  /**
   * Calls `run` in so many ms of this clock, however many; it keeps no process running. A clock that is moved by hand waits for
   * what `run` returns before it goes on.
   */
  after(ms: number, run: () => void | Promise<void>): Timer;
}

export interface Timer {
  /** Twice is once; nothing where it has run. */
  cancel(): void;
}

/** Before this was written: a clock that says less has lost its battery, and says 1970 or so. */
export const EARLIEST: Micros = Date.UTC(2025, 0, 1) * 1000;

/** Returns what is to be known of a clock that cannot be right, for people to read. */
export function clockNotes(clock: Pick<Clock, 'now'>): string[] {
  const now = clock.now();
  return now >= EARLIEST
    ? []
    : [
        `The clock of this machine says ${formatSeconds(now)}, which cannot be. Set it: until then, records without a time of ` +
          'their own get a wrong one, and keys that have expired are taken.',
      ];
}
