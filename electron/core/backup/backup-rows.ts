import { z } from 'zod';
import { isUuid } from '#shared/values/uuid.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import { migrate, NewerVersion } from '../store/metadata/file/migrations.ts';
import {
  TABLE_NAMES,
  tables as schemas,
  type Row,
  type TableName,
} from '../store/metadata/metadata-schema.ts';
import type { Tables } from '../store/metadata/metadata.ts';
import { carriedTables, type CarriedTable } from '../store/metadata/world-contents.ts';
import { Pace } from '../turns/pace.ts';
import { ROWS } from './backup-format.ts';
import { MOST_ROWS_BYTES, parsedAs, parsedOr, textOf, unreadable } from './read-backup.ts';
import type { FoundMember } from './tar.ts';

const line = z.object({ table: z.enum(TABLE_NAMES), row: z.looseObject({ id: z.string().min(1) }) });

type BackupTable = CarriedTable<'backup'>;
/** A row of a table, as a line of a backup has it. */
export type BackupRow = {
  [Name in BackupTable]: { readonly table: Name; readonly row: Row<Name> };
}[BackupTable];

/** Scope of a backup: all, a project, or one device of it. */
export interface BackupScope {
  readonly project_id: string | null;
  readonly device_id: string | null;
}

export const EVERYTHING: BackupScope = { project_id: null, device_id: null };

/** The tables that a backup has. */
const BACKED_UP = carriedTables('backup');

/** Resolves with the rows of a backup, by table, each in the order in which they were made. */
export async function rowsOfBackup(tables: Tables, scope: BackupScope): Promise<readonly BackupRow[]> {
  const found: BackupRow[] = [];
  for (const table of BACKED_UP)
    for (const row of await tables.list(table)) {
      const each = { table, row } as BackupRow;
      if (isOf(scope, each)) found.push(each);
    }
  return found;
}

const isBackedUp = (table: TableName) => BACKED_UP.some((each) => each === table);

/** Whether a row belongs to what is backed up, or restored. The key of the service itself belongs to its process. */
export function isOf({ project_id, device_id }: BackupScope, { table, row }: BackupRow): boolean {
  if (table === 'api_keys' && row.role === 'service') return false;
  if (project_id === null) return true;
  if (table === 'projects') return row.id === project_id;
  if (!('project_id' in row) || row.project_id !== project_id) return false;
  if (device_id === null) return true;
  if (table === 'devices') return row.id === device_id;
  return 'device_id' in row && row.device_id === device_id;
}

/** Reads the rows of a backup, its first member behind the manifest. Rejects as `parseRows`, and where they are not there. */
export async function readRows(
  members: AsyncGenerator<FoundMember>,
  version: number,
): Promise<readonly BackupRow[]> {
  const first = await members.next();
  if (first.done || first.value.name !== ROWS)
    throw badRequest(`The backup must have ${quote(ROWS)} behind its manifest`);
  return parseRows(await textOf(first.value, MOST_ROWS_BYTES), version);
}

/**
 * Reads the rows of a backup, of whatever earlier version. Throws a 400 Refusal that names the line, or the row.
 * Gives way to others between slices of time.
 */
async function parseRows(text: string, version: number): Promise<readonly BackupRow[]> {
  const document: Record<string, unknown> = { version };
  for (const table of TABLE_NAMES) document[table] = Object.create(null);
  const pace = new Pace();
  const lines = text.split('\n');
  for (const [i, each] of lines.entries()) {
    if (each === '') continue;
    const where = `${ROWS}, line ${i + 1}`;
    const { table, row } = parsedAs(line, parsedOr(each), where);
    const rows = document[table] as Record<string, unknown>;
    if (!isBackedUp(table)) throw unreadable(where, `no backup has rows of the table ${quote(table)}`);
    if (Object.hasOwn(rows, row.id)) throw unreadable(where, `${table} ${quote(row.id)} is there twice`);
    rows[row.id] = row;
    await pace.pause();
  }
  const lifted = migrated(document);
  const found: BackupRow[] = [];
  const tokens = new Set<string>();
  for (const table of BACKED_UP)
    for (const each of Object.values(lifted[table] as object)) {
      const read = { table, row: parsedAs(schemas[table], each, `${ROWS}, ${table}`) } as BackupRow;
      checkRow(read, tokens);
      found.push(read);
      await pace.pause();
    }
  return found.toSorted((a, b) => a.row.sequence - b.row.sequence);
}

/** Ids become names of folders and addresses; a token names one device. */
function checkRow({ table, row }: BackupRow, tokens: Set<string>): void {
  if (table !== 'projects' && table !== 'devices') return;
  const where = `${ROWS}, ${table}`;
  if (!isUuid(row.id)) throw unreadable(where, `${quote(row.id)} is no id that a service would have given`);
  if (table !== 'devices') return;
  if (tokens.has(row.token_hash)) throw unreadable(where, `two devices have the token of ${quote(row.name)}`);
  tokens.add(row.token_hash);
}

function migrated(document: Record<string, unknown>): Record<string, unknown> {
  try {
    return migrate(document);
  } catch (error) {
    if (!(error instanceof NewerVersion)) throw error;
    throw badRequest(
      `The backup is of a later Fieldbench: ${error.message}; update Fieldbench to restore it`,
    );
  }
}
