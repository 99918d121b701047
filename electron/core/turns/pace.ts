import { setImmediate } from 'node:timers/promises';
import { machineClock } from '../base/machine-clock.ts';

/** Work on a thread that serves requests is cut into slices of this many ms. */
export const SLICE_MS = 2;

/** Cooperative scheduling of long work: yields between slices of time. */
export class Pace {
  #sliceStart = machineClock.monotonicMs();

  /** Whether a slice of time is used up: callers with very little work at a time ask before `pause`. */
  get isOver(): boolean {
    return machineClock.monotonicMs() - this.#sliceStart >= SLICE_MS;
  }

  /** Lets requests run when a slice of time is used up; resolves with whether it did. */
  async pause(): Promise<boolean> {
    if (!this.isOver) return false;
    await setImmediate();
    this.#sliceStart = machineClock.monotonicMs();
    return true;
  }
}
