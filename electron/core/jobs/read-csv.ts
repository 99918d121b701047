import { badRequest } from '#core/errors.ts';
import { checkedTime, MAX_KEYS, RecordFault, tooManyKeys } from '#core/ingest/record.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import type { Micros } from '#shared/time.ts';
import { quote } from '#shared/validate.ts';
import { readCell } from './cell.ts';
import { readCsv, type CsvFault, type CsvRow } from './csv.ts';
import type { CsvLayout } from './layout.ts';
import { createLocalTime, type LocalTime } from './local-time.ts';
import { EMPTY, type Outcome, type RecordReader } from './outcome.ts';
import { joinTime, type TimeColumn } from './time-column.ts';
import { readTime } from './time-format.ts';

export interface CsvSettings {
  /** IANA zone of times that carry none; "UTC" when absent. */
  readonly zone?: string | undefined;
  /** Names of the columns to import, separated by ","; all but the row number and the time when absent. */
  readonly columns?: string | undefined;
}

/** Reads CSV by its layout. Throws a 400 Refusal on a zone or column that does not exist. */
export function readCsvRecords(
  pieces: AsyncIterable<string>,
  layout: CsvLayout,
  settings: CsvSettings,
  received: Micros,
): RecordReader {
  const local = createLocalTime(settings.zone ?? 'UTC');
  const fields = chooseFields(layout, settings.columns);
  const everyKey = fields.map((field) => field.key);
  const timeName = layout.columns[layout.time?.index ?? -1]?.name ?? '';

  function readRow({ cells }: CsvRow): StoredRecord | null {
    if (cells.length !== layout.width)
      throw new RecordFault(`expected ${layout.width} fields as in the first rows, got ${cells.length}`);
    const keys: string[] = [];
    const values: Value[] = [];
    for (const { index, key } of fields) {
      const cell = cells[index];
      const value = cell && readCell(cell, layout.rules);
      if (value === undefined) continue;
      keys.push(key);
      values.push(value);
    }
    if (keys.length === 0) return null;
    if (keys.length > MAX_KEYS) throw tooManyKeys();
    const timestamp = layout.time ? readRowTime(cells, layout.time, timeName, local) : received;
    // Rows that fill every column share one array of keys, so that a large file holds it once.
    return { timestamp, received, keys: keys.length === everyKey.length ? everyKey : keys, values };
  }

  function outcomeOf(row: CsvRow | CsvFault): Outcome {
    if (!('cells' in row)) return { kind: 'fault', ...row };
    try {
      const record = readRow(row);
      return record ? { kind: 'record', record } : EMPTY;
    } catch (error) {
      if (error instanceof RecordFault) return { kind: 'fault', line: row.line, message: error.message };
      throw error;
    }
  }

  async function* outcomes(): AsyncGenerator<readonly Outcome[]> {
    let header = layout.header;
    for await (const rows of readCsv(pieces, layout.delimiter)) {
      const names = header ? rows.findIndex((row) => 'cells' in row) : -1;
      if (names !== -1) header = false;
      yield (names === -1 ? rows : rows.toSpliced(names, 1)).map(outcomeOf);
    }
  }

  return { outcomes, notes: () => [...layout.notes, ...timeNotes(layout, settings.zone, local)] };
}

/** Where each key stands in a row. */
function chooseFields(layout: CsvLayout, chosen: string | undefined): { index: number; key: string }[] {
  const all = layout.columns.map(({ name, role }, index) => ({
    index,
    name,
    role,
    // The time of the record has that name, so a column that is not its time needs another.
    key: name === 'timestamp' ? 'timestamp column' : name,
  }));
  if (chosen === undefined) return all.filter(({ role }) => role === 'value' || role === 'empty');
  const names = chosen.split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !all.some((column) => column.name === name));
  if (unknown !== undefined || names.length === 0)
    throw badRequest(
      `columns must be some of ${all.map(({ name }) => JSON.stringify(name)).join(', ')}, got ${quote(unknown ?? chosen)}`,
    );
  return all.filter(({ name }) => names.includes(name));
}

/** `name` is what the file calls its column of times, for messages. */
function readRowTime(cells: CsvRow['cells'], column: TimeColumn, name: string, local: LocalTime): Micros {
  const own = cells[column.index]?.text ?? '';
  const text = column.clock === null ? own : joinTime(own, cells[column.clock]?.text ?? '');
  const written = readTime(text, column.format);
  if (!written)
    throw new RecordFault(
      `${name} must be a time like ${quote(column.example)}${orderHint(column)}, got ${quote(text)}`,
    );
  return checkedTime(written.zoned ? written.time : local.toInstant(written.time), text);
}

function orderHint({ format }: TimeColumn): string {
  if (format.kind === 'epoch' || format.order === 'year-first') return '';
  return format.order === 'day-first' ? ', day before month' : ', month before day';
}

function timeNotes(layout: CsvLayout, zone: string | undefined, local: LocalTime): string[] {
  const notes: string[] = [];
  if (!layout.time) notes.push('The rows carry no time, so the time of the import counts for all of them.');
  if (layout.time?.zoneNeeded && zone === undefined)
    notes.push('The times say no zone and none was chosen, so they are taken as UTC.');
  if (local.skipped > 0)
    notes.push(
      `${counted(local.skipped, 'time lies', 'times lie')} in an hour that clocks in ${zone} skipped, and moved forward by it.`,
    );
  if (local.repeated > 0)
    notes.push(
      `${counted(local.repeated, 'time lies', 'times lie')} in an hour that clocks in ${zone} went through twice: the first pass counts until the times step back.`,
    );
  return notes;
}

/** `1 row`, `1,200 rows`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
