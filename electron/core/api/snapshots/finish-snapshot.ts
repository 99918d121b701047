import { StoreError } from '../../base/errors.ts';
import type { PendingDeletion } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { isUnsettled, settleRows } from '../removal/settle-kept.ts';
import { removeSavedSecrets, restoreSecrets } from './snapshot-secrets.ts';
import { requireWorlds } from './find-snapshot.ts';
import { deletedDevices, savedRows, type WorldRows } from './world-rows.ts';

export type Finisher = Pick<Context, 'worlds' | 'metadata' | 'records' | 'vault' | 'clock' | 'work'>;

/** Secrets that come back beside the records of a restore. */
interface Secrets {
  /** Rejects with VaultError. */
  readonly ended: Promise<void>;
  readonly areBack: () => boolean;
}

/** Begins to bring them back. `owners`: whose may be others than in the snapshot; null where that is not known. */
export function bringSecrets(...[id, then, vault, owners]: Parameters<typeof restoreSecrets>): Secrets {
  let areBack = false;
  const ended = restoreSecrets(id, then, vault, owners).then(() => void (areBack = true));
  // Met by finishRest, which waits for them only once the records are there.
  ended.catch(() => undefined);
  return { ended, areBack: () => areBack };
}

/**
 * Brings the records of a restore that is decided, and notes that they are there: what is stored from then on is not lost if the
 * service is killed. The same change ends the restore where nothing is left, these secrets above all. Resolves with the devices whose
 * records are other than they were, and whether it is over.
 */
export async function finishRecords(
  note: PendingDeletion,
  then: WorldRows,
  context: Finisher,
  secrets?: Secrets,
) {
  const { metadata, records, clock } = context;
  const { snapshots } = requireWorlds(context);
  const { project_id: id, device_ids } = note;
  const [mark] = device_ids;
  if (mark === undefined) return { devices: [], isOver: false };
  const changed = new Set(await snapshots.restore(id, mark));
  for (const device of deletedDevices(then)) await records.retire(device);
  const devices = then.devices.filter((device) => changed.has(device.id));
  const isOver = secrets?.areBack() === true && !then.kept_deletes.some(isUnsettled);
  const ofMqtt = devices.filter(({ source }) => source === 'mqtt');
  await metadata.change(async (tables) => {
    await tables.crossOutDeletion(note);
    if (!isOver) await tables.noteDeletion({ ...note, device_ids: [] });
    // Messages of MQTT whose records are gone are found by it.
    for (const device of ofMqtt) await tables.patch('devices', device.id, { records_removed: clock.now() });
  });
  snapshots.restored();
  return { devices: devices.map(({ project_id, id: device_id }) => ({ project_id, device_id })), isOver };
}

/**
 * Brings what is left of a restore whose records are there: secrets, and deletes that were under way when the snapshot was taken.
 */
export async function finishRest(
  id: string,
  then: WorldRows,
  context: Finisher,
  secrets = bringSecrets(id, then, context.vault, null),
): Promise<void> {
  await secrets.ended;
  // Those that others have begun since are theirs to finish.
  await settleRows(then.kept_deletes, context);
  await context.metadata.change((tables) =>
    tables.crossOutDeletion({ kind: 'snapshot', project_id: id, device_ids: [] }),
  );
}

/**
 * Finishes restores that a crash cut off, and removes snapshots of accounts that are gone. Resolves with notes, for people to read.
 */
export async function settleSnapshots(context: Finisher): Promise<readonly string[]> {
  const { worlds, metadata, vault } = context;
  if (worlds === null) return [];
  const { snapshots } = worlds;
  const notes: string[] = [];
  const pending = await metadata.read((tables) => tables.deletions());
  for (const note of pending) {
    if (note.kind !== 'snapshot') continue;
    const { project_id: id } = note;
    try {
      const then = savedRows(await snapshots.rows(id));
      await finishRecords(note, then, context);
      await finishRest(id, then, context);
      notes.push('The restore of a snapshot, which was cut off, was finished.');
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      notes.push(`The restore of a snapshot, which was cut off, could not be finished: ${error.message}`);
    }
  }
  for (const { id, account_id } of snapshots.list()) {
    if (await metadata.read((tables) => tables.get('accounts', account_id))) continue;
    await removeSavedSecrets(id, vault);
    await snapshots.remove(id);
  }
  return notes;
}
