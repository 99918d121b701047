import { settleRestore } from '../api/backup/take-back.ts';
import type { Context } from '../api/context.ts';
import { finishDeletions } from '../api/removal/pending.ts';
import { settleSnapshots } from '../api/snapshots/finish-snapshot.ts';
import { settleKept } from '../api/removal/settle-kept.ts';
import { plantAtStart } from '../api/seed/plant-seed.ts';

/**
 * Finishes what the last run left half-done, then makes what a seed file has and is not there. Resolves with notes, for people to
 * read. Rejects with StartError where the seed file cannot be.
 */
export async function settle(context: Context): Promise<readonly string[]> {
  return [
    ...(await settleRestore(context)),
    ...(await finishDeletions(context)),
    ...(await settleSnapshots(context)),
    ...(await settleKept(context)),
    ...(await plantAtStart(context)),
  ];
}
