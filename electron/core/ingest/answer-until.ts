import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';

/** ms in which an upload is answered once it has arrived, whatever it waits for (docs/lab.md, "What is seen when something fails"). */
const ANSWER_MS = 10_000;

/** Returns until when an upload that is here now is to be answered. */
export const answerUntil = (): MonotonicMs => machineClock.monotonicIn(ANSWER_MS);
