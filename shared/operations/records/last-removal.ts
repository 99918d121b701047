import type { PlannedDevice } from './push.ts';

/** When the last of what was removed in the lab went there; null where no record of this side was among it. */
export function lastRemoval({ removed, removals }: PlannedDevice): string | null {
  return removed === 0
    ? null
    : (removals
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null);
}
