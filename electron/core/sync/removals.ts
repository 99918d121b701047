import type { Micros } from '#shared/values/time.ts';

/** Records that were removed from a device: those from `start` to `end` that had been received up to `at`. Absent ends are open. */
export interface Removal {
  readonly start: Micros | null;
  readonly end: Micros | null;
  readonly at: Micros;
}

/** Whether a record of this time that was received then was among what was removed, or would have been. */
export function isRemoved(removals: readonly Removal[], time: Micros, received: Micros): boolean {
  return removals.some(
    ({ start, end, at }) => received <= at && time >= (start ?? -Infinity) && time <= (end ?? Infinity),
  );
}
