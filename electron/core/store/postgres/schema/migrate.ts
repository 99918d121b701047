import { join } from 'node:path';
import { nodeFiles } from '../../../disk/files.ts';
import { readWholeNow } from '../../../disk/whole-file.ts';
import { newerFormat } from '../../store-errors.ts';
import type { Asker, Database, DatabaseRow } from '../connection/connections.ts';
import { sqlState } from '../connection/database-errors.ts';
import { LANES } from '../rows/place.ts';

/**
 * Migrations of a database from one version to the next, files beside this one: `MIGRATIONS[n]` brings version n to n + 1.
 * All of it may run again over what it made, for a database that cannot undo a CREATE TABLE.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  ['schema.sql', 'schema-metadata.sql'],
  ['schema-2.sql'],
  ['schema-3.sql'],
  ['schema-4.sql'],
  // A database that is new with it has lanes of other numbers, too (rows/place.ts), where an older build would not look.
  ['schema-5.sql'],
  ['schema-6.sql'],
  ['schema-7.sql'],
  ['schema-8.sql'],
  ['schema-9.sql'],
  ['schema-10.sql'],
];
/** The version of a database that this build uses. */
export const LATEST = MIGRATIONS.length;
/**
 * The oldest version whose services may go on writing to a database of the latest one: raised by a step that they would work
 * against. Those of version 3 would remove notes of changes by a column that is gone, those of version 6 delete and move devices
 * without their corrections, those of version 7 change things without
 * telling the audit trail, those of version 8 cannot read every block, so neither merge nor divide it, those of version 9 delete and
 * move devices without their alarms, and write functions without what makes one a rule.
 */
const OLDEST_WRITER = 10;

const VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_version (id integer PRIMARY KEY, version integer NOT NULL, lanes integer NOT NULL)';
const FIRST = 'INSERT INTO schema_version (id, version, lanes) VALUES (1, 0, $1) ON CONFLICT (id) DO NOTHING';
/** The catalogue of tables that Citus deals to nodes is there where Citus is. */
const IS_SPREAD = "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS spread";
const LAYOUT = `SELECT version, lanes, ${IS_SPREAD} FROM schema_version WHERE id = 1`;
const FOUND = `${LAYOUT} FOR UPDATE`;
const RAISED = 'UPDATE schema_version SET version = $1, oldest_writer = $2 WHERE id = 1';
const VERSION = 'SELECT version, oldest_writer FROM schema_version WHERE id = 1';
/** Codes of a table and of a column that are not there. */
const NOT_THERE = new Set<string | null>(['42P01', '42703']);
/** Codes for the second of two that create a table at the same time. */
const MET = new Set<string | null>(['23505', '42P07', '42710']);

/** Layout of a database with the tables of this version. */
export interface Layout {
  /** How many; permanent once a database is used. */
  readonly lanes: number;
  /** Whether its lanes may lie on several nodes, so that each statement is best of one table (storing/append-steps.ts). */
  readonly isSpread: boolean;
}

/** Version of a database's tables, and the oldest one whose services may write to them. */
export interface SchemaVersion extends DatabaseRow {
  readonly version: number;
  readonly oldest_writer: number;
}

interface VersionRow extends DatabaseRow {
  readonly version: number;
  readonly lanes: number;
  readonly spread: boolean;
}

/**
 * Brings a database to the latest version, or leaves it where it is there already; several may do it at once. Rejects with
 * StoreError: `newer-format` where a newer version used it, and as every question does.
 */
export async function migrate(
  database: Database,
  { lanes = LANES }: { readonly lanes?: number } = {},
): Promise<Layout> {
  const texts = MIGRATIONS.map((names) => names.map(read).join('\n'));
  const known = await layoutOf(database, texts.length);
  if (known) return known;
  await createVersions(database);
  return database.change(async (transaction) => {
    await transaction.ask(FIRST, [lanes]);
    const [found] = await transaction.ask<VersionRow>(FOUND, []);
    if (!found) throw new TypeError('schema_version has no row');
    if (found.version > texts.length) throw newer(database, found.version);
    for (const text of texts.slice(found.version)) await transaction.ask(text);
    await transaction.ask(RAISED, [texts.length, OLDEST_WRITER]);
    return { lanes: found.lanes, isSpread: found.spread };
  });
}

/** Resolves with null where no service of version 5 or later has used the database. Rejects with StoreError. */
export async function readSchemaVersion(database: Asker): Promise<SchemaVersion | null> {
  try {
    const [found] = await database.ask<SchemaVersion>(VERSION, []);
    return found ?? null;
  } catch (error) {
    if (NOT_THERE.has(sqlState(error))) return null;
    throw error;
  }
}

/** Resolves with null where the database is not of the latest version. */
async function layoutOf(database: Database, latest: number): Promise<Layout | null> {
  try {
    const [row] = await database.ask<VersionRow>(LAYOUT, []);
    if (row && row.version > latest) throw newer(database, row.version);
    return row?.version === latest ? { lanes: row.lanes, isSpread: row.spread } : null;
  } catch (error) {
    if (sqlState(error) === '42P01') return null;
    throw error;
  }
}

async function createVersions(database: Asker): Promise<void> {
  try {
    await database.ask(VERSIONS);
  } catch (error) {
    if (!MET.has(sqlState(error))) throw error;
  }
}

const newer = (database: Database, version: number) =>
  newerFormat(`The database ${database.name}`, version, LATEST);

const read = (name: string) => readWholeNow(nodeFiles, join(import.meta.dirname, name)).toString();
