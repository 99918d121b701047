import type { Micros } from '#shared/time.ts';

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
  return {
    now() {
      const wall = Date.now();
      const elapsed = performance.now();
      if (Math.abs(origin + elapsed - wall) > MAX_DRIFT_MS) origin = wall - elapsed;
      return Math.floor((origin + elapsed) * 1000);
    },
  };
}
