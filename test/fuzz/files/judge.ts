import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#core/base/errors.ts';
import { inspectFile } from '#core/import/inspect.ts';
import { readRecords } from '#core/import/read-records.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { Doubt, ImportResult, ImportSettings, Inspection } from '#shared/operations/records/records.ts';
import { PRESENT } from '../../helpers/clock.ts';
import type { True } from './values.ts';
import type { WrittenFile } from './write-file.ts';

/** What became of a file: "silent" is the one that must not be. */
export interface Verdict {
  readonly kind: 'right' | 'texts' | 'refused' | 'said' | 'silent';
  /** For people: what was wrong, or why it was refused. */
  readonly what: string;
}

interface Imported {
  readonly inspection: Inspection;
  readonly result: ImportResult;
  readonly records: readonly StoredRecord[];
}

/** Imports a file as a person does who answers what is asked, and nothing else, and compares it with what is true. */
export async function judge(file: WrittenFile): Promise<Verdict> {
  try {
    const imported = await importFile(file, 'text');
    const verdict = compare(imported, file);
    const other = await importFile(file, 'bytes');
    return isDeepStrictEqual(
      [other.result, other.records.map(plain)],
      [imported.result, imported.records.map(plain)],
    )
      ? verdict
      : { kind: 'silent', what: 'read from its bytes, it is another than read from its text' };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', what: error.message };
    throw error;
  }
}

/** A record without the arrays that readers share among records. */
function plain({ timestamp, keys, values }: StoredRecord) {
  return { timestamp, keys: [...keys], values: [...values] };
}

/** Of the two readers, imports take that of bytes for all rows but odd ones. */
async function importFile({ bytes, startMs }: WrittenFile, reader: 'text' | 'bytes'): Promise<Imported> {
  const first = inspectFile({ now: PRESENT, head: bytes, complete: true });
  const settings: ImportSettings = {
    ...(first.zone_needed && { zone: 'UTC' }),
    ...(first.start_needed && { started: new Date(startMs).toISOString() }),
  };
  const asked = Object.keys(settings).length > 0;
  const inspection = asked ? inspectFile({ now: PRESENT, head: bytes, complete: true, ...settings }) : first;
  const records: StoredRecord[] = [];
  const result = await readRecords(
    { type: null, settings, received: 0, now: PRESENT },
    {
      bytes: one(bytes),
      progress: () => undefined,
      signal: new AbortController().signal,
      take: async (more) => void records.push(...more),
      ...(reader === 'bytes' && { takeColumns: async (more) => void records.push(...recordsOf(more)) }),
    },
  );
  return { inspection, result, records };
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function compare({ inspection, result, records }: Imported, file: WrittenFile): Verdict {
  const columns = inspection.columns.filter(({ role }) => role === 'value' || role === 'empty');
  const told = (settings: readonly Doubt['setting'][], column?: string) =>
    inspection.doubts.some(
      ({ setting, columns: about, message }) =>
        settings.includes(setting) &&
        (column === undefined || about.includes(column)) &&
        result.notes.includes(message),
    );
  const isSaid = (what: RegExp) =>
    [inspection.notes, result.notes].every((notes) => what.test(notes.join('\n')));
  const wrong = (what: string, isTold: boolean): Verdict => ({
    kind: isTold || (file.saidBy !== null && isSaid(file.saidBy)) ? 'said' : 'silent',
    what,
  });
  let texts = '';

  if (records.length !== file.records.length)
    return wrong(
      `${records.length} records instead of ${file.records.length}`,
      told(['missing_words', 'first_line', 'header', 'units_row']) ||
        // A column that is told to hold times, too, is a value in rows that have no other.
        told(['time_column']) ||
        result.skipped > 0 ||
        // In a column of texts, as it is told to be, a word for no value is a text.
        result.notes.some((note) => note.startsWith('Numbers in quotes are read as text')),
    );
  for (const [row, truth] of file.records.entries()) {
    const got = records[row]!;
    const shown = inspection.row_times.filter((time) => time !== null)[row];
    if (shown !== undefined && Date.parse(shown) !== Math.floor(got.timestamp / 1000))
      return wrong(`row ${row + 1} is shown at ${shown} and stored at ${got.timestamp}`, false);
    if (got.timestamp !== truth.time)
      return wrong(
        `the time of row ${row + 1} is ${new Date(got.timestamp / 1000).toISOString()} instead of ${new Date(truth.time / 1000).toISOString()}`,
        told(['date_order', 'time_kind', 'time_column', 'zone']),
      );
    if (columns.length !== truth.values.length)
      return wrong(
        `${columns.length} columns instead of ${truth.values.length}`,
        told(['time_column', 'first_line']),
      );
    for (const [index, { name }] of columns.entries()) {
      const value = got.values[got.keys.indexOf(name)];
      const expected = truth.values[index];
      if (Object.is(value, expected) || value === expected) continue;
      const what = `"${name}" in row ${row + 1} is ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`;
      if (told(['decimal_mark', 'missing_words', 'text_columns', 'encoding'], name)) return wrong(what, true);
      if (!saysOf(result.notes, name) || (typeof value === 'number' && typeof expected === 'number'))
        return wrong(what, false);
      if (!isTextOf(value, expected)) return wrong(what, true);
      texts ||= what;
    }
  }
  const unsaid = file.says.find((what) => !isSaid(what));
  if (unsaid) return wrong(`right, but ${unsaid.source} is not said`, false);
  return texts === '' ? { kind: 'right', what: '' } : { kind: 'texts', what: texts };
}

/** Whether a number, a truth or no value was kept as the text that writes it. */
function isTextOf(value: unknown, expected: True): boolean {
  return typeof value === 'string' && typeof expected !== 'string';
}

function saysOf(notes: readonly string[], name: string): boolean {
  return notes.some((note) => note.includes(JSON.stringify(name)));
}
