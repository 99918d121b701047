import { badRequest, Refusal } from '../base/errors.ts';
import type { Delimiter, Doubt, Encoding, Inspection } from '#shared/operations/records/records.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { countOf } from '#shared/values/counts.ts';
import { MAX_KEYS } from '../ingest/record.ts';
import { readCsvSample } from './text/csv.ts';
import { DELIMITER_NAMES } from './csv/delimiter.ts';
import { decodeHead } from './text/encoding.ts';
import { describeTimeFormat } from './time/describe-time.ts';
import { describeColumn, missingIn } from './csv/describe-column.ts';
import { kindOfFormat } from './time/guess-time.ts';
import { UnnamedColumn } from './csv/header.ts';
import type { CsvLayout } from './csv/csv-layout.ts';
import { guessLayout } from './csv/layout.ts';
import { createRowReader, type CsvSettings, type RowReader } from './csv/read-csv.ts';
import type { FileFound, FileToInspect } from './file-to-inspect.ts';
import type { Outcome } from './outcome.ts';
import { SettingNeeded } from './setting-needed.ts';
import { whyNoTimes } from './time/unread-time.ts';

const PREVIEW_ROWS = 10;
const MOST_LINES_BEFORE = 20;
/** Of a line above the data; what is longer needs no more to be told. */
const MOST_LETTERS = 1000;

/** What the first rows of a CSV file say about it. */
export function inspectCsv(text: string, file: FileToInspect, encoding: Encoding): FileFound {
  const { layout, unaligned } = layoutOf(text, file);
  const { time, columns, shape, styles } = layout;
  const read = readRows(layout, file, encoding);
  const dateOrder =
    time?.format.kind === 'calendar' && (time.format.short || time.format.order !== 'year-first')
      ? time.format.order
      : null;
  const values = styles.filter((_, index) => columns[index]?.role === 'value');
  return {
    format: 'csv',
    delimiter: shape.delimiter,
    first_line: shape.firstLine,
    lines_before: text.split(shape.lineEnd, Math.min(MOST_LINES_BEFORE, shape.firstLine - 1)),
    units_row: layout.headRows > 1,
    head_rows: layout.headRows,
    units_line: layout.unitsLine,
    head_lines: headLines(text, layout),
    columns: columns.map((column, index) => describeColumn(column, index, layout)),
    time_column: time ? (columns[time.index]?.name ?? null) : null,
    time_format: time && describeTimeFormat(time),
    time_kind: time && kindOfFormat(time.format),
    zone_needed: asksZone(layout),
    start_needed: time?.format.kind === 'elapsed',
    date_order: dateOrder,
    date_order_unsure: time?.ambiguous ?? false,
    decimal_mark:
      (values.find(({ fractions }) => fractions) ?? values.find(({ unsure }) => unsure))?.mark ?? null,
    decimal_mark_unsure: values.some(({ unsure }) => unsure),
    first: read.first,
    last: read.last,
    missing_words: missingIn(layout, file.missing_words),
    rows: layout.sampled.slice(0, PREVIEW_ROWS).map((row) => row.cells.map((cell) => cell.text)),
    row_lines: layout.sampled.slice(0, PREVIEW_ROWS).map(({ line }) => line),
    row_times: read.times.slice(0, PREVIEW_ROWS),
    row_values: read.values,
    looked_at: layout.sampled.length + layout.unsplit.count,
    unreadable: read.unreadable,
    first_fault: read.firstFault,
    doubts: [...read.doubts],
    notes: [...separation(shape.delimiter), ...read.notes],
    problem: unaligned ?? read.problem,
    problem_with: unaligned === null ? read.problemWith : 'unnamed_column',
  };
}

/** The rows of names and units as the file writes them, and what each holds. */
function headLines(text: string, { head, header, unitsLine, shape }: CsvLayout): Inspection['head_lines'] {
  const last = head.at(-1)?.line ?? 0;
  const lines = text.split(shape.lineEnd, last);
  return head.map(({ line }, at) => ({
    line,
    text: (lines[line - 1] ?? '').trimEnd().slice(0, MOST_LETTERS),
    holds: header && at === 0 ? 'names' : line === unitsLine ? 'units' : 'other',
  }));
}

function asksZone(layout: CsvLayout): boolean {
  const { time } = layout;
  if (time?.format.kind === 'elapsed') return true;
  return (time?.zoneNeeded ?? false) && time?.said?.sure !== true;
}

interface LayoutFound {
  readonly layout: CsvLayout;
  /** Why names cannot be told to columns; they then stand over the first ones. */
  readonly unaligned: string | null;
}

function layoutOf(text: string, file: FileToInspect): LayoutFound {
  try {
    return { layout: guessLayout(text, file), unaligned: null };
  } catch (error) {
    if (!(error instanceof UnnamedColumn)) throw error;
    const layout = guessLayout(text, { ...file, unnamed_column: 'last' });
    return { layout, unaligned: error.message };
  }
}

interface RowsRead {
  readonly first: string | null;
  readonly last: string | null;
  readonly times: Inspection['row_times'];
  readonly values: Inspection['row_values'];
  readonly unreadable: number;
  readonly firstFault: Inspection['first_fault'];
  readonly notes: readonly string[];
  readonly doubts: readonly Doubt[];
  readonly problem: string | null;
  readonly problemWith: Inspection['problem_with'];
}

/** Reads the sample's rows as the import will, without keeping them. */
function readRows(layout: CsvLayout, file: FileToInspect, encoding: Encoding): RowsRead {
  const { time, sampled: rows, unsplit } = layout;
  const needsTime = time === null && file.time_column !== '' && rows.length > 0;
  const needsStart = time?.format.kind === 'elapsed' && file.started === undefined;
  // That a zone is missing is asked, not noted.
  const settings = {
    ...file,
    zone: file.zone ?? (time?.said ? undefined : 'UTC'),
    started: file.started ?? (needsStart ? EPOCH_START : undefined),
  };
  try {
    const reader = createRowReader(layout, settings, 0);
    const outcomes = rows.map((row) => reader.read(row));
    const times = outcomes.map((outcome) => (outcome.kind === 'record' ? outcome.record.timestamp : null));
    const values = outcomes.slice(0, PREVIEW_ROWS).map((outcome) => valuesOf(outcome, reader, layout));
    const faults = outcomes.filter((outcome) => outcome.kind === 'fault');
    const known = time !== null;
    const end = known ? readEnd(layout, file, encoding, settings) : { last: null, cut: null };
    const firstTime = times.find((one) => one !== null);
    const notes = reader.notes().filter((note) => !needsTime || !note.startsWith('The rows carry no time'));
    const unreadable = faults.length + unsplit.count;
    if (unreadable > 0)
      notes.push(`${countOf(unreadable, 'row')} of the first ${rows.length + unsplit.count} cannot be read.`);
    if (end.cut !== null) notes.push(end.cut);
    if (needsTime) notes.push(`No column of times was found${whyNoTimes(rows.map(({ cells }) => cells))}.`);
    const [fault] = [...faults, ...(unsplit.first ? [unsplit.first] : [])].toSorted(
      (a, b) => a.line - b.line,
    );
    return {
      first: known && firstTime !== undefined ? formatMicros(firstTime) : null,
      last: end.last,
      times: times.map((one) => (known && one !== null ? formatMicros(one) : null)),
      values,
      unreadable,
      firstFault: fault ? { line: fault.line, message: fault.message } : null,
      notes,
      doubts: reader.doubts(),
      ...problemOf(layout, file, { needsTime, needsStart }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      first: null,
      last: null,
      times: rows.map(() => null),
      values: rows.slice(0, PREVIEW_ROWS).map(() => layout.columns.map(() => null)),
      unreadable: 0,
      firstFault: null,
      notes: [...layout.notes],
      doubts: [],
      problem: error.message.replace(' Nothing was imported.', ''),
      problemWith: error instanceof SettingNeeded ? error.setting : 'rows',
    };
  }
}

/** The values of a row by the columns of the file. */
function valuesOf(outcome: Outcome, { fields }: RowReader, { columns }: CsvLayout) {
  const values: Inspection['row_values'][number] = columns.map(() => null);
  if (outcome.kind !== 'record') return values;
  const { keys, values: stored } = outcome.record;
  // Keys stand in the order of the fields, some of them left out.
  let at = 0;
  for (const { index, key } of fields) if (keys[at] === key) values[index] = stored[at++] ?? null;
  return values;
}

/** What an import would need to be told before it reads a single row. */
function problemOf(
  { columns, sampled: rows, unsplit }: CsvLayout,
  file: FileToInspect,
  { needsTime, needsStart }: { readonly needsTime: boolean; readonly needsStart: boolean },
): Pick<RowsRead, 'problem' | 'problemWith'> {
  if (needsTime)
    return {
      problem: 'Choose the column of times, or that every row gets the time of the import.',
      problemWith: 'time_column',
    };
  if (needsStart)
    return {
      problem: 'Its times count from the start: say when the recording began.',
      problemWith: 'started',
    };
  const values = columns.filter(({ role }) => role === 'value').length;
  if (file.columns === undefined && values > MAX_KEYS)
    return {
      problem: `${countOf(values, 'column holds', 'columns hold')} values, and a record at most ${MAX_KEYS} of them: choose the columns to import.`,
      problemWith: 'columns',
    };
  if (rows.length + unsplit.count === 0 && file.complete)
    return { problem: 'The file holds no rows of data.', problemWith: 'rows' };
  return { problem: null, problemWith: null };
}

/** What elapsed times are shown from while nobody has said when the recording began. */
const EPOCH_START = '1970-01-01T00:00:00Z';

function timeOf(reader: RowReader, row: CsvLayout['rows'][number]): Micros[] {
  const outcome = reader.read(row);
  return outcome.kind === 'record' ? [outcome.record.timestamp] : [];
}

/** The time of the last whole row, null where the end of the file does not say it; and that the file may be cut there. */
function readEnd(
  layout: CsvLayout,
  { tail, head, complete }: FileToInspect,
  encoding: Encoding,
  settings: CsvSettings,
): { readonly last: string | null; readonly cut: string | null } {
  const end = complete ? head : tail;
  if (!end) return { last: null, cut: null };
  const text = decodeHead(end, encoding);
  const shape = complete ? layout.shape : { ...layout.shape, firstLine: 1 };
  const { rows } = readCsvSample(text.slice(complete ? 0 : text.indexOf(shape.lineEnd) + 1), shape);
  // Rows are missing before these, so that their numbers do not follow on.
  const reader = createRowReader({ ...layout, countsRows: false }, settings, 0);
  try {
    const times = rows
      .filter(({ cells }) => cells.length === layout.width)
      .flatMap((row) => timeOf(reader, row));
    const last = times.at(-1);
    return { last: last === undefined ? null : formatMicros(last), cut: complete ? null : reader.cut() };
  } catch (error) {
    // How far into the file its end is, is not known here.
    if (error instanceof Refusal)
      throw badRequest(error.message.replace(/^line \d+: /, 'The end of the file: '));
    throw error;
  }
}

/** Commas are what everyone expects. */
function separation(delimiter: Delimiter): string[] {
  return delimiter === ',' ? [] : [`Fields are separated by ${DELIMITER_NAMES[delimiter]}.`];
}
