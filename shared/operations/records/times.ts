import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { checkOrder, count, optionalRange, timestamp, view, wholeNumber } from '../../schema/schemas.ts';
import { FINDINGS } from '../../domain/time-findings.ts';
import { LONGEST_GAP_S } from '../metadata/key-settings.ts';
import { oneDevice } from '../../schema/paths.ts';

/* docs/local-api.md, "Times": the records' own times against those of their receipt. */

const gapRule = `must be a number of seconds above 0, at most ${LONGEST_GAP_S}`;
const gap = z
  .unknown()
  .transform((value, context): number => {
    const number = typeof value === 'string' && /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && number > 0 && number <= LONGEST_GAP_S) return number;
    context.addIssue({ code: 'custom', message: gapRule });
    return z.NEVER;
  })
  .meta({ type: 'number', exclusiveMinimum: 0, maximum: LONGEST_GAP_S });

const micros = z.array(z.number().nullable());

const place = z.object({
  start: timestamp,
  end: timestamp,
  /** Records of this kind in it; of a gap 0. */
  records: count,
});

const finding = z
  .object({
    kind: z.enum(FINDINGS),
    /** Records of this kind; of gaps 0. */
    records: count,
    /** How many places there are; `list` has the first of them, of gaps the longest. */
    places: count,
    list: z.array(place),
  })
  .meta({ id: 'TimeFinding' });
export type TimeFinding = Readonly<z.output<typeof finding>>;

const times = z
  .object({
    records: count,
    /** The span of `skew`. */
    start: timestamp,
    end: timestamp,
    /** By how much receipt came after the record's own time, in µs: of each column of the span the least and the most. */
    skew: z.object({ counts: z.array(count), min: micros, max: micros }),
    /** A longer silence is a gap; null where nothing says how long one is. */
    gap_us: z.number().nullable(),
    findings: z.array(finding),
    /** False: more different records lie at one instant than were told apart. */
    exact: z.boolean(),
  })
  .meta({ id: 'Times' });
export type Times = Readonly<z.output<typeof times>>;

export const timesOperations = {
  'times.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/times',
    permissions: ['admin'],
    action: 'get times',
    message: 'Times retrieved successfully.',
    description:
      "How the records' own times differ from those of their receipt, over the history, and what is odd about them: 1970 or 1971, 2036, more than a day ahead, gaps, equal times, equal records, and those that came late.",
    input: oneDevice
      .extend({
        ...optionalRange,
        width: wholeNumber(1, 10_000).default(600),
        /** A longer silence, in seconds, is a gap; absent, ten of the usual intervals. */
        gap_s: gap.optional(),
        /** Places that are listed of each kind. */
        limit: wholeNumber(0, 1_000).default(100),
        view,
      })
      .superRefine(checkOrder),
    output: times,
  }),
} as const;
