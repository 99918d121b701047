import { RecordFault } from '../ingest/record.ts';
import { toRecord } from '../ingest/to-record.ts';
import type { StoredRecord, Value } from '../store/store.ts';
import { parseJson } from '#shared/values/json.ts';
import type { Column } from '#shared/operations/records/records.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { FileFound } from './file-to-inspect.ts';
import { NdjsonTimes } from './ndjson-times.ts';

const PREVIEW_ROWS = 10;

interface LineRead {
  readonly record: StoredRecord;
  /** The time as the line writes it; null where it has none. */
  readonly written: string | number | null;
  readonly number: number;
}

/** What the first lines of an NDJSON file say about it: keys and values as an import stores them. */
export function inspectNdjson(text: string, now: Micros): FileFound {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
  const read: LineRead[] = [];
  const faults: { line: number; message: string }[] = [];
  for (const { line, number } of lines) {
    const found = readLine(line, number);
    if (typeof found === 'string') faults.push({ line: number, message: found });
    else read.push(found);
  }
  const times = timesOf(read, now);
  const kinds = kindsByKey(read);
  const time = read.find(({ written }) => written !== null)?.written ?? null;
  const names = [...(time === null ? [] : ['timestamp']), ...kinds.keys()];
  const columns = names.map((name): Column => {
    const kind = kinds.get(name);
    return kind ? { name, role: 'value', kind } : { name, role: 'time', kind: 'time' };
  });
  const shown = read.slice(0, PREVIEW_ROWS);
  return {
    format: 'ndjson',
    delimiter: null,
    columns,
    time_column: time === null ? null : 'timestamp',
    time_format: describeTime(time),
    time_kind: time === null ? null : typeof time === 'number' ? 'epoch-ms' : 'date',
    first_line: 1,
    lines_before: [],
    units_row: false,
    head_rows: 0,
    units_line: null,
    head_lines: [],
    zone_needed: false,
    start_needed: false,
    date_order: null,
    date_order_unsure: false,
    decimal_mark: null,
    decimal_mark_unsure: false,
    missing_words: [],
    first: null,
    last: null,
    looked_at: lines.length,
    unreadable: faults.length,
    first_fault: faults[0] ?? null,
    doubts: times.doubts(),
    problem: null,
    problem_with: null,
    rows: shown.map((line) => names.map((name) => textOf(line, name))),
    row_lines: shown.map(({ number }) => number),
    row_values: shown.map(({ record }) => names.map((name) => valueOf(record, name))),
    row_times: shown.map(({ record, written }) => (written === null ? null : formatMicros(record.timestamp))),
    notes: [
      'Every line is one JSON object.',
      ...times.notes(),
      ...(faults.length > 0 ? [`${faults.length} of the first ${lines.length} lines cannot be read.`] : []),
    ],
  };
}

/** A line as it is stored; the text says why it cannot be. */
function readLine(line: string, number: number): LineRead | string {
  try {
    const value: unknown = parseJson(line);
    const record = toRecord(value, 0);
    // A record's time was read from it: a text or a number.
    const { timestamp = null } = value as { readonly timestamp?: LineRead['written'] };
    return { record, written: timestamp, number };
  } catch (error) {
    if (error instanceof RecordFault) return error.message;
    if (error instanceof SyntaxError) return `must be one JSON object: ${error.message}`;
    throw error;
  }
}

function timesOf(lines: readonly LineRead[], now: Micros): NdjsonTimes {
  const times = new NdjsonTimes(now);
  for (const { record, written } of lines)
    if (written === null) times.untimed(record.keys, record.values);
    else times.timed(record.timestamp);
  return times;
}

/** What the values of each key are, in one pass over all of them, in order of appearance. */
function kindsByKey(lines: readonly LineRead[]): Map<string, Column['kind']> {
  const kinds = new Map<string, Column['kind']>();
  for (const { record } of lines)
    for (const [index, key] of record.keys.entries()) {
      const kind = kindOf(record.values[index]);
      const before = kinds.get(key) ?? kind;
      kinds.set(key, before === kind ? kind : 'text');
    }
  return kinds;
}

function kindOf(value: Value | undefined): Column['kind'] {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

function describeTime(time: LineRead['written']): string | null {
  if (time === null) return null;
  return typeof time === 'number' ? `${time}, milliseconds since 1970` : `${time}, with zone`;
}

function textOf({ record, written }: LineRead, name: string): string {
  const value = name === 'timestamp' ? written : (record.values[record.keys.indexOf(name)] ?? '');
  return value === null ? '' : String(value);
}

/** No key of a record is called "timestamp". */
function valueOf({ keys, values }: StoredRecord, name: string): Value | null {
  return values[keys.indexOf(name)] ?? null;
}
