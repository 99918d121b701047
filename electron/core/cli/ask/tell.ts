import { machineClock } from '../../base/machine-clock.ts';
import type { JobProgress } from '../../control/messages.ts';
import type { Output } from '../output.ts';

/** Returns a listener that prints progress, at most once a second. */
export function tell({ remark }: Output): (now: JobProgress) => void {
  let last = machineClock.monotonicMs();
  return ({ done, total, unit }) => {
    if (machineClock.monotonicMs() - last < 1000) return;
    last = machineClock.monotonicMs();
    remark(`${done}${total === null ? '' : ` of ${total}`} ${unit}`);
  };
}
