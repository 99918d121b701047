import { z } from 'zod';
import { FILE_FORMATS } from '../../domain/file-formats.ts';
import { count, timestamp } from '../../schema/schemas.ts';
import { DATE_ORDERS, DECIMAL_MARKS, DELIMITERS, ENCODINGS, TIME_KINDS } from './record-files.ts';

/* docs/local-api.md, "Import and export": what the beginning of a file says of it. */

/** The largest beginning of a file that is looked at, in bytes and in characters. */
export const MOST_SAMPLE = 262_144;
export const sampleRule = `must be the beginning of the file as text, at most ${MOST_SAMPLE} characters`;
export const bytesRule = `must be the beginning of the file in Base64, at most ${MOST_SAMPLE} characters`;
export const tailRule = 'must be the end of the file in Base64, at most 65536 characters';

/** A column of a file, as it is understood. */
const columnGuess = z.object({
  name: z.string(),
  role: z.enum(['time', 'row-number', 'value', 'empty']),
  kind: z.enum(['number', 'text', 'boolean', 'time']),
  /** Unit in the row of units, or in the name: "°C" in "Temperature (°C)". */
  unit: z.string().optional(),
  /** The name without its unit, where it has one. */
  short_name: z.string().optional(),
  /** Words in it that are taken for no value, as they are written. */
  missing: z.array(z.string()).optional(),
  /** Texts among its numbers, which stay texts: how many of the first rows hold one, and the first few of them. */
  odd: z.object({ count, texts: z.array(z.string()) }).optional(),
});

export type Column = Readonly<z.infer<typeof columnGuess>>;

/**
 * Doubt: a reading of a file that nothing in it decides. An import goes on with the first of the options, and says so in its
 * notes.
 */
const doubt = z.object({
  setting: z.enum([
    'encoding',
    'first_line',
    'header',
    'units_row',
    'time_column',
    'time_kind',
    'date_order',
    'zone',
    'decimal_mark',
    'missing_words',
    'text_columns',
  ]),
  /** Options of the setting, the present one first; empty for any value. */
  options: z.array(z.string()),
  /** The columns that it is about; empty where it is about the file. */
  columns: z.array(z.string()),
  /** For people to read. */
  message: z.string(),
});

export type Doubt = Readonly<z.infer<typeof doubt>>;

/**
 * Outcome of an import by the same settings, as far as the beginning tells: all of it is stored; rows that cannot be read
 * are left out, with `on_error=keep`; a setting is needed; or no row can be read.
 */
const FILE_STATES = ['ready', 'rows-left-out', 'needs-choice', 'cannot-import'] as const;

/** Inspection of a file by its first rows. */
export const inspection = z.object({
  format: z.enum(FILE_FORMATS),
  encoding: z.enum(ENCODINGS),
  /** Whether neither a setting nor the bytes say the encoding for sure, as with Windows-1252. */
  encoding_guessed: z.boolean(),
  delimiter: z.enum(DELIMITERS).nullable(),
  /** The line of the names, or of the first row where nothing names the columns. */
  first_line: z.int(),
  /** The lines before that one, which are left out: the first 20 at most. */
  lines_before: z.array(z.string()),
  /** Whether the row below the names holds units. */
  units_row: z.boolean(),
  /** Rows from the names, if any, to the first row of data: names, units, and what else stands below them. */
  head_rows: count,
  /** The line that holds the units, which may also stand above the names; null for none. */
  units_line: z.int().nullable(),
  /** These rows as the file writes them, cut to 1,000 characters. */
  head_lines: z.array(
    z.object({ line: count, text: z.string(), holds: z.enum(['names', 'units', 'other']) }),
  ),
  columns: z.array(columnGuess),
  time_column: z.string().nullable(),
  /** How times are written, such as "2015-02-04 17:51:00, no zone"; null without a time column. */
  time_format: z.string().nullable(),
  time_kind: z.enum(TIME_KINDS).nullable(),
  /** Whether times carry no zone of their own, so that one must be chosen. */
  zone_needed: z.boolean(),
  /** Whether times count from the start of the recording, so that it must be said when that was. */
  start_needed: z.boolean(),
  /** How dates such as 04/02/2015 or 15-02-04 are read; null where a year of four digits is first, or no dates are. */
  date_order: z.enum(DATE_ORDERS).nullable(),
  /** Whether every date can as well be read the other way round. */
  date_order_unsure: z.boolean(),
  /** Decimal mark of most columns; null where none was seen. */
  decimal_mark: z.enum(DECIMAL_MARKS).nullable(),
  /** Whether numbers such as 1,234 may have three decimals or be above a thousand. */
  decimal_mark_unsure: z.boolean(),
  /** Times of the first and, where the end of the file was sent, the last row; null where they are not known. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** Words that stand for no value: those that were set, or the known ones that the first rows hold. */
  missing_words: z.array(z.string()),
  /** Field texts of the first rows, in the order of `columns`; of NDJSON, values under the keys they are stored by. */
  rows: z.array(z.array(z.string())),
  /** The lines that these rows begin in. */
  row_lines: z.array(count),
  /** Values that are stored of these rows, in the order of `columns`; null where there is none. */
  row_values: z.array(z.array(z.union([z.number(), z.boolean(), z.string()]).nullable())),
  /** The time under which each of these is stored; null where the row cannot be read or has no value, or its time is that of the import. */
  row_times: z.array(timestamp.nullable()),
  /** Rows that were looked at, how many of them cannot be read, and what is wrong with the first of those. */
  looked_at: count,
  unreadable: count,
  first_fault: z.object({ line: count, message: z.string() }).nullable(),
  state: z.enum(FILE_STATES),
  doubts: z.array(doubt),
  /** Notes on what was handled, for people to read. */
  notes: z.array(z.string()),
  /** Why the file cannot be imported as it is understood, and what helps; null where nothing speaks against it. */
  problem: z.string().nullable(),
  /** The setting that the problem is about, or the rows themselves. */
  problem_with: z
    .enum([
      'encoding',
      'unnamed_column',
      'time_column',
      'time_kind',
      'date_order',
      'decimal_mark',
      'started',
      'columns',
      'rows',
    ])
    .nullable(),
});
inspection.register(z.globalRegistry, { id: 'Inspection' });
export type Inspection = z.infer<typeof inspection>;
