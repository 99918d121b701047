import { machineClock } from '../../../base/machine-clock.ts';

/** Looks that the engine takes at whether it has to end: one each 10,000 loop turns and calls, and some in regular expressions. */
const LOOKS = 100;
/** ms of processor time, counted from the first look: for what takes long between two of them. */
const PROCESSOR_MS = 100;

/**
 * What a call may take. Steps decide, so that the same call ends at the same place on every machine; processor time is for steps of
 * which each takes long.
 */
export class Budget {
  #looks = 0;
  #since = 0;
  #isSpent = false;

  get isSpent(): boolean {
    return this.#isSpent;
  }

  begin(): void {
    this.#looks = 0;
    this.#isSpent = false;
  }

  /** Whether the call has to end. */
  look(): boolean {
    if (this.#looks++ === 0) this.#since = processorMs();
    else if (this.#looks > LOOKS || processorMs() - this.#since > PROCESSOR_MS) this.#isSpent = true;
    return this.#isSpent;
  }
}

/** ms of processor time of this thread; before Node 22.19, and in 23 before 23.9, time that passed. */
function processorMs(): number {
  if (!('threadCpuUsage' in process)) return machineClock.monotonicMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
