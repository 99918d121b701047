import { constants } from 'node:buffer';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { Files } from '../../../disk/files.ts';
import { piecesOf } from '../../../disk/pieces.ts';
import { readWhole } from '../../../disk/whole-file.ts';
import { bySequence, type AnyRow } from '../any-row.ts';
import { freeze } from '../freeze.ts';
import type { UnreadRows } from '../tables/live-tables.ts';
import { header, SCHEMA_VERSION, TABLE_NAMES, tables, type TableName } from '../metadata-schema.ts';
import { check } from '../metadata-text.ts';
import { migrate } from './migrations.ts';
import type { ReadState } from '../tables/metadata-snapshots.ts';
import { readLines, Table, type Lines } from './read-lines.ts';
import { weigh, Weights } from '../weights.ts';

/** A state as a file holds it. */
export interface Written {
  readonly state: ReadState;
  readonly weights: Weights;
  /** Generation of the file (docs/storage-format.md, "Metadata"). */
  readonly generation: string;
  /** The format's version that it was written in. */
  readonly version: number;
  /** Whether it is byte for byte as this version wrote it. */
  readonly isAsWritten: boolean;
  /** The file's. */
  readonly bytes: number;
}

/**
 * Reads a state of any version up to this one, of any size where it has a thing a line. Throws NewerVersion, Node's errors
 * (ENOENT where there is no file), or an error that says what is wrong with it. `pieces`: the file's, where they are read
 * already; they are written over.
 */
export async function readMetadata(
  files: Files,
  path: string,
  pieces: AsyncIterable<Buffer> = piecesOf(files, path),
): Promise<Written> {
  const lines = await readDocument(files, path, pieces);
  const { whole, hasCrc, bytes } = lines;
  const isAsWritten = hasCrc && whole.get('version') === SCHEMA_VERSION;
  const document = isAsWritten ? Object.fromEntries(whole) : lines.document();
  const current = migrate(document);
  const { version } = document as { readonly version: number };
  const { generation, settings, next_sequence, deletions, trail } = check(header, current, 'metadata');
  const common = { settings, next_sequence, deletions: freeze(deletions), trail };
  const found = { generation, version, isAsWritten, bytes };
  if (isAsWritten) {
    const rows = {} as Record<TableName, RowsAsWritten>;
    for (const name of TABLE_NAMES) rows[name] = rowsAsWritten(name, whole);
    expectOwner(rows.accounts.ids, settings.default_account_id);
    const state = { ...common, rows: (name: TableName) => rows[name] };
    return { ...found, state, weights: new Weights(() => weightsAsWritten(rows)) };
  }
  const rows = {} as Record<TableName, readonly AnyRow[]>;
  for (const name of TABLE_NAMES) rows[name] = inOrder(checkTable(name, current[name]));
  expectOwner(
    rows.accounts.map(({ id }) => id),
    settings.default_account_id,
  );
  const state = { ...common, rows: (name: TableName) => rows[name] };
  return { ...found, state, weights: weigh(state) };
}

/** A comma, which the last line of a table lacks, and a line feed. */
const LINE_END = 2;

function weightsAsWritten(rows: Readonly<Record<TableName, RowsAsWritten>>): Weights {
  const weights = new Weights();
  for (const name of TABLE_NAMES) {
    const { lengths, all } = rows[name];
    for (const [i, row] of all().entries()) weights.add(name, row, (lengths[i] ?? 0) + LINE_END);
  }
  return weights;
}

function expectOwner(accounts: readonly string[], id: string): void {
  if (!accounts.includes(id)) throw new TypeError('it lacks its default account');
}

/** Reads what was written otherwise, by hand say, as one text, where it is no longer than one can be. */
async function readDocument(files: Files, path: string, pieces: AsyncIterable<Buffer>): Promise<Lines> {
  try {
    return await readLines(pieces);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    const bytes = await readWhole(files, path);
    if (bytes === null || bytes.length > constants.MAX_STRING_LENGTH) throw error;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { document: () => parseJson(text), whole: new Map(), hasCrc: false, bytes: bytes.length };
  }
}

function inOrder(rows: readonly AnyRow[]): readonly AnyRow[] {
  const areInOrder = rows.every((row, i) => i === 0 || bySequence(rows[i - 1] ?? row, row) <= 0);
  return areInOrder ? rows : rows.toSorted(bySequence);
}

interface RowsAsWritten extends UnreadRows {
  /** Bytes of their lines, without comma and line feed. */
  readonly lengths: readonly number[];
  readonly all: () => AnyRow[];
}

function rowsAsWritten(name: TableName, whole: Lines['whole']): RowsAsWritten {
  const table = whole.get(name);
  if (!(table instanceof Table)) throw new TypeError(`it lacks its ${name}`);
  return {
    get ids() {
      return table.names;
    },
    get lengths() {
      return table.lengths;
    },
    all: () => table.things() as AnyRow[],
    around(i) {
      const { from, things } = table.around(i);
      return { from, rows: things as AnyRow[] };
    },
  };
}

function checkTable(name: TableName, table: unknown): AnyRow[] {
  const rows: Record<string, AnyRow> = check(z.record(z.string(), tables[name]), table, name);
  for (const [id, row] of Object.entries(rows))
    if (row.id !== id) throw new TypeError(`${name}.${id}: holds ${row.id}`);
  return Object.values(rows);
}
