import type { OutputOf } from '#shared/operations/index.ts';
import { ask, Refused } from '../../../bridge/ask.ts';

/* How devices and their data are removed: the one place that knows how that is undone. */

export type Removed = 'data' | 'devices';

/** Answer of a removal: the counts, and the id to undo it. */
export type Kept = OutputOf<'devices.remove'>;

interface Of {
  readonly project_id: string;
  readonly device_id: string;
}

/** Removes every record of a device, or the device with all of it. Once begun it is waited for: only so can it be undone. */
export function removeOf(what: Removed, of: Of): Promise<Kept> {
  return what === 'data' ? ask('records.delete', of) : ask('devices.remove', of);
}

/**
 * Puts back what was removed, the last first. Resolves with how much where some of it had been restored, or deleted for
 * good, before: that is passed over.
 */
export async function putBack(kept: readonly Pick<Kept, 'undo'>[]): Promise<string | null> {
  let back = 0;
  for (const { undo } of kept.toReversed())
    try {
      await ask('undo.restore', { undo_id: undo.id });
      back++;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
    }
  const all = kept.length;
  return back === all
    ? null
    : `Taken back: ${back} of ${all}. The others had been restored, or deleted for good, before.`;
}
