import { hash } from 'node:crypto';
import type { AnyHaving, AnyRow } from '../../metadata/any-row.ts';

/*
 * A row of metadata lies in the database as JSON, beside the few columns that it is found by. A column of PostgreSQL takes
 * no NUL and no half of a surrogate pair, and an index no long value; ids may have all of these, as they name data keys.
 */

/** Characters of an id that an index takes as it is. */
const MOST_INDEXED = 400;
/** Between the devices of a row. */
const BLANK = ' ';

/**
 * Returns the column value of an id: the id itself where it is an ordinary one; else as JSON writes it, with blanks written
 * out, too; and of a long one its SHA-256. No two ids have the same.
 */
export function idColumn(id: string): string {
  const written = JSON.stringify(id)
    .slice(1, -1)
    .replaceAll(BLANK, String.raw`\u0020`);
  return written.length <= MOST_INDEXED ? written : `sha256 ${hash('sha256', id, 'hex')}`;
}

/** The columns that a row is found by; absent ones are null. */
export interface RowColumns {
  readonly id: string;
  readonly sequence: number;
  readonly account_id: string | null;
  readonly project_id: string | null;
  /** Its devices, with blanks between them: string_to_array makes them an array. */
  readonly devices: string;
  readonly function_id: string | null;
  readonly role: string | null;
  readonly hash: string | null;
}

export function columnsOf(row: AnyRow): RowColumns {
  const { account_id, project_id, device_id, function_id, sources = [] } = row;
  const devices = typeof device_id === 'string' ? [device_id] : sources.map((source) => source.device_id);
  return {
    id: idColumn(row.id),
    sequence: row.sequence,
    account_id: account_id === undefined ? null : idColumn(account_id),
    project_id: project_id === undefined ? null : idColumn(project_id),
    devices: [...new Set(devices)].map(idColumn).join(BLANK),
    function_id: function_id === undefined ? null : idColumn(function_id),
    role: row.role ?? null,
    hash: row.token_hash ?? row.hash ?? null,
  };
}

/** A condition of SQL that holds for the rows that have all of these, and its parameters, of which `first` is the number. */
export function condition(
  having: AnyHaving,
  first: number,
): { readonly sql: string; readonly values: string[] } {
  const { account_id, project_id, device_id, function_id, role } = having;
  const wanted: readonly (readonly [string, string | undefined])[] = [
    ['account_id =', account_id],
    ['project_id =', project_id],
    ['devices @>', device_id],
    ['function_id =', function_id],
    ['role =', role],
  ];
  const values: string[] = [];
  let sql = '';
  for (const [test, value] of wanted) {
    if (value === undefined) continue;
    const place = `$${first + values.length}`;
    sql += ` AND ${test} ${test.startsWith('devices') ? `ARRAY[${place}]::text[]` : place}`;
    values.push(idColumn(value));
  }
  return { sql, values };
}
