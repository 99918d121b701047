import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  checkOrder,
  count,
  keyList,
  oneOf,
  optionalRange,
  timestamp,
  view,
  wholeNumber,
} from '../../schema/schemas.ts';
import { inProject, oneDevice } from '../../schema/paths.ts';
import { splitList } from '../../values/text.ts';

const seriesKey = z.object({
  key: z.string(),
  counts: z.array(count),
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  first: z.array(z.number().nullable()),
  last: z.array(z.number().nullable()),
});

/** Columns of a trend: quarters of an hour of a day. */
export const TREND_COLUMNS = 96;
/** Hours of a trend. */
export const TREND_HOURS = 24;
/** Devices of one question for trends: their ids are in a query. */
export const MOST_TRENDS = 400;
const trendIdsRule = `must be 1 to ${MOST_TRENDS} ids separated by ","`;
const trendKeyRule = 'must be a data key';

const trend = z.object({
  device_id: z.string(),
  /** The end of the day that it tells of; null without records. */
  end: timestamp.nullable(),
  /** Numbers of that day. */
  count,
  min: z.number().nullable(),
  max: z.number().nullable(),
  level: z.number().nullable(),
  /** Levels of the hours of the day in UTC, null where one is not whole; null as a whole without numbers. */
  hours: z.array(z.number().nullable()).nullable(),
  /** By column, null where it holds nothing; null as a whole unless they were asked for. */
  columns: z.object({ min: z.array(z.number().nullable()), max: z.array(z.number().nullable()) }).nullable(),
});
trend.register(z.globalRegistry, { id: 'Trend' });
export type FoundTrend = z.infer<typeof trend>;

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
      .extend({ ...optionalRange, keys: keyList, width: wholeNumber(1, 10_000), view })
      .superRefine(checkOrder),
    output: z.object({ start: timestamp, end: timestamp, width: count, keys: z.array(seriesKey) }),
  }),
  'series.trends': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/trends',
    permissions: ['admin'],
    action: 'get trends',
    message: 'Trends retrieved successfully.',
    description:
      'The last day of one key of many devices: count, minimum, maximum and level of its numbers and, with `curves`, the minimum and maximum of each of its 96 quarters of an hour. `level` is the mean of the middles between minimum and maximum of the quarters that hold numbers, and `hours` the same of each hour of the day in UTC, null of one that holds fewer quarters than they mostly do.',
    input: inProject.extend({
      key: z.string(trendKeyRule).min(1, trendKeyRule),
      /** Separated by ","; what is no device of the project is left out. */
      ids: z
        .string(trendIdsRule)
        .transform((text) => [...new Set(splitList(text))])
        .refine((ids) => ids.length > 0 && ids.length <= MOST_TRENDS, trendIdsRule)
        .meta({ type: 'string', pattern: String.raw`[^,\s]` }),
      curves: oneOf(['true', 'false']).default('false'),
      view,
    }),
    output: z.array(trend),
  }),
} as const;
