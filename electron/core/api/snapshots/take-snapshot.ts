import { quote } from '#shared/values/validate.ts';
import { badRequest, notFound } from '../../base/errors.ts';
import { SCHEMA_VERSION } from '../../store/metadata/metadata-schema.ts';
import type { WorldNow, WorldSnapshot } from '../../store/world-snapshots.ts';
import type { Context } from '../context.ts';
import { requireWorlds, snapshotsOf } from './find-snapshot.ts';
import { saveSecrets } from './snapshot-secrets.ts';
import { atHand, deletedDevices, rowsOfWorld, type SavedRows, type WorldRows } from './world-rows.ts';

/** Snapshots of one world: each holds files that would go otherwise. */
const MOST_SNAPSHOTS = 1000;

/**
 * Takes a snapshot of a world: its rows and the records of its devices at one and the same moment. Throws a 400 Refusal where the
 * name is taken, a 404 one where there is no such account.
 */
export async function takeSnapshot(
  account_id: string,
  name: string,
  context: Pick<Context, 'worlds' | 'metadata' | 'clock' | 'chance' | 'vault'>,
): Promise<WorldSnapshot> {
  const { metadata, clock, chance, vault } = context;
  const { snapshots, serial } = requireWorlds(context);
  return serial.run(async () => {
    const account = await metadata.read((tables) => tables.get('accounts', account_id));
    if (!account) throw notFound('Account');
    const known = snapshotsOf(snapshots, account_id);
    if (known.some((each) => each.name === name))
      throw badRequest(
        `name must be a new one: there is a snapshot ${quote(name)} already. Delete that first, or choose another name.`,
      );
    if (known.length >= MOST_SNAPSHOTS)
      throw badRequest(
        `name cannot be taken: there are ${MOST_SNAPSHOTS} snapshots already. Delete some first.`,
      );
    let rows!: WorldRows;
    const look = (): WorldNow => {
      rows = atHand(metadata.read((tables) => rowsOfWorld(tables, account_id)));
      const live = rows.devices.map(({ id }) => id);
      return {
        devices: [...new Set([...live, ...deletedDevices(rows)])],
        live: new Set(live),
        kept: new Set(rows.kept_deletes.map((kept) => kept.id)),
        projects: rows.projects.length,
        rows: { ...rows, schema: SCHEMA_VERSION } satisfies SavedRows,
      };
    };
    const id = chance.of(account_id).uuid();
    const taken = await snapshots.take({ id, account_id, name, created: clock.now() }, look);
    await saveSecrets(id, rows, vault);
    return taken;
  });
}
