import type { OutputOf } from '#shared/operations/index.ts';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { ask, Refused } from '../../bridge/ask.ts';
import { countWordsOf } from '../facts/deleted-words.ts';
import { Superseded, type Way } from '../../stores/undo/undoable.ts';

/* Deletes that are undone and done again. */

/** Answer of a soft delete. */
type Kept = Pick<OutputOf<'devices.remove'>, 'deleted' | 'undo'>;

/** How a delete is done again. */
export interface Again {
  /** What it would take now. */
  readonly count: () => Promise<DeletedCounts>;
  readonly act: () => Promise<Kept>;
}

/** Puts back what was deleted; back from there it is deleted again, where it is what it was. */
export function restoring({ deleted, undo }: Kept, again: Again): Way {
  return async () => {
    await restoreKept(undo.id);
    return { back: deletingAgain(deleted, again) };
  };
}

function deletingAgain(deleted: DeletedCounts, again: Again): Way {
  return async () => {
    requireSame(deleted, await again.count());
    return { back: restoring(await again.act(), again) };
  };
}

/** Throws Superseded where a delete would take something else than what it took: it is then to be asked about anew. */
export function requireSame(deleted: DeletedCounts, now: DeletedCounts): void {
  const counted = (Object.keys(deleted) as (keyof DeletedCounts)[]).filter((noun) => noun in now);
  if (counted.every((noun) => now[noun] === deleted[noun])) return;
  // Of records alone an impact counts their device, too.
  const { devices: _, ...others } = now;
  const wouldGo = 'devices' in deleted ? now : others;
  throw new Superseded(
    `Now ${countWordsOf(wouldGo)} would go, not ${countWordsOf(deleted)}. Nothing was deleted: delete it anew, and see what goes.`,
  );
}

/** Puts back what a soft delete took. Rejects with Superseded where it is not kept any more. */
export async function restoreKept(undo_id: string): Promise<OutputOf<'undo.restore'>> {
  try {
    return await ask('undo.restore', { undo_id });
  } catch (error) {
    // What is kept and cannot be read says so itself.
    if (error instanceof Refused && error.message === 'Delete not found.')
      throw new Superseded('It was restored, or deleted for good, before.', { cause: error });
    throw error;
  }
}
