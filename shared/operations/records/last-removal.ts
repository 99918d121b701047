import type { PlannedDevice } from './push.ts';

/** Returns the time of the last removal in the lab; null where it took no record of this side. */
export function lastRemoval({ removed, removals }: PlannedDevice): string | null {
  return removed === 0
    ? null
    : (removals
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null);
}
