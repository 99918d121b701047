import type { Body } from './body.ts';
import { badRequest } from '../base/errors.ts';
import { withoutMarked } from '../store/record-columns.ts';
import type { Columnar, KnownRecords, StoredRecord } from '../store/store.ts';
import { FILE_FORMATS, FORMAT_NAMES, type FileFormat } from '#shared/domain/file-formats.ts';
import type { ImportResult, ImportSettings } from '#shared/operations/records/records.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { countOf } from '#shared/values/counts.ts';
import { guessFormat } from './file-format.ts';
import { guessLayout } from './csv/layout.ts';
import { createLocalTime } from './time/local-time.ts';
import { whyNoTimes } from './time/unread-time.ts';
import type { Outcome, RecordReader } from './outcome.ts';
import { readPlain } from './csv/plain/read-plain.ts';
import { readCsvRecords } from './csv/read-csv.ts';
import { asUtf8, readNdjson } from './read-ndjson.ts';
import { doubtOfEncoding } from './text/encoding.ts';
import { openSource, type IncomingFile } from './incoming-file.ts';

/** How many rows that could not be read the result lists. */
const LISTED_ERRORS = 20;

/** A file as whoever reads it is told of it: values only, so that they can cross to another thread. */
export interface FileToRead {
  /** The media type, where the sender said it. */
  readonly type: Body['type'];
  readonly settings: ImportSettings;
  /** When all records of the file were received. */
  readonly received: Micros;
  /** The present, after which times are unlikely. */
  readonly now: Micros;
}

export interface ReadOptions {
  readonly bytes: Body['bytes'];
  /** Hears the bytes read so far. */
  readonly progress: (bytesRead: number) => void;
  readonly signal: AbortSignal;
  /** Takes the records in the order of the file. */
  readonly take: (records: readonly StoredRecord[]) => Promise<void>;
  /** What is there already and is to be skipped. */
  readonly known?: KnownRecords | undefined;
  /** The same for records as columns; where it is there, most of a file comes so. */
  readonly takeColumns?: (records: Columnar) => Promise<void>;
}

/**
 * Reads a file of any size in bounded memory. A row that cannot be read throws a 400 Refusal that says which line, what
 * was expected and what stood there; with `on_error: "keep"` such rows are left out and listed instead. When the signal
 * fires, it rejects with the signal's reason.
 */
export async function readRecords(file: FileToRead, options: ReadOptions): Promise<ImportResult> {
  const { take, takeColumns, known } = options;
  const tally = createTally(file.settings.on_error ?? 'abort');
  return withReader(file, options, takeColumns !== undefined, async (reader) => {
    for await (const outcomes of reader.outcomes())
      if ('columns' in outcomes) {
        const records = known
          ? tally.without(outcomes.size, await known.find(outcomes), (marks) =>
              withoutMarked(outcomes, marks),
            )
          : outcomes;
        tally.takeColumns(records);
        if (records.size > 0) await takeColumns?.(records);
      } else {
        const all = tally.records(outcomes);
        const records = known
          ? tally.without(all.length, await known.find(all), (marks) => all.filter((_, i) => marks[i] === 0))
          : all;
        tally.take(records);
        if (records.length > 0) await take(records);
      }
    tally.requireRows();
    return tally.result(reader.notes());
  });
}

/** Opens a file as its settings say it is read, and closes it behind the work. */
export async function withReader<T>(
  file: FileToRead,
  options: Pick<ReadOptions, 'bytes' | 'progress' | 'signal'>,
  columns: boolean,
  work: (reader: RecordReader) => Promise<T>,
): Promise<T> {
  // Throws on a zone that does not exist, whether the file turns out to need one or not.
  createLocalTime(file.settings.zone ?? 'UTC');
  const source = await openSource(options.bytes, { ...options, encoding: file.settings.encoding });
  try {
    const reader = openReader(source, file, columns);
    const guessed = file.settings.encoding === undefined && source.encoding === 'windows-1252';
    if (!guessed) return await work(reader);
    const { message } = doubtOfEncoding(source.sample.text);
    return await work({ ...reader, notes: () => [message, ...reader.notes()] });
  } finally {
    await source.close();
  }
}

/** What became of the rows of a file, as whoever asks for them goes on. Throws as `readRecords` does, but on a row. */
export async function* outcomesOf(
  file: FileToRead,
  options: Pick<ReadOptions, 'bytes' | 'progress' | 'signal'>,
): AsyncGenerator<readonly Outcome[], void, undefined> {
  createLocalTime(file.settings.zone ?? 'UTC');
  const source = await openSource(options.bytes, { ...options, encoding: file.settings.encoding });
  try {
    for await (const outcomes of openReader(source, file, false).outcomes())
      if (!('columns' in outcomes)) yield outcomes;
  } finally {
    await source.close();
  }
}

/** `columns`: whether records may come as columns. */
function openReader(
  source: IncomingFile,
  { type, settings: given, received, now }: FileToRead,
  columns: boolean,
): RecordReader {
  const settings = { ...given, now };
  const format = settings.format ?? formatOf(type) ?? guessFormat(source.sample.text);
  switch (format) {
    case 'ndjson': {
      requireCsv(settings);
      const bytes = source.encoding === 'utf-8' ? source.bytes() : asUtf8(source.text());
      return readNdjson(bytes, { received, now }, columns);
    }
    case 'csv':
      return openCsv(source, settings, received, columns);
  }
}

function openCsv(
  source: IncomingFile,
  settings: ImportSettings & { readonly now: Micros },
  received: Micros,
  columns: boolean,
): RecordReader {
  const { text, complete } = source.sample;
  const layout = guessLayout(text, settings);
  const hasRows = layout.rows.length > 0 || !complete;
  if (!layout.time && settings.time_column !== '' && hasRows)
    throw badRequest(
      `time_column is required, since no column of times was found among ${layout.columns.map(({ name }) => JSON.stringify(name)).join(', ')}: name one, or "" to store every row with the time of the import${whyNoTimes(layout.rows.map(({ cells }) => cells))}`,
    );
  const plain =
    columns && source.encoding === 'utf-8' ? readPlain(source.bytes(), layout, settings, received) : null;
  return plain ?? readCsvRecords(source.text(), layout, settings, received);
}

/** Throws a 400 Refusal on settings that name columns, which NDJSON does not have. */
function requireCsv(settings: ImportSettings): void {
  for (const setting of ['time_column', 'columns', 'text_columns', 'number_columns', 'names'] as const)
    if (settings[setting])
      throw badRequest(
        `${setting} is for CSV, and this file is NDJSON, whose lines name their values and "timestamp"; got ${quote(settings[setting])}`,
      );
}

function formatOf(type: string | null): FileFormat | null {
  const isNamed = (format: FileFormat) => type !== null && FORMAT_NAMES[format].mediaTypes.includes(type);
  return FILE_FORMATS.find(isNamed) ?? null;
}

/** Counts what became of the rows. */
function createTally(onError: NonNullable<ImportSettings['on_error']>) {
  const errors: ImportResult['errors'] = [];
  let stored = 0;
  let present = 0;
  let faults = 0;
  let empty = 0;
  let first = Infinity;
  let last = -Infinity;

  return {
    /** The records among some outcomes. Throws on a fault unless faults are left out. */
    records(outcomes: readonly Outcome[]): StoredRecord[] {
      const records: StoredRecord[] = [];
      for (const outcome of outcomes) {
        if (outcome.kind === 'record') records.push(outcome.record);
        else if (outcome.kind === 'empty') empty++;
        else if (outcome.kind === 'fault') {
          const { line, message } = outcome;
          if (onError === 'abort') throw badRequest(`line ${line}: ${message}. Nothing was imported.`);
          faults++;
          if (errors.length < LISTED_ERRORS) errors.push({ line, message });
        }
      }
      return records;
    },

    /** Those that are not there yet. */
    without<T>(size: number, marks: Uint8Array, leaveOut: (marks: Uint8Array) => T): T {
      for (let i = 0; i < size; i++) present += marks[i]!;
      return leaveOut(marks);
    },

    take(records: readonly StoredRecord[]): void {
      stored += records.length;
      for (const { timestamp } of records) {
        first = Math.min(first, timestamp);
        last = Math.max(last, timestamp);
      }
    },

    takeColumns({ size, times }: Columnar): void {
      stored += size;
      // Of a closure's variables each double is an object, and the last time is another one with every row.
      let [least, most] = [first, last];
      for (let row = 0; row < size; row++) {
        const time = times[row]!;
        if (time < least) least = time;
        if (time > most) most = time;
      }
      [first, last] = [least, most];
    },

    requireRows(): void {
      if (stored + present + faults + empty === 0) throw badRequest('The file holds no rows of data.');
    },

    result(notes: readonly string[]): ImportResult {
      return {
        stored,
        skipped: faults + empty,
        present,
        first: stored > 0 ? formatMicros(first) : null,
        last: stored > 0 ? formatMicros(last) : null,
        errors,
        notes: [
          ...notes,
          ...(present > 0
            ? [`${countOf(present, 'record was', 'records were')} there already and skipped.`]
            : []),
          ...(empty > 0
            ? [`${countOf(empty, 'row without a value was', 'rows without a value were')} left out.`]
            : []),
          ...(faults > errors.length
            ? [`${countOf(faults, 'row')} could not be read; the first ${errors.length} are listed.`]
            : []),
        ],
      };
    },
  };
}
