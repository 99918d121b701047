import { z } from 'zod';
import { downloadOperation, operation, uploadOperation } from '../operation.ts';
import {
  checkOrder,
  count,
  deletion,
  id,
  keyList,
  oneOf,
  optionalRange,
  timestamp,
  wholeNumber,
} from '../schemas.ts';

/** Contract "Beyond the document": records in and out in bulk, and records as pictures need them. */

const oneDevice = z.object({ project_id: id, device_id: id });
const FORMATS = ['csv', 'ndjson'] as const;

const zoneRule = 'must be an IANA time zone such as "Europe/Berlin", or "UTC"';

/** How a file is read. What is absent is guessed from its first rows; the answer says what was used. */
export const importSettings = {
  format: oneOf(FORMATS).optional(),
  /** CSV: the delimiter between fields. */
  delimiter: oneOf([',', ';', '\t', '|']).optional(),
  /** CSV: name of the time column; "" when the rows carry none and the time of receipt counts. */
  time_column: z.string('must be the name of a column').optional(),
  /** CSV: how to read dates such as 04/02/2015, which may mean two days. */
  date_order: oneOf(['day-first', 'month-first']).optional(),
  /** The zone of times that carry none. */
  zone: z.string(zoneRule).optional(),
  /** CSV: the columns to import, separated by ","; absent means all but the row number and the time. */
  columns: z.string('must be column names separated by ","').optional(),
  /** What a row that cannot be read does: nothing is imported, or the rows that can be read are kept. */
  on_error: oneOf(['abort', 'keep']).optional(),
};

const columnGuess = z.object({
  name: z.string(),
  role: z.enum(['time', 'row-number', 'value', 'empty']),
  kind: z.enum(['number', 'text', 'boolean', 'time']),
});

/** What the first rows of a file say about it. */
export const inspection = z.object({
  format: z.enum(FORMATS),
  delimiter: z.string().nullable(),
  columns: z.array(columnGuess),
  time_column: z.string().nullable(),
  /** How times are written, such as "2015-02-04 17:51:00, no zone"; null without a time column. */
  time_format: z.string().nullable(),
  /** Whether times carry no zone of their own, so that one must be chosen. */
  zone_needed: z.boolean(),
  /** Whether dates such as 04/02/2015 could as well be read the other way round; the day is taken to be first. */
  date_order_unsure: z.boolean(),
  /** Field texts of the first rows, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** What was noticed and handled, for people to read. */
  notes: z.array(z.string()),
});
inspection.register(z.globalRegistry, { id: 'Inspection' });
export type Inspection = z.infer<typeof inspection>;

export const importResult = z.object({
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

const seriesKey = z.object({
  key: z.string(),
  counts: z.array(count),
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  first: z.array(z.number().nullable()),
  last: z.array(z.number().nullable()),
});

export const recordOperations = {
  'records.import': uploadOperation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'import records',
    message: 'Records imported successfully.',
    input: oneDevice.extend(importSettings),
    output: importResult,
  }),
  'records.inspect': operation({
    method: 'POST',
    path: '/_local/v1/records/inspect',
    permission: 'admin',
    action: 'inspect file',
    message: 'File inspected successfully.',
    input: z.object({
      /** The first 64 KiB or so of the file, as text. */
      sample: z
        .string('must be the beginning of the file as text')
        .max(1_048_576, 'must be at most 1 MiB of text'),
      /** Whether the sample is the whole file; otherwise its last line is cut and not judged. */
      complete: z.boolean('must be true or false').default(false),
      format: importSettings.format,
    }),
    output: inspection,
  }),
  'records.export': downloadOperation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'export records',
    message: 'Records exported successfully.',
    input: oneDevice
      .extend({ format: oneOf(FORMATS).default('ndjson'), keys: keyList, ...optionalRange })
      .superRefine(checkOrder),
    output: z.object({ records: count }),
  }),
  'records.delete': operation({
    method: 'DELETE',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permission: 'admin',
    action: 'delete records',
    message: 'Records deleted successfully.',
    input: oneDevice
      .extend({ start: optionalRange.start.unwrap(), end: optionalRange.end.unwrap() })
      .superRefine(checkOrder),
    output: deletion,
  }),
  'series.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/series',
    permission: 'admin',
    action: 'get series',
    message: 'Series retrieved successfully.',
    input: oneDevice
      .extend({ ...optionalRange, keys: keyList, width: wholeNumber(1, 10_000) })
      .superRefine(checkOrder),
    output: z.object({ start: timestamp, end: timestamp, width: count, keys: z.array(seriesKey) }),
  }),
} as const;
