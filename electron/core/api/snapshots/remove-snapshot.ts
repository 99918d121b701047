import type { WorldSnapshot } from '../../store/world-snapshots.ts';
import { finishRecords, finishRest, type Finisher } from './finish-snapshot.ts';
import { requireWorlds } from './find-snapshot.ts';
import { removeSavedSecrets } from './snapshot-secrets.ts';
import { savedRows } from './world-rows.ts';

/** Removes a snapshot for good; a restore of it that a disk cut off is finished before. Rejects with StoreError and VaultError. */
export async function removeSnapshot({ id }: WorldSnapshot, context: Finisher): Promise<void> {
  const { snapshots, serial } = requireWorlds(context);
  await serial.run(async () => {
    const pending = await context.metadata.read((tables) => tables.deletions());
    const note = pending.find(({ kind, project_id }) => kind === 'snapshot' && project_id === id);
    if (note !== undefined) {
      const then = savedRows(await snapshots.rows(id));
      await finishRecords(note, then, context);
      await finishRest(id, then, context);
    }
    await removeSavedSecrets(id, context.vault);
    await snapshots.remove(id);
  });
}

/** Removes all of an account that is gone. */
export async function removeSnapshotsOf(account_id: string, context: Finisher): Promise<void> {
  for (const snapshot of context.worlds?.snapshots.list() ?? [])
    if (snapshot.account_id === account_id) await removeSnapshot(snapshot, context);
}
