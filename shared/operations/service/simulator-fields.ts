import { z } from 'zod';
import { SHAPES, type Shape } from '../../domain/shapes.ts';
import { alternatives } from '../../values/text.ts';

/* What simulators are told (docs/rigs.md, "Simulators"): the shapes of keys, and trouble. */

const MOST_KEYS = 256;
const MOST_STATES = 1000;
const MOST_TEXT = 1000;

const number = z.number('must be a number');
const positiveRule = 'must be a number above 0';
const positive = z.number(positiveRule).positive(positiveRule);
const fromZeroRule = 'must be a number from 0';
const fromZero = z.number(fromZeroRule).nonnegative(fromZeroRule);

const valueRule = `must be a number, text of at most ${MOST_TEXT} characters, true or false`;
const value = z.union([z.number(), z.string().max(MOST_TEXT), z.boolean()], valueRule);

const statesRule = `must be an array of 1 to ${MOST_STATES} values`;
const anyShapeRule = 'must be an object with a "shape", such as {"shape": "constant", "value": 1}';
const shapeRule = `must be ${alternatives(SHAPES.map((name) => `"${name}"`))}`;

const named = <const Name extends Shape['shape'], Fields extends z.ZodRawShape>(name: Name, fields: Fields) =>
  z.strictObject(
    { shape: z.literal(name, shapeRule), ...fields },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `takes no "${issue.keys.join('", "')}": a ${name} has ${alternatives(Object.keys(fields))}`
          : undefined,
    },
  );

const walk = named('walk', {
  start: number,
  step: fromZero,
  min: number.optional(),
  max: number.optional(),
}).superRefine(({ min, max }, context) => {
  if (min !== undefined && max !== undefined && min > max)
    context.addIssue({ code: 'custom', path: ['min'], message: 'must not be more than max' });
});

export const shape = z
  .discriminatedUnion(
    'shape',
    [
      named('constant', { value }),
      named('sine', { mean: number, amplitude: number, period_s: positive, noise: fromZero.optional() }),
      walk,
      named('states', {
        states: z.array(value, statesRule).min(1, statesRule).max(MOST_STATES, statesRule),
        stay_s: positive,
      }),
      named('ramp', { from: number, to: number, period_s: positive }),
      named('counter', { step: positive, wraps_at: positive.optional() }),
    ],
    {
      error: (issue) => (issue.code === 'invalid_union' ? shapeRule : anyShapeRule),
    },
  )
  .meta({ id: 'Shape' });

const keyRule = 'must be a data key: text of 1 to 128 characters without ",", and not "timestamp"';
export const KEYS_RULE = `must be an object of 1 to ${MOST_KEYS} shapes by data key`;

/** Shapes by data key. */
export const shapedKeys = z.record(z.string(), shape, KEYS_RULE).superRefine((keys, context) => {
  const names = Object.keys(keys);
  if (names.length < 1 || names.length > MOST_KEYS) context.addIssue({ code: 'custom', message: KEYS_RULE });
  for (const name of names)
    if (name === '' || name.length > 128 || name.includes(',') || name === 'timestamp')
      context.addIssue({ code: 'custom', message: `${keyRule}; "${name.slice(0, 130)}" is none` });
});

const shareRule = 'must be a share from 0 to 1';
const share = z.number(shareRule).min(0, shareRule).max(1, shareRule).default(0);

export const TROUBLES = ['gaps', 'late', 'duplicates', 'wrong_clock', 'stuck', 'spikes'] as const;

/** What goes wrong, each in a share of the readings. */
export const trouble = z.strictObject(
  {
    /** Left out. */
    gaps: share,
    /** Sent after some later ones, with its own time. */
    late: share,
    /** Sent twice. */
    duplicates: share,
    /** With a time that is up to a day off. */
    wrong_clock: share,
    /** The values of the one before. */
    stuck: share,
    /** One of its numbers lies far off. */
    spikes: share,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `takes no "${issue.keys.join('", "')}": it has ${alternatives(TROUBLES)}`
        : `must be an object of ${alternatives(TROUBLES)}`,
  },
);
export const NO_TROUBLE = { gaps: 0, late: 0, duplicates: 0, wrong_clock: 0, stuck: 0, spikes: 0 } as const;
export type Trouble = Readonly<z.output<typeof trouble>>;
