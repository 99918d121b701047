import { StoreError } from '../../base/errors.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { ReadOnce } from '../sync/look.ts';
import type { BegunDevice } from './restores.ts';

type Restorer = Pick<Context, 'records' | 'metadata' | 'restores' | 'formerTrails'>;

/**
 * Removes what a restore has stored and not decided. Resolves with whether there were records of it. Rejects with StoreError; then it
 * is tried again.
 */
export async function takeRestoreBack({
  records,
  metadata,
  restores,
  formerTrails,
}: Restorer): Promise<boolean> {
  const { pending } = restores;
  if (pending.length === 0 && formerTrails?.isSettled !== false) return false;
  // A decision may be on disk that nobody knows of: an empty change rejects until that is settled.
  await metadata.change(() => {});
  await formerTrails?.settle(metadata.trail);
  if (pending.length === 0) return false;
  const left = await metadata.read((tables) => undecided(tables, pending));
  for (const { device, name, isOwn } of left)
    if (isOwn) await records.drop(device);
    else await records.discard(device, name);
  await restores.over();
  return left.length > 0;
}

/** As takeRestoreBack; where a disk fails the next restore, or the next start, does it. */
export async function takeBackNowOrLater(context: Restorer): Promise<void> {
  try {
    await takeRestoreBack(context);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Takes back what the last run left. Resolves with notes on it, for people to read; what fails is tried again by the next restore. */
export async function settleRestore(context: Restorer): Promise<readonly string[]> {
  const { notes } = context.restores;
  try {
    if (!(await takeRestoreBack(context))) return notes;
    return [
      ...notes,
      'The restore of a backup, which was cut off before all of the file was there, was taken back.',
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [...notes, `What a restore had begun to store could not be removed: ${error.message}`];
  }
}

/** Devices of an undecided restore. `isOwn`: the device exists by it alone, neither in the tables nor soft-deleted. */
async function undecided(tables: Tables, pending: readonly BegunDevice[]) {
  const once = new ReadOnce(tables);
  const left: (BegunDevice & { readonly isOwn: boolean })[] = [];
  for (const each of pending) {
    if (await tables.get('kept_deletes', each.name)) continue;
    const isThere =
      (await tables.get('devices', each.device)) ?? (await once.deletedAt('devices', each.device));
    left.push({ ...each, isOwn: each.isAdded && !isThere });
  }
  return left;
}
