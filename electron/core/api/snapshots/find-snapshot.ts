import { badRequest, notFound } from '../../base/errors.ts';
import type { Worlds } from '../../backend/backend.ts';
import type { WorldSnapshot, WorldSnapshots } from '../../store/world-snapshots.ts';
import type { Context } from '../context.ts';

/** Throws a 400 Refusal where the records lie in a database. */
export function requireWorlds({ worlds }: Pick<Context, 'worlds'>): Worlds {
  if (worlds === null)
    throw badRequest(
      'This service keeps what it has in a database, which has snapshots of its own; those of worlds are of a data directory, or of --in-memory.',
    );
  return worlds;
}

export const snapshotsOf = (snapshots: WorldSnapshots, account_id: string): readonly WorldSnapshot[] =>
  snapshots.list().filter((each) => each.account_id === account_id);

/** Returns the snapshot of a world by its name. Throws a 404 Refusal where there is none. */
export function findSnapshot(snapshots: WorldSnapshots, account_id: string, name: string): WorldSnapshot {
  const found = snapshotsOf(snapshots, account_id).find((each) => each.name === name);
  if (!found) throw notFound('Snapshot');
  return found;
}
