import { z } from 'zod';
import { arraysOperation } from '../../schema/operation.ts';
import { checkOrder, count, view } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

/* What charts read: the same records as programs do, behind the same checks, as arrays in place of JSON. */

/** Keys of one chart: a page of columns is at most 10,000 rows of 8 bytes for each. */
const MOST_KEYS = 64;
const keysRule = `must be an array of at most ${MOST_KEYS} data keys`;
const widthRule = 'must be a whole number from 1 to 10000';
const instantRule = 'must be a whole number of µs since 1970';

/** Times are µs since 1970, inclusive; absent ends are open. */
const picture = oneDevice.extend({
  keys: z.array(z.string(keysRule), keysRule).max(MOST_KEYS, keysRule).readonly(),
  start: z.int(instantRule).optional(),
  end: z.int(instantRule).optional(),
  view,
});

export const chartOperations = {
  /** A device's records, as pages of columns, newest first. */
  'chart.columns': arraysOperation({
    method: 'GET',
    path: 'projects/:project_id/devices/:device_id/columns',
    permissions: ['read'],
    action: 'read columns',
    message: 'Columns read successfully.',
    description: 'Records as columns of numbers, newest first, for a picture of all of them.',
    input: picture,
    output: z.object({ records: count }),
  }),
  /** Series of `width` columns of pixels, of any number of records; without ends, from the first to the last. */
  'chart.series': arraysOperation({
    method: 'GET',
    path: 'projects/:project_id/devices/:device_id/series',
    permissions: ['read'],
    action: 'get series',
    message: 'Series retrieved successfully.',
    description: 'What each column of pixels holds, for a picture of more records than pixels.',
    input: picture
      .extend({ width: z.int(widthRule).min(1, widthRule).max(10_000, widthRule) })
      .superRefine(checkOrder),
    output: z.null(),
  }),
} as const;
