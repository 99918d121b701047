import type { OutputOf } from '#shared/operations/index.ts';
import { ask } from '../../../bridge/ask.ts';

/* How devices and their data are removed: the one place that knows how that is undone. */

export type Removed = 'data' | 'devices';

/** What a removal answers: what went, and under which id it is kept. */
export type Kept = OutputOf<'devices.remove'>;

interface Of {
  readonly project_id: string;
  readonly device_id: string;
}

/** Removes every record of a device, or the device with all of it. */
export function removeOf(what: Removed, of: Of, signal: AbortSignal): Promise<Kept> {
  return what === 'data' ? ask('records.delete', of, { signal }) : ask('devices.remove', of, { signal });
}

/** Puts back what was removed, the last first. */
export async function putBack(kept: readonly Kept[]): Promise<void> {
  for (const { undo } of kept.toReversed()) await ask('undo.restore', { undo_id: undo.id });
}

/** So much is not removed by one press of a key, though it can be put back. */
export const MUCH = 1_000_000;
