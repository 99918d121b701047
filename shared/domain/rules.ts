import { z } from 'zod';
import { alternatives } from '../values/text.ts';
import { only } from '../values/only.ts';
import { quote, validate } from '../values/validate.ts';

/*
 * Rules: functions that watch what is stored and raise alarms (docs/functions.md, "Rules"). Times of a rule are seconds, as people
 * write them; those of its firings are µs.
 */

/** Rules of a project at most. */
export const MOST_RULES = 200;

const MOST_LEAVES = 16;
const MOST_DEPTH = 4;
const MOST_ACTS = 8;
const MOST_RECIPIENTS = 10;
const MOST_STATES = 50;
const MOST_SECONDS = 31 * 86_400;
const MOST_WINDOW_S = 86_400;

const number = z.number('must be a number');
const positiveRule = 'must be a number above 0';
const positive = z.number(positiveRule).positive(positiveRule);
const hysteresisRule = 'must be a number from 0';
const hysteresis = z.number(hysteresisRule).min(0, hysteresisRule).optional();
const keyRule = 'must be the name of a key, of 1 to 128 characters';
const key = z.string(keyRule).min(1, keyRule).max(128, keyRule);
const seconds = (most: number) => {
  const rule = `must be a number of seconds above 0, up to ${most}`;
  return z.number(rule).positive(rule).max(most, rule);
};
const state = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false');
const stateRule = `must be a text, a number, true, false, or an array of 1 to ${MOST_STATES} of them`;
const limits = only({ low: number.optional(), high: number.optional() })
  .refine(({ low, high }) => low !== undefined || high !== undefined, 'must have low, high, or both')
  .refine(
    ({ low = -Infinity, high = Infinity }) => low <= high,
    'must have a low that is not above its high',
  );

/** Conditions on one key or device, by the field that tells them apart. */
const LEAVES = {
  above: only({ key, above: number, hysteresis }),
  below: only({ key, below: number, hysteresis }),
  outside: only({
    key,
    outside: z.union([z.literal('normal'), limits], 'must be "normal" or {low, high}'),
    hysteresis,
  }),
  change: only({ key, change: positive, within_s: seconds(MOST_WINDOW_S) }),
  is: only({ key, is: z.union([state, z.array(state).min(1).max(MOST_STATES)], stateRule) }),
  silent_s: only({ silent_s: seconds(MOST_SECONDS), key: key.optional() }),
} as const;
const JOINS = ['all', 'any'] as const;
const KINDS = [...(Object.keys(LEAVES) as (keyof typeof LEAVES)[]), ...JOINS];

export type LeafKind = keyof typeof LEAVES;
/** Condition on a key, or on the silence of a device. */
export type Leaf = { [Kind in LeafKind]: Readonly<z.infer<(typeof LEAVES)[Kind]>> }[LeafKind];
export type When = Leaf | { readonly all: readonly When[] } | { readonly any: readonly When[] };

export const act = z.discriminatedUnion(
  'do',
  [
    only({ do: z.literal('note') }),
    only({ do: z.literal('notify'), sound: z.boolean('must be true or false').optional() }),
    only({
      do: z.literal('webhook'),
      url: z
        .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
        .max(2000)
        .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'must have no user name and no password'),
    }),
    only({ do: z.literal('mqtt') }),
    only({
      do: z.literal('mail'),
      to: z.array(z.email('must be an e-mail address')).min(1).max(MOST_RECIPIENTS),
    }),
  ],
  `must be ${alternatives(['note', 'notify', 'webhook', 'mqtt', 'mail'])}`,
);
/** What is done when an alarm is raised, or ends. */
export type Act = Readonly<z.infer<typeof act>>;

const rule = only({
  when: z.looseObject({}, 'must be a condition, such as {"key": "t", "above": 30}'),
  for_s: z
    .number('must be a number of seconds from 0')
    .min(0, 'must be a number of seconds from 0')
    .max(MOST_SECONDS, `must be a number of seconds up to ${MOST_SECONDS}`)
    .default(0),
  devices: z.strictObject({ tag: z.string().min(1).max(64) }, 'must be {"tag": "…"}').optional(),
  acts: z
    .array(act, 'must be an array of acts')
    .max(MOST_ACTS, `must hold at most ${MOST_ACTS} acts`)
    .default([]),
  /** Whether values stand in what is sent. */
  values: z.boolean('must be true or false').default(false),
});
/** A rule, as the `condition` of its function says it. */
export type Rule = Readonly<Omit<z.infer<typeof rule>, 'when'>> & { readonly when: When };

/** Returns the rule that a `condition` says, or what is wrong with that, in words. */
export function ruleOf(given: object | null): Rule | string {
  if (given === null)
    return 'condition is required: it is the rule, such as {"when": {"key": "t", "above": 30}}';
  const read = validate(rule, given, { at: 'condition' });
  if (!read.ok) return read.message;
  const fault = faultOf(read.value.when, 'condition.when', 1);
  if (fault !== null) return fault;
  const when = read.value.when as When;
  const leaves = leavesOf(when).length;
  if (leaves > MOST_LEAVES)
    return `condition.when must hold at most ${MOST_LEAVES} conditions, got ${leaves}`;
  return { ...read.value, when };
}

/** Conditions of a rule, in the order in which they are written. */
export function leavesOf(when: When): readonly Leaf[] {
  if ('all' in when) return when.all.flatMap(leavesOf);
  if ('any' in when) return when.any.flatMap(leavesOf);
  return [when];
}

/** Keys that the conditions of a rule read, each once. */
export const keysOfRule = ({ when }: Pick<Rule, 'when'>): readonly string[] => [
  ...new Set(leavesOf(when).flatMap(({ key: of }) => (of === undefined ? [] : [of]))),
];

/** Says what is wrong with a condition at a path; null for nothing. */
function faultOf(given: unknown, path: string, depth: number): string | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `${path} must be a condition, such as {"key": "t", "above": 30}, got ${quote(given)}`;
  const kinds = KINDS.filter((kind) => Object.hasOwn(given, kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return `${path} must have one of ${alternatives(KINDS)}, got ${quote(given)}`;
  if (kind !== 'all' && kind !== 'any') {
    const read = validate(LEAVES[kind], given, { at: path });
    return read.ok ? null : read.message;
  }
  if (depth === MOST_DEPTH) return `${path} must nest conditions at most ${MOST_DEPTH} deep`;
  const list: unknown = (given as Record<string, unknown>)[kind];
  if (!Array.isArray(list) || list.length === 0 || Object.keys(given).length > 1)
    return `${path} must be {"${kind}": […]} with one condition or more and nothing else, got ${quote(given)}`;
  for (const [place, each] of list.entries()) {
    const fault = faultOf(each, `${path}.${kind}.${place}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
