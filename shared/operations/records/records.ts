import { z } from 'zod';
import { EXPORT_FORMATS, MOST_ALSO } from '../../domain/file-formats.ts';
import { downloadOperation, operation, uploadOperation } from '../../schema/operation.ts';
import { MOST_WAIT_MS } from '../../schema/waits.ts';
import { splitList } from '../../values/text.ts';
import {
  checkOrder,
  count,
  dataRecord,
  keptDeletion,
  keyList,
  oneOf,
  optionalRange,
  reason,
  timestamp,
  view,
  wholeNumber,
} from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';
import {
  DECIMAL_MARKS,
  DELIMITERS,
  examination,
  fileSettings,
  importResult,
  importSettings,
  zoneRule,
} from './record-files.ts';
import { bytesRule, inspection, MOST_SAMPLE, sampleRule, tailRule } from './inspection.ts';

/** docs/local-api.md, "Beyond /v2": records in and out in bulk, and records as pictures need them. */

export {
  DATE_ORDERS,
  DELIMITERS,
  ENCODINGS,
  fileZoneRule,
  TIME_KINDS,
  type Delimiter,
  type Encoding,
  type Examination,
  type FileSettings,
  type ImportResult,
  type ImportSettings,
  type TimeKind,
} from './record-files.ts';
export type { Column, Doubt, Inspection } from './inspection.ts';

const alsoRule = `must be ids of at most ${MOST_ALSO} further devices of the project, separated by ","`;

/** Choice of exported records, and their format. */
const exportSettings = {
  format: oneOf(EXPORT_FORMATS).default('ndjson'),
  keys: keyList,
  ...optionalRange,
  view,
  /** CSV: the zone whose time is written, with its offset; Excel: whose clock the times are of; absent, UTC. */
  zone: z.string(zoneRule).optional(),
  /** CSV: what stands between the fields: a comma, or a semicolon where decimals have the comma. */
  delimiter: oneOf(DELIMITERS).optional(),
  decimal_mark: oneOf(DECIMAL_MARKS).optional(),
  /** CSV, Excel: what the columns are called: as the keys, or as they are shown, with their units. */
  titles: oneOf(['keys', 'shown']).optional(),
  /** CSV: whether the notes of the span stand before the names, a line each. */
  notes: oneOf(['leave-out', 'keep']).optional(),
  /** CSV: whether texts that a spreadsheet takes for formulas get an apostrophe before them. */
  formulas: oneOf(['keep', 'escape']).optional(),
  /** Excel: ids of further devices of the project, a sheet each; page: beside this one. */
  also: z
    .string(alsoRule)
    .optional()
    .transform((value) => (value === undefined ? undefined : [...new Set(splitList(value))]))
    .refine((ids) => (ids?.length ?? 0) <= MOST_ALSO, alsoRule),
};

const exported = z.object({
  records: count,
  /** Without its extension. */
  name: z.string(),
  /** The byte that the answer began with: 0 where the file was begun anew. */
  from: count,
});

const estimate = z.object({
  records: count,
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  /** About so many, by the first records. */
  bytes: count,
  name: z.string(),
  state: z.string(),
});
estimate.register(z.globalRegistry, { id: 'ExportEstimate' });

export const recordOperations = {
  'records.import': uploadOperation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permissions: ['admin'],
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
    permissions: ['admin'],
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
  'records.examine': uploadOperation({
    method: 'POST',
    path: '/_local/v1/records/examine',
    permissions: ['admin'],
    action: 'examine file',
    message: 'File examined successfully.',
    description:
      'Reads a whole file as an import would, stores nothing, and tells what it holds: unreadable rows, repeated times, steps back, gaps.',
    input: z.object(fileSettings),
    output: examination,
  }),
  'records.compare': uploadOperation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records/examine',
    permissions: ['admin'],
    action: 'examine file',
    message: 'File examined successfully.',
    description: 'The same, and how many of its records the device has already.',
    input: oneDevice.extend(fileSettings),
    output: examination,
  }),
  'records.export': downloadOperation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permissions: ['admin'],
    action: 'export records',
    message: 'Records exported successfully.',
    description:
      'The records of a device, oldest first, as a file. CSV and NDJSON can be imported again. An export that was cut off is continued by `Range: bytes=n-`, with its ETag as `If-Range`: where the records are not the same any more, the whole file comes anew.',
    input: oneDevice
      .extend({
        ...exportSettings,
        /** The bytes at the beginning that are there already; what `Range: bytes=n-` says. */
        from: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
        /** The state they are of; where it is another now, the whole file comes. What `If-Range` says. */
        state: z.string('must be the state of an export').optional(),
      })
      .superRefine(checkOrder),
    output: exported,
  }),
  'records.estimate': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records/estimate',
    permissions: ['admin'],
    action: 'estimate export',
    message: 'Export estimated successfully.',
    description:
      'What an export with the same settings would be: how many records, exactly, about how many bytes, its name, and the state that names its bytes.',
    input: oneDevice.extend(exportSettings).superRefine(checkOrder),
    output: estimate,
  }),
  'records.count': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records/count',
    permissions: ['admin'],
    action: 'count records',
    message: 'Records counted successfully.',
    description: 'How many records a span holds, exactly, and the times of its first and last one.',
    input: oneDevice.extend({ ...optionalRange, view }).superRefine(checkOrder),
    output: z.object({ records: count, first: timestamp.nullable(), last: timestamp.nullable() }),
  }),
  'records.follow': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records/follow',
    permissions: ['read'],
    action: 'follow records',
    mayTakeLong: true,
    message: 'Records followed.',
    description:
      'What the device stored by a door since `after`, in the order in which it came; where there is nothing, it waits for it. Without `after`, the place that is now.',
    input: oneDevice.extend({
      after: z.string('must be what an answer before says').optional(),
      within_ms: wholeNumber(0, MOST_WAIT_MS).default(0),
    }),
    output: z.object({ after: z.string(), missed: count.nullable(), records: z.array(dataRecord) }),
  }),
  'records.delete': operation({
    method: 'DELETE',
    path: '/_local/v1/projects/:project_id/devices/:device_id/records',
    permissions: ['delete'],
    asksForReason: true,
    action: 'delete records',
    message: 'Records deleted successfully.',
    description:
      'Deletes the records from `start` to `end`, both included, or all without them, so that it can be undone.',
    input: oneDevice.extend({ ...optionalRange, reason: reason.optional() }).superRefine(checkOrder),
    output: keptDeletion,
  }),
} as const;
