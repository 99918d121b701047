import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { crcText } from '../../disk/crc-line.ts';
import { Pace } from '../../turns/pace.ts';
import type { AnyRow } from './any-row.ts';
import {
  deletion,
  SCHEMA_VERSION,
  TABLE_NAMES,
  tables,
  type MetadataState,
  type PendingDeletion,
  type TableName,
} from './metadata-schema.ts';
import { rowText } from './row-text.ts';
import { lineBytes } from './weights.ts';

/*
 * metadata.json as text: plain JSON, a thing a line, so that people can read and compare it, and that it can be read
 * whatever its size (read-metadata.ts). Its last field is the CRC-32 of all before it: what this version wrote, and
 * checked before it did, need not be checked field by field again, which with 10,000 devices would be most of a start.
 */

/** The end of the file, behind what the CRC is of. */
export const lastField = (crc: number) => `"crc":"${crcText(crc)}"\n}\n`;
/** Rows that are written between two looks at the clock. */
const ROWS = 64;

/** The text of a state that nothing changes meanwhile, in pieces and in slices of time. */
export async function* metadataPieces(
  state: MetadataState,
  generation: string,
): AsyncGenerator<Uint8Array, void> {
  let crc = 0;
  for await (const text of metadataTexts(state, generation)) {
    const piece = Buffer.from(text);
    crc = crc32(piece, crc);
    yield piece;
  }
  yield Buffer.from(lastField(crc));
}

async function* metadataTexts(state: MetadataState, generation: string): AsyncGenerator<string, void> {
  const pace = new Pace();
  const { settings, next_sequence, deletions, trail } = state;
  const head = { version: SCHEMA_VERSION, generation, settings, next_sequence, deletions, trail };
  const lines = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},\n`,
  );
  yield `{\n${lines.join('')}`;
  for (const name of TABLE_NAMES) {
    const rows = state.rows(name);
    yield `${JSON.stringify(name)}:{`;
    for (let from = 0; from < rows.length; from += ROWS) {
      const written = rows
        .slice(from, from + ROWS)
        .map((row) => `\n${JSON.stringify(row.id)}:${rowText(row)}`);
      yield (from > 0 ? ',' : '') + written.join(',');
      await pace.pause();
    }
    yield '\n},\n';
  }
}

/** Rows of unchanged files that this version of the schema wrote. */
const checked = new WeakSet<AnyRow>();

/** Rows that were checked when they were written, in a file that is unchanged, are not checked again. */
export function takeAsChecked(rows: readonly AnyRow[]): void {
  for (const row of rows) checked.add(row);
}

/**
 * Returns the bytes of a row's line. Throws TypeError where it could not be read again, and RangeError where it is nested
 * too deep, or too long, to be written.
 */
export function checkRow(name: TableName, row: AnyRow): number {
  if (!checked.has(row)) check<unknown>(tables[name], row, name);
  return lineBytes(row, JSON.stringify(row));
}

/** Checks the note of a delete. */
export function checkDeletion(noted: PendingDeletion): void {
  check(deletion, noted, 'deletions');
}

/** Throws TypeError with what is wrong and where. */
export function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TypeError(`${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`);
}
