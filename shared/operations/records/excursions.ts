import { z } from 'zod';
import { downloadOperation, operation } from '../../schema/operation.ts';
import { checkOrder, count, optionalRange, timestamp, view, wholeNumber } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';
import { dataKey } from '../metadata/key-settings.ts';
import { stateRun } from './states.ts';

/* docs/local-api.md, "Excursions": how long a key lay inside its normal range, outside of it, and was not measured. */

/** Excursions, and gaps, of one answer. */
const MOST_EXCURSIONS = 10_000;
/** Of one file. */
export const MOST_IN_FILE = 100_000;

const excursion = z
  .object({
    /** Of its first reading outside, or the beginning of the span. */
    start: timestamp,
    /** Of the first reading that is not outside at this end any more; of its last one where a gap follows; or the end of the span. */
    end: timestamp,
    /** The reading furthest outside, of equal ones the first, and when it was taken. */
    worst: z.number(),
    at: timestamp,
    side: z.enum(['above', 'below']),
  })
  .meta({ id: 'Excursion' });

/** Of a span of more than 285 years it may be no whole number that JSON has. */
const micros = z.number().nonnegative();

const excursions = z
  .object({
    key: z.string(),
    start: timestamp,
    end: timestamp,
    /** The normal range, both ends included; null where it is open. */
    low: z.number().nullable(),
    high: z.number().nullable(),
    /** A reading holds until the next one, but no longer than this; null: nothing says how long. */
    longest_gap_us: z.number().nullable(),
    inside_us: micros,
    outside_us: micros,
    not_measured_us: micros,
    /** All of the span; the lists have the earliest ones. */
    excursion_count: count,
    excursions: z.array(excursion),
    not_measured_count: count,
    not_measured: z.array(z.object({ start: timestamp, end: timestamp })),
    /** With `width`: "inside", "above", "below" and "not_measured" for a picture, as `states.get` tells states; else null. */
    runs: z.array(stateRun).nullable(),
  })
  .meta({ id: 'Excursions' });
export type Excursions = Readonly<z.output<typeof excursions>>;

const asked = oneDevice.extend({ ...optionalRange, key: dataKey, view });

export const excursionOperations = {
  'excursions.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/excursions',
    permissions: ['admin'],
    action: 'get excursions',
    message: 'Excursions retrieved successfully.',
    description:
      'How long a key lay inside its normal range, outside of it, and was not measured: the three are the span. A reading holds until the next one; where that comes later than the longest gap, the time between the two was not measured, and an excursion ends with its last reading.',
    input: asked
      .extend({
        /** Excursions and gaps that are listed. */
        limit: wholeNumber(0, MOST_EXCURSIONS).default(MOST_EXCURSIONS),
        width: wholeNumber(1, 10_000).optional(),
      })
      .superRefine(checkOrder),
    output: excursions,
  }),
  'excursions.export': downloadOperation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/excursions.csv',
    media: 'text/csv',
    permissions: ['admin'],
    action: 'export excursions',
    message: 'Excursions exported successfully.',
    description:
      'The excursions of a key and the times that it was not measured, in order of time, as CSV: key, side, start, end, duration as ISO 8601, worst, at.',
    input: asked.superRefine(checkOrder),
    output: z.object({ rows: count, name: z.string() }),
  }),
} as const;
