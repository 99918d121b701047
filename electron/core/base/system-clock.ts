import type { Clock } from './clock.ts';
import { machineClock } from './machine-clock.ts';

/** How far the monotonic clock may stray from wall time before it is set again: suspends and clock changes. */
const MAX_DRIFT_MS = 5;

/** The machine's wall clock; the digits below a millisecond come from the monotonic clock. */
export function createSystemClock(): Clock {
  const { monotonicMs, wallMs } = machineClock;
  let origin = wallMs() - monotonicMs();
  const drift = () => origin + monotonicMs() - wallMs();
  return {
    now() {
      // Looked at twice: where something else ran between the two clocks, time must not go back for it.
      if (Math.abs(drift()) > MAX_DRIFT_MS && Math.abs(drift()) > MAX_DRIFT_MS)
        origin = wallMs() - monotonicMs();
      return Math.floor((origin + monotonicMs()) * 1000);
    },
    after(ms, run) {
      const timer = machineClock.after(ms, () => void run()).unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
