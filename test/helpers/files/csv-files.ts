import type { ImportSettings } from '#shared/operations/records/records.ts';
import { formatMicros } from '#shared/values/time.ts';
import { importFile, plain, refusalOf } from './imports.ts';

/* Small files as loggers, spreadsheets and data frames write them, and what an import makes of them. */

/** The rows carry no time. */
export const NO_TIME: ImportSettings = { time_column: '' };
export const file = (...lines: string[]) => lines.join('\n');

/** Values, times without zeros at their ends, and notes of what was imported. */
export async function read(text: string | Uint8Array, settings: ImportSettings = {}) {
  const { records, result } = await importFile(text, { settings });
  return {
    values: records.map(plain),
    times: records.map(({ timestamp }) => formatMicros(timestamp).replace(/\.?0+Z$/, 'Z')),
    notes: result.notes.join('\n'),
    result,
  };
}

/** Why nothing was imported. */
export const refusal = (text: string | Uint8Array, settings: ImportSettings = {}) =>
  refusalOf(importFile(text, { settings }));

/** Rows that fill the beginning by which a file is judged, and more. */
export const many = (row: (n: number) => string, rows = 4000) =>
  Array.from({ length: rows }, (_, n) => row(n));
/** A time of the wall, n seconds on. */
export const clock = (n: number) =>
  new Date(Date.UTC(2015, 1, 4) + n * 1000).toISOString().slice(0, 19).replace('T', ' ');
