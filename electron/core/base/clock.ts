import { formatSeconds, type Micros } from '#shared/values/time.ts';

/** The service's only source of the present, so that tests can hold or move it. */
export interface Clock {
  /** µs since 1970-01-01T00:00:00Z. */
  now(): Micros;
}

/** How far the monotonic clock may stray from wall time before it is set again: suspends and clock changes. */
const MAX_DRIFT_MS = 5;

/** The machine's wall clock; the digits below a millisecond come from the monotonic clock. */
export function createSystemClock(): Clock {
  let origin = Date.now() - performance.now();
  const drift = () => origin + performance.now() - Date.now();
  return {
    now() {
      // Looked at twice: where something else ran between the two clocks, time must not go back for it.
      if (Math.abs(drift()) > MAX_DRIFT_MS && Math.abs(drift()) > MAX_DRIFT_MS)
        origin = Date.now() - performance.now();
      return Math.floor((origin + performance.now()) * 1000);
    },
  };
}

/** Before this was written: a clock that says less has lost its battery, and says 1970 or so. */
export const EARLIEST: Micros = Date.UTC(2025, 0, 1) * 1000;

/** Returns what is to be known of a clock that cannot be right, for people to read. */
export function clockNotes(clock: Clock): string[] {
  const now = clock.now();
  return now >= EARLIEST
    ? []
    : [
        `The clock of this machine says ${formatSeconds(now)}, which cannot be. Set it: until then, records without a time of ` +
          'their own get a wrong one, and keys that have expired are taken.',
      ];
}
