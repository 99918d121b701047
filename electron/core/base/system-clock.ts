import type { Clock } from './clock.ts';
import { machineClock, MOST_TIMER_MS } from './machine-clock.ts';

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
      let timer: NodeJS.Timeout;
      const wait = (left: number) => {
        const next = Math.min(left, MOST_TIMER_MS);
        timer = machineClock.after(next, () => (left > next ? wait(left - next) : void run())).unref();
      };
      wait(ms);
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
