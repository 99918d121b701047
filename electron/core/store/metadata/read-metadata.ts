import { constants } from 'node:buffer';
import { z } from 'zod';
import { parseJson } from '#shared/json.ts';
import type { Files } from '../../disk/files.ts';
import { piecesOf } from '../../disk/pieces.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { bySequence, type AnyRow } from './any-row.ts';
import { freeze } from './freeze.ts';
import {
  header,
  SCHEMA_VERSION,
  TABLE_NAMES,
  tables,
  type MetadataState,
  type TableName,
} from './metadata-schema.ts';
import { check } from './metadata-text.ts';
import { migrate } from './migrations.ts';
import { readLines, Table, type Lines } from './read-lines.ts';
import { weigh, Weights } from './weights.ts';

/** A state as a file holds it. */
export interface Written {
  readonly state: MetadataState;
  readonly weights: Weights;
  /** Which writing of the file it is (docs/storage-format.md, "Metadata"). */
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
  const weights = new Weights();
  const lines = await readDocument(files, path, pieces, (table, thing, length) => {
    const name = TABLE_NAMES.find((each) => each === table);
    if (name !== undefined && isRow(thing)) weights.add(name, thing, length + LINE_END);
  });
  const { whole, hasCrc, bytes } = lines;
  const isAsWritten = hasCrc && whole.get('version') === SCHEMA_VERSION;
  const document = isAsWritten ? Object.fromEntries(whole) : lines.document();
  const current = migrate(document);
  const { version } = document as { readonly version: number };
  const { generation, settings, next_sequence, deletions } = check(header, current, 'metadata');
  const rows = {} as Record<TableName, readonly AnyRow[]>;
  for (const name of TABLE_NAMES)
    rows[name] = inOrder(isAsWritten ? rowsAsWritten(name, whole) : checkTable(name, current[name]));
  if (!rows.accounts.some(({ id }) => id === settings.default_account_id))
    throw new TypeError('it lacks its default account');
  const state = {
    settings,
    next_sequence,
    deletions: freeze(deletions),
    rows: (name: TableName) => rows[name],
  };
  return { state, weights: isAsWritten ? weights : weigh(state), generation, version, isAsWritten, bytes };
}

/** A comma, which the last line of a table lacks, and a line feed. */
const LINE_END = 2;

/** As far as it is weighed; what is checked is checked later. */
const isRow = (thing: unknown): thing is AnyRow => typeof thing === 'object' && thing !== null;

/** Reads what was written otherwise, by hand say, as one text, where it is no longer than one can be. */
async function readDocument(
  files: Files,
  path: string,
  pieces: AsyncIterable<Buffer>,
  found: Parameters<typeof readLines>[1],
): Promise<Lines> {
  try {
    return await readLines(pieces, found);
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

function rowsAsWritten(name: TableName, whole: Lines['whole']): AnyRow[] {
  const table = whole.get(name);
  if (!(table instanceof Table)) throw new TypeError(`it lacks its ${name}`);
  return table.things as AnyRow[];
}

function checkTable(name: TableName, table: unknown): AnyRow[] {
  const rows: Record<string, AnyRow> = check(z.record(z.string(), tables[name]), table, name);
  for (const [id, row] of Object.entries(rows))
    if (row.id !== id) throw new TypeError(`${name}.${id}: holds ${row.id}`);
  return Object.values(rows);
}
