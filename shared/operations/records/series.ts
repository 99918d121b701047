import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { checkOrder, count, keyList, optionalRange, timestamp, wholeNumber } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

const seriesKey = z.object({
  key: z.string(),
  counts: z.array(count),
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  first: z.array(z.number().nullable()),
  last: z.array(z.number().nullable()),
});

export const seriesOperations = {
  'series.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/series',
    permissions: ['admin'],
    action: 'get series',
    message: 'Series retrieved successfully.',
    description:
      'What a chart draws: the span in `width` columns, and of each key and column the count, minimum, maximum, first and last number. Column c covers the times t with floor((t - start) * width / (end - start + 1)) = c, in µs.',
    input: oneDevice
      .extend({ ...optionalRange, keys: keyList, width: wholeNumber(1, 10_000) })
      .superRefine(checkOrder),
    output: z.object({ start: timestamp, end: timestamp, width: count, keys: z.array(seriesKey) }),
  }),
} as const;
