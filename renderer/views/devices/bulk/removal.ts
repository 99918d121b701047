import type { OutputOf } from '#shared/operations/index.ts';
import { ask, Refused } from '../../../bridge/ask.ts';
import { requireSame } from '../../../components/work/delete-ways.ts';
import type { Way } from '../../../stores/undo/undoable.ts';

/* How devices and their data are removed: the one place that knows how that is undone. */

export type Removed = 'data' | 'devices';

/** Answer of a removal: the counts, and the id to undo it. */
type Kept = OutputOf<'devices.remove'>;

interface Of {
  readonly project_id: string;
  readonly device_id: string;
  /** Why it is removed; the same where it is again. */
  readonly reason?: string | undefined;
}

/** Removes every record of a device, or the device with all of it. Once begun it is waited for: only so can it be undone. */
export function removeOf(what: Removed, of: Of): Promise<Kept> {
  return what === 'data' ? ask('records.delete', of) : ask('devices.remove', of);
}

/** Device that something was removed of, and how that is had back. */
export interface RemovedOf extends Of, Kept {}

/**
 * Puts back what was removed, the last first. Some of it may have been restored, or deleted for good, before: that is passed
 * over, and said. Back from there the rest is removed again, where it is what it was.
 */
export function puttingBack(what: Removed, removed: readonly RemovedOf[]): Way {
  return async () => {
    const back = await putBack(removed);
    const [some, all] = [back.length, removed.length];
    return {
      words:
        some === all
          ? null
          : `Taken back: ${some} of ${all}. The others had been restored, or deleted for good, before.`,
      back: some === 0 ? null : removingAgain(what, back),
    };
  };
}

/** All of it, or nothing. */
function removingAgain(what: Removed, before: readonly RemovedOf[]): Way {
  return async () => {
    for (const { project_id, device_id, deleted } of before)
      requireSame(deleted, (await ask('devices.impact', { project_id, device_id })).deleted);
    const removed: RemovedOf[] = [];
    try {
      for (const { project_id, device_id, reason } of before) {
        const of = { project_id, device_id, reason };
        removed.push({ ...of, ...(await removeOf(what, of)) });
      }
    } catch (error) {
      await putBack(removed);
      throw error;
    }
    return { back: puttingBack(what, removed) };
  };
}

/** Resolves with those that were put back, in their order. */
async function putBack(removed: readonly RemovedOf[]): Promise<readonly RemovedOf[]> {
  const back: RemovedOf[] = [];
  for (const one of removed.toReversed())
    try {
      await ask('undo.restore', { undo_id: one.undo.id });
      back.unshift(one);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
    }
  return back;
}
