import { machineClock } from '../../base/machine-clock.ts';
import type { PendingDeletion } from '../../store/metadata/metadata-schema.ts';
import type { WorldSnapshot } from '../../store/world-snapshots.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { runDeletion } from '../removal/pending.ts';
import { workOf } from '../under-way.ts';
import { decideSnapshot, type Decided } from './decide-snapshot.ts';
import { bringSecrets, finishRecords, finishRest, type Finisher } from './finish-snapshot.ts';
import { requireWorlds, snapshotsOf } from './find-snapshot.ts';
import { savedRows } from './world-rows.ts';

/** How long a delete that is under way is waited for before it is looked at again, in ms. */
const LOOK_MS = 5;

type Restorer = Finisher &
  Pick<Context, 'restores' | 'chance' | 'keyUse' | 'events' | 'jobs' | 'work' | 'simulators'>;

/**
 * Restores a world as a snapshot has it, and ends its simulators. One change of the metadata decides it, which a start after a crash
 * finishes; resolves when all of it is there and what came since is gone. Throws as decideSnapshot does; then everything is as it was.
 */
export async function restoreSnapshot(
  snapshot: WorldSnapshot,
  { key_id }: Principal,
  context: Restorer,
): Promise<void> {
  const { restores, metadata, chance, vault, keyUse, simulators } = context;
  const { snapshots, alone, serial } = requireWorlds(context);
  const { id, account_id } = snapshot;
  const restore = async () => {
    const own = new Set(snapshotsOf(snapshots, account_id).map((each) => each.id));
    const then = savedRows(await snapshots.rows(id));
    const note: PendingDeletion = {
      kind: 'snapshot',
      project_id: id,
      device_ids: [chance.of(account_id).uuid()],
    };
    const decide = async () => {
      const decided = await metadata.change((tables) =>
        decideSnapshot(tables, { account_id, saved: then, note, key_id, own }),
      );
      if (decided === null) return null;
      // Those that go on would store into what is restored.
      await simulators.endAccount(account_id);
      const secrets = bringSecrets(id, then, vault, decided.owners);
      const { devices, isOver } = await finishRecords(note, then, context, secrets);
      announce(account_id, decided, devices, context);
      return { ...decided, secrets, isOver };
    };
    let decided = await alone(decide);
    for (; decided === null; decided = await alone(decide)) await machineClock.delay(LOOK_MS);
    for (const deletion of decided.gone)
      await context.work.during(workOf(deletion), () => runDeletion(account_id, deletion, context));
    for (const key of decided.keys) {
      await keyUse.forget(key);
      await vault.delete({ kind: 'api-key', id: key });
    }
    if (decided.isOver) return;
    await finishRest(id, then, context, decided.secrets);
    announceTokens(account_id, decided, context);
  };
  // Not while a backup is restored: that keeps records of which no row tells yet.
  await restores.run(() => serial.run(() => snapshots.whileRestoring(restore)));
}

/** Tells windows and clients what is other than it was. */
function announce(
  account_id: string,
  { touched, projects }: Decided,
  records: readonly { readonly project_id: string; readonly device_id: string }[],
  { events }: Restorer,
): void {
  for (const [id, ofProject] of touched) ofProject.announce({ id, account_id }, { events });
  for (const of of records) events.publish('records.removed', { account_id, ...of });
  for (const project_id of projects) {
    events.publish('projects.changed', { account_id, project_id });
    events.publish('undo.changed', { account_id, project_id });
  }
}

/** Tells windows of devices whose tokens have come back: a window that read one in between found no token. */
function announceTokens(account_id: string, { touched, owners }: Decided, { events }: Restorer): void {
  for (const [project_id, { devices }] of touched)
    for (const device_id of devices)
      if (owners.has(device_id)) events.publish('devices.changed', { account_id, project_id, device_id });
}
