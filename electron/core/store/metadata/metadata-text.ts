import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '#shared/json.ts';
import { Pace } from '../../turns/pace.ts';
import { bySequence, type AnyRow } from './any-row.ts';
import { freeze } from './freeze.ts';
import {
  deletion,
  header,
  SCHEMA_VERSION,
  TABLE_NAMES,
  tables,
  type MetadataState,
  type PendingDeletion,
  type TableName,
} from './metadata-schema.ts';
import { migrate } from './migrations.ts';
import { rowText } from './row-text.ts';

/*
 * metadata.json as text: plain JSON, a thing a line, so that people can read and compare it. Its last field is the
 * CRC-32 of all before it: what this version wrote, and checked before it did, need not be checked field by field again,
 * which with 10,000 devices would be most of a start.
 */

/** A state as a file holds it. */
export interface Written {
  readonly state: MetadataState;
  /** Which writing of the file it is (docs/storage-format.md, "Metadata"). */
  readonly generation: string;
  /** The format's version that it was written in. */
  readonly version: number;
  /** Whether it is byte for byte as this version wrote it. */
  readonly isAsWritten: boolean;
}

const lastField = (crc: number) => `"crc":"${crc.toString(16).padStart(8, '0')}"\n}\n`;
const LAST_FIELD_BYTES = lastField(0).length;
/** Rows that are written between two looks at the clock. */
const ROWS = 64;

/** Resolves with the text of a state that nothing changes meanwhile, in slices of time. */
export async function encodeMetadata(state: MetadataState, generation: string): Promise<Uint8Array> {
  const pace = new Pace();
  const { settings, next_sequence, deletions } = state;
  const head = { version: SCHEMA_VERSION, generation, settings, next_sequence, deletions };
  const lines = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},\n`,
  );
  const parts = [Buffer.from(`{\n${lines.join('')}`)];
  for (const name of TABLE_NAMES) {
    const rows = state.rows(name);
    parts.push(Buffer.from(`${JSON.stringify(name)}:{`));
    for (let from = 0; from < rows.length; from += ROWS) {
      const written = rows
        .slice(from, from + ROWS)
        .map((row) => `\n${JSON.stringify(row.id)}:${rowText(row)}`);
      parts.push(Buffer.from((from > 0 ? ',' : '') + written.join(',')));
      await pace.pause();
    }
    parts.push(Buffer.from('\n},\n'));
  }
  const crc = parts.reduce((sum, part) => crc32(part, sum), 0);
  return Buffer.concat([...parts, Buffer.from(lastField(crc))]);
}

/** Throws TypeError where a row could not be read again, and RangeError where it is nested too deep to be written. */
export function checkRow(name: TableName, row: AnyRow): void {
  JSON.stringify(check<unknown>(tables[name], row, name));
}

/** The same for the note of a delete. */
export function checkDeletion(noted: PendingDeletion): void {
  check(deletion, noted, 'deletions');
}

/** Reads a state of any version up to this one. Throws NewerVersion, or an error that says what is wrong with it. */
export function decodeMetadata(bytes: Uint8Array): Written {
  const document = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const current = migrate(document);
  const { version } = document as { readonly version: number };
  const isAsWritten = version === SCHEMA_VERSION && endsWithCrc(bytes);
  const { generation, settings, next_sequence, deletions } = check(header, current, 'metadata');
  const rows = {} as Record<TableName, readonly AnyRow[]>;
  for (const name of TABLE_NAMES) rows[name] = readTable(name, current[name], isAsWritten);
  if (!rows.accounts.some(({ id }) => id === settings.default_account_id))
    throw new TypeError('it lacks its default account');
  const state = {
    settings,
    next_sequence,
    deletions: freeze(deletions),
    rows: (name: TableName) => rows[name],
  };
  return { state, generation, version, isAsWritten };
}

function endsWithCrc(bytes: Uint8Array): boolean {
  const end = bytes.length - LAST_FIELD_BYTES;
  const last = Buffer.from(bytes.subarray(Math.max(0, end))).toString('latin1');
  return end > 0 && last === lastField(crc32(bytes.subarray(0, end)));
}

function readTable(name: TableName, table: unknown, isAsWritten: boolean): readonly AnyRow[] {
  const rows = isAsWritten ? (table as Record<string, AnyRow>) : checkTable(name, table);
  return freeze(Object.values(rows).toSorted(bySequence));
}

function checkTable(name: TableName, table: unknown): Record<string, AnyRow> {
  const rows: Record<string, AnyRow> = check(z.record(z.string(), tables[name]), table, name);
  for (const [id, row] of Object.entries(rows))
    if (row.id !== id) throw new TypeError(`${name}.${id}: holds ${row.id}`);
  return rows;
}

/** Throws TypeError with what is wrong and where. */
function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TypeError(`${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`);
}
