import { z } from 'zod';
import { isWrap, PERS } from '../../domain/rates.ts';
import { arraysOperation } from '../../schema/operation.ts';
import { checkOrder, count, view } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

/* What charts read: the same records as programs do, behind the same checks, as arrays in place of JSON. */

/** Keys of one chart: a page of columns is at most 10,000 rows of 8 bytes for each. */
const MOST_KEYS = 64;
const keysRule = `must be an array of at most ${MOST_KEYS} data keys`;
const widthRule = 'must be a whole number from 1 to 10000';
const instantRule = 'must be a whole number of µs since 1970';
const ratesRule = `must be an array of at most ${MOST_KEYS} differences, each {key, per, falls}`;
const fallsRule = 'must be "reset", "fall", or the whole number, at least 2, at which the counter wraps';

/** Times are µs since 1970, inclusive; absent ends are open. */
const picture = oneDevice.extend({
  keys: z.array(z.string(keysRule), keysRule).max(MOST_KEYS, keysRule).readonly(),
  start: z.int(instantRule).optional(),
  end: z.int(instantRule).optional(),
  view,
  /** Of the corrected view, what is flagged `fail` or `test`: a chart draws it pale. */
  flagged: z.literal('keep', 'must be "keep"').optional(),
});

const width = z.int(widthRule).min(1, widthRule).max(10_000, widthRule);

/** A key as its difference per time. */
const rate = z.object(
  {
    key: z.string('must be a data key'),
    per: z.enum(PERS, `must be one of ${PERS.join(', ')}`),
    falls: z.union([z.literal('reset'), z.literal('fall'), z.number().refine(isWrap, fallsRule)], fallsRule),
  },
  ratesRule,
);

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
    input: picture.extend({ width }).superRefine(checkOrder),
    output: z.null(),
  }),
  /**
   * The same of differences per time, with their figures. Unlike a series it reads every record of the span: none of its columns
   * says how often a counter fell in it.
   */
  'chart.rates': arraysOperation({
    method: 'GET',
    path: 'projects/:project_id/devices/:device_id/rates',
    permissions: ['read'],
    action: 'get rates',
    message: 'Rates retrieved successfully.',
    description: 'What each column of pixels holds of differences per time, and what they come to.',
    input: picture
      .omit({ keys: true, flagged: true })
      .extend({ rates: z.array(rate, ratesRule).max(MOST_KEYS, ratesRule).readonly(), width })
      .superRefine(checkOrder),
    output: z.null(),
  }),
} as const;
