import { z } from 'zod';
import { FILE_FORMATS } from '../../domain/file-formats.ts';
import { parseJson } from '../../values/json.ts';
import { count, oneOf, timestamp, wholeNumber } from '../../schema/schemas.ts';

/* docs/local-api.md, "Import and export": how files of records are understood, and what is said of them. */

/** Delimiters of CSV files. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];
export const DECIMAL_MARKS = ['.', ','] as const;
/** "year-first" is for years of two digits; one of four says itself that it is first, but for dates of digits alone. */
export const DATE_ORDERS = ['day-first', 'month-first', 'year-first', 'full-year-first'] as const;

export const zoneRule = 'must be an IANA time zone such as "Europe/Berlin", or "UTC"';
export const fileZoneRule =
  'must be an IANA time zone such as "Europe/Berlin", "UTC", or an offset that holds all year, such as "UTC+02:00"';
const columnsRule = 'must be column names separated by ","';
const columnList = z.string(columnsRule).optional();

const namesRule =
  'must be a JSON object of data keys by the names of columns, such as {"value":"temperature"}';
/** A key of no column: of 1 to 128 characters, without ",", and not the name of the record's time. */
const newKey = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^,]*$/)
  .refine((key) => key !== 'timestamp');
const renaming = z
  .string(namesRule)
  .transform((text, context): Readonly<Record<string, string>> => {
    const names = z.record(z.string(), newKey).safeParse(jsonOf(text));
    if (names.success) return names.data;
    context.addIssue({ code: 'custom', message: namesRule });
    return z.NEVER;
  })
  .meta({ type: 'string' });

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Kinds of times in a file's column: dates, numbers since 1970, days as spreadsheets count them (since 1899-12-30, or since
 * 1904-01-01), or numbers since the start of the recording.
 */
export const TIME_KINDS = [
  'date',
  'epoch-s',
  'epoch-ms',
  'epoch-us',
  'epoch-ns',
  'days-1900',
  'days-1904',
  'elapsed-ms',
  'elapsed-s',
  'elapsed-min',
  'elapsed-h',
  'elapsed-d',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** Settings for reading a file. Absent ones are guessed from its first rows. */
export const fileSettings = {
  format: oneOf(FILE_FORMATS).optional(),
  /** Absent: what a byte order mark says, UTF-8, or Windows-1252 for bytes that are no UTF-8 and read as letters there. */
  encoding: oneOf(ENCODINGS).optional(),
  /** CSV: the delimiter between fields. */
  delimiter: oneOf(DELIMITERS).optional(),
  /** CSV: the line, from 1, that names the columns, or where nothing names them, the first row of data. */
  first_line: wholeNumber(1, 1_000_000).optional(),
  /** CSV: whether the first row names the columns. */
  header: oneOf(['yes', 'no']).optional(),
  /** CSV: which column has no name where rows have one field more than there are names. */
  unnamed_column: oneOf(['first', 'last']).optional(),
  /** CSV: name of the time column; "" when the rows carry none and the time of receipt counts. */
  time_column: z.string('must be the name of a column').optional(),
  time_kind: oneOf(TIME_KINDS).optional(),
  /** CSV: when the recording began, for elapsed times: an instant, or a date and time in `zone`. */
  started: z.string('must be a date and time such as 2026-03-02T20:30:00Z').optional(),
  /** CSV: how to read dates such as 04/02/2015, which may mean two days. */
  date_order: oneOf(DATE_ORDERS).optional(),
  /** The zone of times that carry none: an IANA zone, or an offset that holds all year. */
  zone: z.string(fileZoneRule).optional(),
  /** CSV: what numbers with a fraction have before it. */
  decimal_mark: oneOf(DECIMAL_MARKS).optional(),
  /** CSV: the columns whose values stay as they are written, separated by ",". */
  text_columns: columnList,
  /** CSV: the columns whose numbers are numbers even where digits get lost, as zeros before them. */
  number_columns: columnList,
  /** CSV: whether a first column that only counts the rows is imported too. */
  row_numbers: oneOf(['keep', 'leave-out']).optional(),
  /**
   * CSV: the words that stand for no value, separated by ",", whatever their case; absent, the known ones (docs/local-api.md,
   * "Import and export"). An empty field always does.
   */
  missing_words: z.string('must be words separated by ","').optional(),
  /** CSV: the columns to import, separated by ","; absent means all but the row number and the time. */
  columns: columnList,
  /** CSV: whether the row below the names holds units. */
  units_row: oneOf(['yes', 'no']).optional(),
  /** CSV: the line, from 1, that holds units: above the names, or up to three rows below them. */
  units_line: wholeNumber(1, 1_000_000).optional(),
  /** CSV: data keys for columns, as a JSON object of texts by their names; absent, the names are the keys. */
  names: renaming.optional(),
};

export type FileSettings = Readonly<z.output<z.ZodObject<typeof fileSettings>>>;

/** Settings of an import: those of the file, and the handling of rows that cannot be read. */
export const importSettings = {
  ...fileSettings,
  /** Handling of a row that cannot be read: nothing is imported, or the rows that can be read are kept. */
  on_error: oneOf(['abort', 'keep']).optional(),
  /** Handling of records that the device has already, with the same time and values: they are added, or skipped. */
  existing: oneOf(['add', 'skip']).optional(),
};

export type ImportSettings = Readonly<z.output<z.ZodObject<typeof importSettings>>>;

export const importResult = z.object({
  stored: count,
  skipped: count,
  /** Records that were there already and were skipped. */
  present: count,
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  /** The first rows that could not be read: what each was and what was expected. */
  errors: z.array(z.object({ line: count, message: z.string() })),
  notes: z.array(z.string()),
});
importResult.register(z.globalRegistry, { id: 'ImportResult' });
export type ImportResult = z.infer<typeof importResult>;

/** Examination of a whole file, as an import with the same settings reads it. */
export const examination = z.object({
  /** Records that can be read, and rows that cannot: the first of those in `errors`. */
  records: count,
  unreadable: count,
  empty: count,
  errors: z.array(z.object({ line: count, message: z.string() })),
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  /** Records at a time that another one before has, and ones that are earlier than the one before. */
  repeated: count,
  steps_back: count,
  first_step_back: timestamp.nullable(),
  /** The usual time between two records, and silences of more than ten times that. */
  interval_us: z.number().nullable(),
  gaps: count,
  longest_gap_us: z.number().nullable(),
  longest_gap_from: timestamp.nullable(),
  /** Records that the device has already, with the same time and values; null where no device was named. */
  present: count.nullable(),
  /** Course of the file in the order of its rows: up to 96 stretches of as many records each, for a small picture. */
  course: z.object({
    /** Time of the first record of each, in µs since 1970. */
    times: z.array(z.number()),
    /** Of the first 512 keys: the smallest and the largest number of each stretch, null where it has none. */
    keys: z.array(
      z.object({
        key: z.string(),
        least: z.array(z.number().nullable()),
        most: z.array(z.number().nullable()),
        /** Values that are numbers, and those that are texts, the first of them cut to 100 characters. */
        numbers: count,
        texts: count,
        text: z.string().nullable(),
      }),
    ),
  }),
  notes: z.array(z.string()),
});
examination.register(z.globalRegistry, { id: 'FileExamination' });
export type Examination = z.infer<typeof examination>;
