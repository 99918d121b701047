import { isDeepStrictEqual } from 'node:util';
import { quote } from '#shared/values/validate.ts';
import { badRequest, notFound } from '../../base/errors.ts';
import type { PendingDeletion } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { touchedIn, type Touched } from '../sync/touched.ts';
import { atHand, deletedDevices, rowsOfWorld, WORLD_TABLES, type WorldRows } from './world-rows.ts';

/** What a restore of a snapshot has decided. */
export interface Decided {
  /** Devices that came since, which go for good with all that they have. */
  readonly gone: readonly PendingDeletion[];
  /** API keys that came since, and are void. */
  readonly keys: readonly string[];
  /** Rows that came, went or are other than they were, by project; of a project that comes or goes itself functions and alarms alone. */
  readonly touched: ReadonlyMap<string, Touched>;
  readonly projects: readonly string[];
  /** Devices and API keys that are other than they were: their secrets may be, too. */
  readonly owners: ReadonlySet<string>;
}

/**
 * Puts the rows of a snapshot in the place of those of its world, and notes that its records are to follow. Returns null, and changes
 * nothing, where a delete of its devices is under way. Throws a Refusal where another world has something of it by now.
 */
export function decideSnapshot(
  tables: WritableTables,
  {
    account_id,
    saved: then,
    note,
    key_id,
    own,
  }: {
    readonly account_id: string;
    readonly saved: WorldRows;
    readonly note: PendingDeletion;
    /** Of the key that asks, which stays. */
    readonly key_id: string | null;
    /** The ids of the world's snapshots. */
    readonly own: ReadonlySet<string>;
  },
): Decided | null {
  if (!atHand(tables.get('accounts', account_id))) throw notFound('Account');
  const now = rowsOfWorld(tables, account_id);
  const comes = new Set([...then.devices.map(({ id }) => id), ...deletedDevices(then)]);
  if (isUnderWay(tables, comes)) return null;
  const asking = now.api_keys.filter(({ id }) => id === key_id);
  const staying = asking.filter(({ id }) => !then.api_keys.some((key) => key.id === id));
  const after: WorldRows = { ...then, api_keys: [...then.api_keys, ...staying] };
  const owners = new Set<string>();
  const before = new Set(now.projects.map(({ id }) => id));
  const stay = new Set(then.projects.flatMap(({ id }) => (before.has(id) ? [id] : [])));
  const touched = replaceRows(tables, [now, after], stay, owners);
  requireOwn(tables, account_id, then);
  // One that was begun before, and that a disk cut off, is over with this one.
  for (const each of atHand(tables.deletions()))
    if (each.kind === 'snapshot' && own.has(each.project_id)) atHand(tables.crossOutDeletion(each));
  const gone = goneDevices(now, then, comes);
  for (const each of gone) atHand(tables.noteDeletion(each));
  atHand(tables.noteDeletion(note));
  const stays = new Set(after.api_keys.map(({ id }) => id));
  return {
    gone,
    keys: now.api_keys.flatMap(({ id }) => (stays.has(id) ? [] : [id])),
    touched,
    owners,
    projects: [...new Set([...now.projects, ...then.projects].map(({ id }) => id))],
  };
}

/** Whether a delete that was begun may still take one of these devices. */
function isUnderWay(tables: WritableTables, devices: ReadonlySet<string>): boolean {
  const pending = atHand(tables.deletions());
  return pending.some(
    ({ kind, device_ids }) => kind !== 'snapshot' && device_ids.some((id) => devices.has(id)),
  );
}

/** Returns what is other than it was; adds to `owners` whose secrets may be. `stay`: projects that neither come nor go. */
function replaceRows(
  tables: WritableTables,
  [now, then]: readonly [WorldRows, WorldRows],
  stay: ReadonlySet<string>,
  owners: Set<string>,
): ReadonlyMap<string, Touched> {
  const touched = new Map<string, Touched>();
  for (const table of WORLD_TABLES) {
    const before = new Map(now[table].map((row) => [row.id, row]));
    const after = new Map(then[table].map((row) => [row.id, row]));
    const isSame = (id: string) => isDeepStrictEqual(before.get(id), after.get(id));
    const differing = [...new Set([...before.keys(), ...after.keys()])].filter((id) => !isSame(id));
    for (const id of differing) {
      if (before.has(id)) atHand(tables.remove(table, id));
      if (table === 'devices' || table === 'api_keys') owners.add(id);
      if (table === 'kept_deletes') for (const device of deletedIn(after.get(id))) owners.add(device);
      for (const row of [before.get(id), after.get(id)]) {
        if (row === undefined || !('project_id' in row)) continue;
        const { project_id } = row;
        const device_id = table === 'devices' ? id : 'device_id' in row ? row.device_id : undefined;
        if (device_id === undefined) continue;
        const ofProject = touchedIn(touched, project_id);
        const stays = stay.has(project_id);
        if (stays || table === 'functions' || table === 'alarms') ofProject.add(table, device_id);
        if (stays && device_id !== null) ofProject.devices.add(device_id);
      }
    }
    for (const id of differing) {
      const row = after.get(id);
      if (row !== undefined && atHand(tables.get(table, id)) === null) atHand(tables.putBack(table, row));
    }
  }
  return touched;
}

/** Devices of a soft delete. */
const deletedIn = (row: AnyRow | undefined): string[] =>
  row !== undefined && 'trimmed' in row ? deletedDevices({ kept_deletes: [row] }) : [];

/** A row of a world, of whichever table. */
type AnyRow = WorldRows[keyof WorldRows][number];

/** Throws a 400 Refusal where another world has a token or an id of the snapshot by now. */
function requireOwn(tables: WritableTables, account_id: string, then: WorldRows): void {
  const projects = new Set(then.projects.map(({ id }) => id));
  for (const { id, name, token_hash } of then.devices) {
    const found = atHand(tables.get('devices', id));
    const holder = atHand(tables.deviceByTokenHash(token_hash));
    if (found && projects.has(found.project_id) && (holder === null || holder.id === id)) continue;
    throw badRequest(
      `Nothing was restored: the device ${quote(name)} of the snapshot, or one with its token, is in another account by now. Delete it there first.`,
    );
  }
  for (const { id, name } of then.projects)
    if (atHand(tables.get('projects', id))?.account_id !== account_id)
      throw badRequest(
        `Nothing was restored: the project ${quote(name)} of the snapshot is in another account by now. Delete it there first.`,
      );
}

/** Notes of the devices that the snapshot does not have: those of a project that it does not have either go with all its secrets. */
function goneDevices(now: WorldRows, then: WorldRows, comes: ReadonlySet<string>): PendingDeletion[] {
  const ofProjects = new Map<string, Set<string>>();
  const add = (project_id: string, ids: readonly string[]) => {
    const found = ofProjects.get(project_id) ?? new Set();
    ofProjects.set(project_id, found);
    for (const id of ids) if (!comes.has(id)) found.add(id);
  };
  for (const { id, project_id } of now.devices) add(project_id, [id]);
  for (const kept of now.kept_deletes) add(kept.project_id, deletedDevices({ kept_deletes: [kept] }));
  const stays = new Set([
    ...then.projects.map(({ id }) => id),
    ...then.kept_deletes.map((row) => row.project_id),
  ]);
  return [...ofProjects].flatMap(([project_id, ids]) => {
    const kind = stays.has(project_id) ? 'device' : 'project';
    return ids.size === 0 ? [] : [{ kind, project_id, device_ids: [...ids] } as const];
  });
}
