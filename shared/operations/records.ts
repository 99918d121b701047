import { z } from 'zod';
import { downloadOperation, operation, uploadOperation } from '../operation.ts';
import {
  checkOrder,
  count,
  deletion,
  keyList,
  oneOf,
  optionalRange,
  timestamp,
  wholeNumber,
} from '../schemas.ts';
import { oneDevice } from './paths.ts';

/** docs/api.md, "Beyond /v2": records in and out in bulk, and records as pictures need them. */

export const FILE_FORMATS = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What may stand between the fields of a CSV file. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];
const DECIMAL_MARKS = ['.', ','] as const;
const DATE_ORDERS = ['day-first', 'month-first'] as const;

const zoneRule = 'must be an IANA time zone such as "Europe/Berlin", or "UTC"';
const columnsRule = 'must be column names separated by ","';
const columnList = z.string(columnsRule).optional();

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What a file's column of times may hold: dates, numbers since 1970, or numbers since the start of the recording. */
export const TIME_KINDS = [
  'date',
  'epoch-s',
  'epoch-ms',
  'epoch-us',
  'epoch-ns',
  'elapsed-ms',
  'elapsed-s',
  'elapsed-min',
  'elapsed-h',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** How a file is understood. What is absent is guessed from its first rows. */
const fileSettings = {
  format: oneOf(FILE_FORMATS).optional(),
  /** A byte order mark says it for UTF-16; otherwise UTF-8. */
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
  /** The zone of times that carry none. */
  zone: z.string(zoneRule).optional(),
  /** CSV: what numbers with a fraction have before it. */
  decimal_mark: oneOf(DECIMAL_MARKS).optional(),
  /** CSV: the columns whose values stay as they are written, separated by ",". */
  text_columns: columnList,
  /** CSV: the columns whose numbers are numbers even where digits get lost, as zeros before them. */
  number_columns: columnList,
  /** CSV: whether a first column that only counts the rows is imported too. */
  row_numbers: oneOf(['keep', 'leave-out']).optional(),
  /** CSV: the columns to import, separated by ","; absent means all but the row number and the time. */
  columns: columnList,
};

export type FileSettings = Readonly<z.output<z.ZodObject<typeof fileSettings>>>;

/** The same, and what an import does with rows that cannot be read. */
const importSettings = {
  ...fileSettings,
  /** What a row that cannot be read does: nothing is imported, or the rows that can be read are kept. */
  on_error: oneOf(['abort', 'keep']).optional(),
};

export type ImportSettings = Readonly<z.output<z.ZodObject<typeof importSettings>>>;

/** The largest beginning of a file that is looked at, in bytes and in characters. */
const MOST_SAMPLE = 262_144;
const sampleRule = `must be the beginning of the file as text, at most ${MOST_SAMPLE} characters`;
const bytesRule = `must be the beginning of the file in Base64, at most ${MOST_SAMPLE} characters`;
const tailRule = 'must be the end of the file in Base64, at most 65536 characters';

/** A column of a file, as it is understood. */
const columnGuess = z.object({
  name: z.string(),
  role: z.enum(['time', 'row-number', 'value', 'empty']),
  kind: z.enum(['number', 'text', 'boolean', 'time']),
});

export type Column = Readonly<z.infer<typeof columnGuess>>;

/** What the first rows of a file say about it. */
const inspection = z.object({
  format: z.enum(FILE_FORMATS),
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS).nullable(),
  /** The line of the names, or of the first row where nothing names the columns. */
  first_line: z.int(),
  columns: z.array(columnGuess),
  time_column: z.string().nullable(),
  /** How times are written, such as "2015-02-04 17:51:00, no zone"; null without a time column. */
  time_format: z.string().nullable(),
  time_kind: z.enum(TIME_KINDS).nullable(),
  /** Whether times carry no zone of their own, so that one must be chosen. */
  zone_needed: z.boolean(),
  /** Whether times count from the start of the recording, so that it must be said when that was. */
  start_needed: z.boolean(),
  /** How dates such as 04/02/2015 are read; null where the year is first, or no dates are. */
  date_order: z.enum(DATE_ORDERS).nullable(),
  /** Whether every date can as well be read the other way round. */
  date_order_unsure: z.boolean(),
  /** What fractions have before them, in most columns; null where none was seen. */
  decimal_mark: z.enum(DECIMAL_MARKS).nullable(),
  /** Whether numbers such as 1,234 may have three decimals or be above a thousand. */
  decimal_mark_unsure: z.boolean(),
  /** Times of the first and, where the end of the file was sent, the last row; null where they are not known. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** Field texts of the first rows, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** What was noticed and handled, for people to read. */
  notes: z.array(z.string()),
  /** Why the file cannot be imported as it is understood, and what helps; null where nothing speaks against it. */
  problem: z.string().nullable(),
  /** The setting that the problem is about, or the rows themselves. */
  problem_with: z.enum(['encoding', 'unnamed_column', 'time_column', 'rows']).nullable(),
});
inspection.register(z.globalRegistry, { id: 'Inspection' });
export type Inspection = z.infer<typeof inspection>;

const importResult = z.object({
  stored: count,
  skipped: count,
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  /** The first rows that could not be read: what each was and what was expected. */
  errors: z.array(z.object({ line: count, message: z.string() })),
  notes: z.array(z.string()),
});
importResult.register(z.globalRegistry, { id: 'ImportResult' });
export type ImportResult = z.infer<typeof importResult>;

export const recordOperations = {
  'records.import': uploadOperation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'import records',
    message: 'Records imported successfully.',
    description:
      'Imports a file of records, of any size: all of it or, with `on_error=keep`, the rows that can be read. What is not said is guessed from the first rows and told in the answer. Any Content-Type is taken; it decides only where `format` is absent.',
    input: oneDevice.extend(importSettings),
    output: importResult,
  }),
  'records.inspect': operation({
    method: 'POST',
    path: '/_local/v1/records/inspect',
    permission: 'admin',
    action: 'inspect file',
    message: 'File inspected successfully.',
    description: 'Tells how the beginning of a file would be imported.',
    input: z
      .object({
        /** The first 64 KiB or so of the file, as text; or, so that its encoding is seen too, as it is. */
        sample: z.string(sampleRule).max(MOST_SAMPLE, sampleRule).optional(),
        bytes: z.base64(bytesRule).max(MOST_SAMPLE, bytesRule).optional(),
        /** The last bytes of the file, which say when it ends. */
        tail: z.base64(tailRule).max(65_536, tailRule).optional(),
        /** Whether the sample is the whole file; otherwise its last line is cut and not judged. */
        complete: z.boolean('must be true or false').default(false),
        ...fileSettings,
      })
      .superRefine(({ sample, bytes }, context) => {
        if ((sample === undefined) === (bytes === undefined))
          context.addIssue({
            code: 'custom',
            path: ['sample'],
            message: `${sampleRule}; or bytes, not both`,
          });
      }),
    output: inspection,
  }),
  'records.export': downloadOperation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'export records',
    message: 'Records exported successfully.',
    description: 'The records of a device, oldest first, as a file. It can be imported again.',
    input: oneDevice
      .extend({ format: oneOf(FILE_FORMATS).default('ndjson'), keys: keyList, ...optionalRange })
      .superRefine(checkOrder),
    output: z.object({ records: count }),
  }),
  'records.delete': operation({
    method: 'DELETE',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'delete records',
    message: 'Records deleted successfully.',
    description: 'Deletes the records from `start` to `end`, both included, for good.',
    input: oneDevice
      .extend({ start: optionalRange.start.unwrap(), end: optionalRange.end.unwrap() })
      .superRefine(checkOrder),
    output: deletion,
  }),
} as const;
