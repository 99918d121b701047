import type { Doubt, FileSettings } from '#shared/operations/records/records.ts';
import { badRequest } from '../../base/errors.ts';
import { MAX_KEYS, RecordFault, tooManyKeys } from '../../ingest/record.ts';
import type { StoredRecord, Value } from '../../store/store.ts';
import type { Micros } from '#shared/values/time.ts';
import { countOf } from '#shared/values/counts.ts';
import { quote } from '#shared/values/validate.ts';
import { createColumnReader, type ColumnReader } from './column-reader.ts';
import { listed } from './column-style.ts';
import { isSameRow, readCsv, type CsvFault, type CsvRow } from '../text/csv.ts';
import type { CsvLayout } from './csv-layout.ts';
import { EMPTY, HEAD, type Outcome, type RecordReader } from '../outcome.ts';
import { checkSwallowed, cutNote, namesAnew } from './row-checks.ts';
import { createRowTimes, type RowTimes, type TimeSettings } from '../time/row-time.ts';

export type CsvSettings = TimeSettings & Pick<FileSettings, 'columns' | 'names'>;

/** Reads rows of a file in their order, each as a record. */
export interface RowReader {
  /** Throws a 400 Refusal where a row shows that rows before it were misread. */
  read(row: CsvRow | CsvFault): Outcome;
  /** What was noticed so far, doubts among it. */
  notes(): string[];
  /** What may be read wrongly, as far as rows have shown. */
  doubts(): Doubt[];
  /** The note that the file may end inside its last value, for who reads its end alone; null for none. */
  cut(): string | null;
  /** What it reads, for who reads ordinary rows from bytes instead; the two may take turns. */
  readonly fields: readonly Field[];
  readonly times: RowTimes | null;
  readonly counter: RowCounter | null;
}

/** A first column that only counts the rows. */
export interface RowCounter {
  /** The number of the row before; null before the first. */
  last: number | null;
}

/** Reads CSV by its layout. Throws a 400 Refusal on a zone, column or start that does not exist. */
export function readCsvRecords(
  pieces: AsyncIterable<string>,
  layout: CsvLayout,
  settings: CsvSettings,
  received: Micros,
): RecordReader {
  const reader = createRowReader(layout, settings, received);

  async function* outcomes(): AsyncGenerator<readonly Outcome[]> {
    let head = layout.headRows;
    for await (const rows of readCsv(pieces, layout.shape)) {
      const data = head === 0 ? rows : rows.filter((row) => !('cells' in row) || head-- <= 0);
      head = Math.max(0, head);
      yield data.map((row) => reader.read(row));
    }
  }

  return { outcomes, notes: () => reader.notes() };
}

/** The same for rows that were split already. */
export function createRowReader(layout: CsvLayout, settings: CsvSettings, received: Micros): RowReader {
  const { columns, width, time, trailing } = layout;
  const times = time && createRowTimes(time, columns[time.index]?.name ?? '', settings);
  const fields = chooseFields(layout, settings);
  const everyKey = fields.map((field) => field.key);
  const counter: RowCounter | null = layout.countsRows ? { last: null } : null;

  /** Whether a row has the fields of the first ones; an empty one more or less is only a delimiter at its end. */
  function fits(cells: CsvRow['cells']): boolean {
    if (cells.length === width || (trailing && cells.length === width - 1)) return true;
    return cells.length > width && cells.slice(width).every(({ text, quoted }) => text === '' && !quoted);
  }

  function readRow(row: CsvRow): StoredRecord | null {
    const { cells, line } = row;
    if (!fits(cells))
      throw new RecordFault(`expected ${width} fields as in the first rows, got ${cells.length}`);
    checkSwallowed(row, layout);
    if (counter) checkRowNumber(row, counter, columns[0]?.name ?? '');
    const keys: string[] = [];
    const values: Value[] = [];
    for (const { index, key, reader } of fields) {
      const cell = cells[index];
      const value = cell && reader.read(cell, line);
      if (value === undefined) continue;
      keys.push(key);
      values.push(value);
    }
    if (keys.length === 0) return null;
    if (keys.length > MAX_KEYS) throw tooManyKeys();
    const timestamp = times ? times.read(row) : received;
    // Rows that fill every column share one array of keys, so that a large file holds it once.
    return { timestamp, received, keys: keys.length === everyKey.length ? everyKey : keys, values };
  }

  let repeatedHeads = 0;
  let cut: string | null = null;
  const doubts = () => [...layout.doubts, ...(times?.doubts() ?? [])];

  return {
    fields,
    times,
    counter,
    doubts,
    cut: () => cut,
    read(row) {
      if (!('cells' in row)) return { kind: 'fault', ...row };
      if (layout.head.some((head) => isSameRow(head, row))) {
        repeatedHeads++;
        return HEAD;
      }
      if (row.isOpen) cut = cutNote(row, layout);
      try {
        const record = readRow(row);
        return record ? { kind: 'record', record } : EMPTY;
      } catch (error) {
        if (!(error instanceof RecordFault)) throw error;
        const anew = namesAnew(row, layout);
        if (anew) throw anew;
        return { kind: 'fault', line: row.line, message: error.message };
      }
    },
    notes: () => [
      ...layout.notes,
      ...doubts().map(({ message }) => message),
      ...(times
        ? times.notes()
        : ['The rows carry no time, so the time of the import counts for all of them.']),
      ...fields
        .filter(({ index, key }) => columns[index]?.name === 'timestamp' && key !== 'timestamp')
        .map(
          ({ key }) =>
            `The column "timestamp" is called ${quote(key)} here: that key is kept for the time of the record.`,
        ),
      ...(repeatedHeads > 0
        ? [
            `${countOf(repeatedHeads, 'row that repeats', 'rows that repeat')} what stands above the data ${repeatedHeads === 1 ? 'was' : 'were'} passed over.`,
          ]
        : []),
      ...(cut === null ? [] : [cut]),
      ...columnNotes(fields.flatMap(({ reader }) => reader.notes())),
    ],
  };
}

export interface Field {
  readonly index: number;
  readonly key: string;
  readonly reader: ColumnReader;
}

/** Where each key stands in a row, and what reads it. */
function chooseFields(layout: CsvLayout, { columns: chosen, names: renamed }: CsvSettings): Field[] {
  const all = layout.columns.map(({ name, role }, index) => ({ index, name, role }));
  const known = all.map(({ name }) => name);
  const names = chosen === undefined ? null : listed(chosen, known);
  const unknown = names?.find((name) => !known.includes(name));
  const keyOfTimestamp = freeKey(known);
  if (names && (unknown !== undefined || names.length === 0))
    throw badRequest(
      `columns must be some of ${known.map((name) => JSON.stringify(name)).join(', ')}, got ${quote(unknown ?? chosen)}`,
    );
  const keyOf = keysBy(known, renamed);
  const fields = all
    .filter(({ name, role }) => (names ? names.includes(name) : role === 'value' || role === 'empty'))
    .flatMap(({ index, name }) => {
      const style = layout.styles[index];
      // The time of the record has that name, so a column that is not its time needs another.
      const key = keyOf(name) ?? (name === 'timestamp' ? keyOfTimestamp : name);
      return style ? { index, key, reader: createColumnReader(name, style, layout.context) } : [];
    });
  const keys = new Set<string>();
  for (const { key } of fields) {
    if (keys.has(key))
      throw badRequest(`names must give each column a key of its own, got ${quote(key)} for two of them`);
    keys.add(key);
  }
  return fields;
}

/** What columns are called where that was chosen. Throws a 400 Refusal on a name that no column has. */
function keysBy(known: readonly string[], renamed: FileSettings['names'] = {}) {
  const chosen = new Map(Object.entries(renamed));
  const unknown = [...chosen.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badRequest(
      `names must be for some of ${known.map((name) => JSON.stringify(name)).join(', ')}, got ${quote(unknown)}`,
    );
  return (name: string) => chosen.get(name);
}

/** What values of a column "timestamp" are stored under: a name that no other column has. */
function freeKey(names: readonly string[]): string {
  let key = 'timestamp column';
  for (let copy = 2; names.includes(key); copy++) key = `timestamp column ${copy}`;
  return key;
}

/** Throws where a column that is left out as row numbers turns out to hold something else. */
function checkRowNumber({ cells, line }: CsvRow, counter: RowCounter, name: string): void {
  const text = (cells[0]?.text ?? '').trim();
  const number = /^\d{1,15}$/.test(text) ? Number(text) : null;
  if (number === null || (counter.last !== null && number !== counter.last + 1))
    throw badRequest(
      `line ${line}: ${quote(name)} only counts the rows before, so it was to be left out, but here it holds ${quote(text)}. Choose that column to import it [row_numbers=keep], or say that it is to be left out [row_numbers=leave-out]. Nothing was imported.`,
    );
  counter.last = number;
}

const MOST_COLUMN_NOTES = 10;

/** A file of hundreds of columns must not drown what else there is to say. */
function columnNotes(notes: readonly string[]): string[] {
  const left = notes.length - MOST_COLUMN_NOTES;
  return left > 0 ? [...notes.slice(0, MOST_COLUMN_NOTES), `So do ${left} more columns.`] : [...notes];
}
