import { z } from 'zod';
import { checkOrder, count, optionalRange, timestamp } from '../../schema/schemas.ts';
import { dataKey, LONGEST_GAP_S } from './key-settings.ts';

/* docs/local-api.md, "Before a correction is made": what one would change, and where one may be wanted. */

const number = z.number().nullable();

/** Of the numbers of a key; null where there are too few of them. */
const figures = z.object({
  count,
  min: number,
  max: number,
  mean: number,
  sd: number,
  first: number,
  last: number,
});
export type Figures = Readonly<z.output<typeof figures>>;

export const preview = z
  .object({
    /** Records that it speaks of, and the times of the first and the last one, as they are stored. */
    records: count,
    first: timestamp.nullable(),
    last: timestamp.nullable(),
    statistics: z.array(z.object({ key: z.string(), before: figures, after: figures })),
  })
  .meta({ id: 'CorrectionPreview' });

const secondsRule = `must be a number of seconds above 0, at most ${LONGEST_GAP_S}`;
const seconds = z.object(
  { seconds: z.number(secondsRule).positive(secondsRule).max(LONGEST_GAP_S, secondsRule) },
  'must be an object {"seconds"}',
);
const timesRule = 'must be a number above 0';
const outsideRule = 'must be [low, high], null where that end is open';
const end = z.number(outsideRule).nullable();

/** Kinds of suspects, by the tests of QARTOD. */
export const SUSPECT_RULES = ['spike', 'stuck', 'outside', 'gap'] as const;

export const findFields = {
  key: dataKey,
  /** Differs from the median of itself and its neighbours by more than so many standard deviations of all such differences. */
  spike: z
    .object({ times_sd: z.number(timesRule).positive(timesRule) }, 'must be an object {"times_sd"}')
    .optional(),
  /** The same number for at least so long. */
  stuck: seconds.optional(),
  outside: z
    .tuple([end, end], outsideRule)
    .refine(([low, high]) => low === null || high === null || low <= high, outsideRule)
    .meta({ items: { type: ['number', 'null'] } })
    .optional(),
  /** No number for longer. */
  gap: seconds.optional(),
  ...optionalRange,
};

/** At least one of the rules, and a span in order. */
export function checkFind(
  given: Readonly<Partial<Record<(typeof SUSPECT_RULES)[number], unknown>>> &
    Parameters<typeof checkOrder>[0],
  context: z.RefinementCtx,
): void {
  checkOrder(given, context);
  if (SUSPECT_RULES.every((rule) => given[rule] === undefined))
    context.addIssue({
      code: 'custom',
      path: ['key'],
      message: 'must come with spike, stuck, outside or gap',
    });
}

export const suspects = z
  .object({
    /** By rule, earliest first; of gaps the longest. In stored times, so that they can be flagged as they are. */
    spans: z.array(z.object({ rule: z.enum(SUSPECT_RULES), from: timestamp, to: timestamp, records: count })),
    /** All that there are, by rule; null where it was not looked for. */
    found: z.object({
      spike: count.nullable(),
      stuck: count.nullable(),
      outside: count.nullable(),
      gap: count.nullable(),
    }),
  })
  .meta({ id: 'Suspects' });
