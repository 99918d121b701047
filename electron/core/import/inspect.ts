import { badRequest, Refusal } from '../errors.ts';
import type { Delimiter, Encoding, FileSettings, Inspection, TimeKind } from '#shared/operations/records.ts';
import { formatMicros, type Micros } from '#shared/time.ts';
import { countOf } from '#shared/counts.ts';
import { readCsvSample } from './text/csv.ts';
import { DELIMITER_NAMES } from './csv/delimiter.ts';
import { createDecoder, decodeHead, ENCODING_NAMES, guessEncoding } from './text/encoding.ts';
import { guessFormat } from './file-format.ts';
import { describeTimeFormat, FORMAT_OF_KIND } from './time/guess-time.ts';
import { inspectNdjson } from './inspect-ndjson.ts';
import { UnnamedColumn } from './csv/header.ts';
import { guessLayout, Preamble, type CsvLayout } from './csv/layout.ts';
import { createRowReader, type CsvSettings, type RowReader } from './csv/read-csv.ts';
import { takeSample } from './text/sample.ts';
import { requireText } from './text/signature.ts';
import { whyNoTimes } from './time/unread-time.ts';

const PREVIEW_ROWS = 10;

export interface FileToInspect extends FileSettings {
  /** The beginning of the file. */
  readonly head: Uint8Array;
  /** Its last bytes, if any were sent. */
  readonly tail?: Uint8Array | undefined;
  /** Whether the beginning is the whole file; otherwise its last row is cut and not judged. */
  readonly complete: boolean;
}

/**
 * What the beginning of a file says about it, and how an import with the same settings will read it. Throws a 400
 * Refusal on what is no text and on a file that holds nothing to import; what can be set right is a `problem` instead.
 */
export function inspectFile(file: FileToInspect): Inspection {
  requireText(file.head);
  const encoding = file.encoding ?? guessEncoding(file.head);
  const { text } = takeSample(file.head, file.complete, encoding, 'none') ?? { text: '' };
  const format = file.format ?? guessFormat(text);
  const found = format === 'csv' ? inspectCsv(text, file, encoding) : inspectNdjson(text);
  const notes = [
    ...(encoding === 'utf-8' ? [] : [`The file is read as ${ENCODING_NAMES[encoding]}.`]),
    ...found.notes,
  ];
  const undecodable = encodingProblem(file, encoding);
  if (undecodable === null) return { encoding, ...found, notes };
  return { encoding, ...found, notes, problem: undecodable, problem_with: 'encoding' };
}

/** Why the beginning cannot be decoded; null where it can. */
function encodingProblem({ head, complete }: FileToInspect, encoding: Encoding): string | null {
  try {
    createDecoder(encoding)(head, complete);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message.replace(' Nothing was imported.', '');
    throw error;
  }
}

function inspectCsv(text: string, file: FileToInspect, encoding: Encoding): Omit<Inspection, 'encoding'> {
  const { layout, preamble, unaligned } = layoutOf(text, file);
  const { time, columns, shape, styles } = layout;
  const read = readRows(layout, file, encoding, text);
  const dateOrder =
    time?.format.kind === 'calendar' && time.format.order !== 'year-first' ? time.format.order : null;
  const values = styles.filter((_, index) => columns[index]?.role === 'value');
  return {
    format: 'csv',
    delimiter: shape.delimiter,
    first_line: shape.firstLine,
    units_row: layout.headRows > 1,
    columns: [...columns],
    time_column: time ? (columns[time.index]?.name ?? null) : null,
    time_format: time && describeTimeFormat(time),
    time_kind: time && kindOf(time.format),
    zone_needed: (time?.zoneNeeded ?? false) || time?.format.kind === 'elapsed',
    start_needed: time?.format.kind === 'elapsed',
    date_order: dateOrder,
    date_order_unsure: time?.ambiguous ?? false,
    decimal_mark:
      (values.find(({ fractions }) => fractions) ?? values.find(({ unsure }) => unsure))?.mark ?? null,
    decimal_mark_unsure: values.some(({ unsure }) => unsure),
    first: read.first,
    last: read.last,
    rows: layout.rows.slice(0, PREVIEW_ROWS).map((row) => row.cells.map((cell) => cell.text)),
    notes: [
      ...separation(shape.delimiter),
      ...(preamble
        ? [`The table seems to begin in line ${shape.firstLine}; what is before it is left out.`]
        : []),
      ...read.notes,
    ],
    problem: unaligned ?? read.problem,
    problem_with: unaligned === null ? read.problemWith : 'unnamed_column',
  };
}

interface LayoutFound {
  readonly layout: CsvLayout;
  /** Whether lines before a table were passed over without being told so. */
  readonly preamble: boolean;
  /** Why names cannot be told to columns; they then stand over the first ones. */
  readonly unaligned: string | null;
}

function layoutOf(text: string, file: FileToInspect): LayoutFound {
  try {
    return { layout: guessLayout(text, file), preamble: false, unaligned: null };
  } catch (error) {
    if (error instanceof Preamble)
      return { ...layoutOf(text, { ...file, first_line: error.firstLine }), preamble: true };
    if (!(error instanceof UnnamedColumn)) throw error;
    const layout = guessLayout(text, { ...file, unnamed_column: 'last' });
    return { layout, preamble: false, unaligned: error.message };
  }
}

function kindOf(format: NonNullable<CsvLayout['time']>['format']): TimeKind {
  const kinds = Object.entries(FORMAT_OF_KIND) as [TimeKind, (typeof FORMAT_OF_KIND)[TimeKind]][];
  if (format.kind === 'calendar') return 'date';
  return kinds.find(([, known]) => known?.kind === format.kind && known.unit === format.unit)?.[0] ?? 'date';
}

interface RowsRead {
  readonly first: string | null;
  readonly last: string | null;
  readonly notes: readonly string[];
  readonly problem: string | null;
  readonly problemWith: Inspection['problem_with'];
}

/** Reads the sample's rows as the import will, without keeping them. */
function readRows(layout: CsvLayout, file: FileToInspect, encoding: Encoding, sample: string): RowsRead {
  const undated = { ...layout, time: null };
  const needsTime = layout.time === null && file.time_column !== '' && layout.rows.length > 0;
  try {
    const received = 0;
    const started = file.started ?? (layout.time?.format.kind === 'elapsed' ? EPOCH_START : undefined);
    // That a zone is missing is asked, not noted.
    const settings = { ...file, zone: file.zone ?? 'UTC', started };
    const reader = createRowReader(needsTime ? undated : layout, settings, received);
    const times = layout.rows.flatMap((row) => timeOf(reader, row));
    const faults = layout.rows.length - times.length;
    const notes = reader.notes().filter((note) => !needsTime || !note.startsWith('The rows carry no time'));
    if (faults > 0 && !needsTime)
      notes.push(`${countOf(faults, 'row')} of the first ${layout.rows.length} cannot be read.`);
    const known = layout.time !== null;
    return {
      first: known && times[0] !== undefined ? formatMicros(times[0]) : null,
      last: known ? lastTime(layout, file, encoding, settings) : null,
      notes: needsTime
        ? [
            ...notes,
            `No column of times was found${whyNoTimes(
              sample,
              layout.rows.map(({ cells }) => cells),
            )}.`,
          ]
        : notes,
      problem: needsTime
        ? 'Choose the column of times, or that every row gets the time of the import.'
        : null,
      problemWith: needsTime ? 'time_column' : null,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problem = error.message.replace(' Nothing was imported.', '');
    return { first: null, last: null, notes: [...layout.notes], problem, problemWith: 'rows' };
  }
}

/** What elapsed times are shown from while nobody has said when the recording began. */
const EPOCH_START = '1970-01-01T00:00:00Z';

function timeOf(reader: RowReader, row: CsvLayout['rows'][number]): Micros[] {
  const outcome = reader.read(row);
  return outcome.kind === 'record' ? [outcome.record.timestamp] : [];
}

/** The time of the last whole row; null where the end of the file does not say it. */
function lastTime(
  layout: CsvLayout,
  { tail, head, complete }: FileToInspect,
  encoding: Encoding,
  settings: CsvSettings,
): string | null {
  const end = complete ? head : tail;
  if (!end) return null;
  const text = decodeHead(end, encoding);
  const shape = { ...layout.shape, firstLine: 1 };
  const { rows } = readCsvSample(text.slice(complete ? 0 : text.indexOf(shape.lineEnd) + 1), shape);
  // Rows are missing before these, so that their numbers do not follow on.
  const reader = createRowReader({ ...layout, countsRows: false }, settings, 0);
  try {
    const times = rows
      .filter(({ cells }) => cells.length === layout.width)
      .flatMap((row) => timeOf(reader, row));
    const last = times.at(-1);
    return last === undefined ? null : formatMicros(last);
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
