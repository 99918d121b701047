import type { Awaitable } from '../../base/awaitable.ts';
import { SCHEMA_VERSION, type Row } from '../../store/metadata/metadata-schema.ts';
import { takeAsChecked } from '../../store/metadata/metadata-text.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { carriedTables, type CarriedTable } from '../../store/metadata/world-contents.ts';
import { idsOf } from '../removal/taking.ts';

/** The tables of a world: a snapshot has its rows of each. */
export const WORLD_TABLES = carriedTables('snapshot');

/** Rows of a world. */
export type WorldRows = { readonly [Name in CarriedTable<'snapshot'>]: readonly Row<Name>[] };

/** Returns the rows of a world but for the service's own key, which is of no world. Of tables in memory alone. */
export function rowsOfWorld(tables: Tables, account_id: string): WorldRows {
  const projects = atHand(tables.list('projects', { account_id }));
  const keys = atHand(tables.list('api_keys', { account_id }));
  const ofProjects = <
    Name extends
      | 'devices'
      | 'functions'
      | 'widgets'
      | 'key_settings'
      | 'notes'
      | 'alarms'
      | 'corrections'
      | 'correction_history',
  >(
    name: Name,
  ) => projects.flatMap(({ id: project_id }) => atHand(tables.list(name, { project_id })));
  return {
    projects,
    devices: ofProjects('devices'),
    api_keys: keys.filter(({ role }) => role === 'user'),
    functions: ofProjects('functions'),
    widgets: ofProjects('widgets'),
    key_settings: ofProjects('key_settings'),
    notes: ofProjects('notes'),
    alarms: ofProjects('alarms'),
    corrections: ofProjects('corrections'),
    correction_history: ofProjects('correction_history'),
    views: atHand(tables.list('views', { account_id })),
    kept_deletes: atHand(tables.list('kept_deletes', { account_id })),
  };
}

/** Rows as a snapshot has them, whose bytes its file holds to a CRC. */
export interface SavedRows extends WorldRows {
  /** The version of the tables' schema; absent in earlier snapshots. */
  readonly schema: number;
}

/** Returns the rows of a snapshot; one of an earlier version lacks the tables that came since. */
export function savedRows(saved: unknown): WorldRows {
  const { schema, ...tables } = saved as Partial<SavedRows>;
  const none = Object.fromEntries(WORLD_TABLES.map((name) => [name, []])) as unknown as WorldRows;
  const rows = { ...none, ...tables };
  if (schema === SCHEMA_VERSION) for (const name of WORLD_TABLES) takeAsChecked(rows[name]);
  return rows;
}

/** Devices of a world that are deleted and can be had back. */
export const deletedDevices = ({ kept_deletes }: Pick<WorldRows, 'kept_deletes'>): string[] =>
  kept_deletes.flatMap(({ rows }) => idsOf(rows, 'devices'));

/** Returns what is at once there in a data directory. */
export function atHand<T>(value: Awaitable<T>): T {
  if (value instanceof Promise) throw new TypeError('The tables of a data directory are in memory.');
  return value;
}
