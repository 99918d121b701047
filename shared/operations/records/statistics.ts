import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { checkOrder, count, keyList, optionalRange, timestamp, view } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

const number = z.number().nullable();

/** Of the numbers of one key in a span; booleans count as 1 and 0. Null where there are too few numbers for it. */
const keyStatistics = z
  .object({
    key: z.string(),
    count,
    /** Texts of the key, which nothing else here speaks of. */
    texts: count,
    min: number,
    max: number,
    mean: number,
    /** Of a sample: the divisor is count - 1. Null also where it is beyond all numbers. */
    sd: number,
    /** The least of the numbers that at least 5 % of them are not above. */
    p5: number,
    p95: number,
    percentiles: z.enum(['exact', 'approximate']),
    /** How far the rank of a percentile may be off at most, as a part of count; 0 where they are exact. */
    percentile_error: z.number(),
    first: number,
    last: number,
    first_time: timestamp.nullable(),
    last_time: timestamp.nullable(),
    /** Silences inside the span that are longer than the key's longest gap, or than ten of its usual intervals. */
    gaps: count,
    longest_gap_us: number,
    /** Numbers outside the key's normal range; null where that has no such end. */
    below: count.nullable(),
    above: count.nullable(),
    /** From the first to the last number. */
    rate_per_s: number,
  })
  .meta({ id: 'KeyStatistics' });
export type KeyStatistics = z.infer<typeof keyStatistics>;

export const statisticsOperations = {
  'statistics.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/statistics',
    permissions: ['admin'],
    action: 'get statistics',
    message: 'Statistics retrieved successfully.',
    description:
      'What the numbers of each key come to in a span: count, extremes, mean, standard deviation of a sample, 5th and 95th percentile, first and last, gaps and rate, and how many lie outside its normal range. Without `keys`, of every key with numbers; in the order asked, and empty for a key that the device does not have. Percentiles are exact up to some ten thousand numbers, and beyond that `percentile_error` says how far their rank may be off.',
    input: oneDevice.extend({ ...optionalRange, keys: keyList, view }).superRefine(checkOrder),
    output: z.array(keyStatistics),
  }),
} as const;
