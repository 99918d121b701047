import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { requestFacts } from '../../schema/request-match.ts';
import { count, id, oneOf, text, wholeNumberInBody } from '../../schema/schemas.ts';

/* docs/rigs.md, "Faults": what goes wrong on purpose. */

/** Rules of a world at most. */
const MOST_RULES = 100;
/** ms that a request is delayed at most. */
const MOST_DELAY_MS = 600_000;
const MOST_COUNT = 1_000_000_000;
const MOST_BYTES = 1_000_000_000;

const counter = wholeNumberInBody(0, MOST_COUNT).optional();
const SHARE_RULE = 'must be a number from 0 to 1';

/** Which of the requests that are so: without the first `after`, of the rest the first `first`, of these each `every`th, of these a share. */
const counters = {
  after: counter,
  first: counter,
  every: wholeNumberInBody(1, MOST_COUNT).optional(),
  share: z.number(SHARE_RULE).min(0, SHARE_RULE).max(1, SHARE_RULE).optional(),
};
const matchFields = { ...requestFacts, ...counters };
const match = z.strictObject(matchFields, `must be an object of ${Object.keys(matchFields).join(', ')}`);
export type FaultMatch = Readonly<z.output<typeof match>>;

const DELAY_RULE = `must be a whole number of ms from 0 to ${MOST_DELAY_MS}, or two, the lower first`;
const ms = z.int(DELAY_RULE).min(0, DELAY_RULE).max(MOST_DELAY_MS, DELAY_RULE);
const delay = z.union(
  [
    ms,
    z
      .tuple([ms, ms], DELAY_RULE)
      // Linters of OpenAPI know no prefixItems.
      .meta({ items: { type: 'integer' } })
      .refine(([low, high]) => low <= high, { message: DELAY_RULE, abort: true }),
  ],
  DELAY_RULE,
);

const MQTT_FAULTS = ['no-ack', 'disconnect', 'duplicate'] as const;
const MQTT_RULE =
  'must be "no-ack", "disconnect", "duplicate", or {"reason_code": a whole number from 128 to 255}';
const mqtt = z.union(
  [z.enum(MQTT_FAULTS, MQTT_RULE), z.strictObject({ reason_code: wholeNumberInBody(128, 255) }, MQTT_RULE)],
  MQTT_RULE,
);

const DISK_FAULTS = ['full', 'sync-fails', 'slow'] as const;
export type DiskFault = (typeof DISK_FAULTS)[number];

const flag = z.literal(true, 'must be true, or absent').optional();
const doFields = {
  /** Before anything else; a random number of ms of a range. */
  delay_ms: delay.optional(),
  /** Answered in the place of the service, which does nothing. */
  status: wholeNumberInBody(400, 599).optional(),
  retry_after_s: wholeNumberInBody(0, 86_400).optional(),
  message: text(1, 1000).optional(),
  /** Of the answer, its head included; then the connection ends. */
  cut_after_bytes: wholeNumberInBody(0, MOST_BYTES).optional(),
  /** Of the answer. */
  bytes_per_s: wholeNumberInBody(1, MOST_BYTES).optional(),
  /** No answer until the client gives up. */
  drop: flag,
  /** The connection ends at once. */
  refuse: flag,
  mqtt: mqtt.optional(),
  /** With drop, cut_after_bytes or no-ack: it is done as usual, and the answer is lost. */
  after_store: flag,
  /** Below the store. */
  disk: oneOf(DISK_FAULTS).optional(),
};
const DO_RULE = `must be an object of ${Object.keys(doFields).join(', ')}, one at least`;

/** Of each of these a request has one end. */
const ENDS = ['status', 'drop', 'refuse'] as const;
/** What each cannot stand beside. */
const EXCLUDES = {
  cut_after_bytes: ['drop', 'refuse'],
  bytes_per_s: ['drop', 'refuse'],
} as const;
const OF_STATUS = ['retry_after_s', 'message'] as const;

const action = z
  .strictObject(doFields, DO_RULE)
  .refine((given) => Object.keys(given).length > 0, DO_RULE)
  .superRefine((given, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const [one, other] = ENDS.filter((end) => given[end] !== undefined);
    if (one !== undefined && other !== undefined) refuse(other, `cannot stand beside ${one}`);
    for (const [field, excluded] of Object.entries(EXCLUDES) as [
      keyof typeof EXCLUDES,
      readonly (keyof typeof given)[],
    ][])
      for (const end of excluded)
        if (given[field] !== undefined && given[end] !== undefined)
          refuse(field, `cannot stand beside ${end}: there is no answer`);
    for (const field of OF_STATUS)
      if (given[field] !== undefined && given.status === undefined) refuse(field, 'needs status beside it');
    const isLost = given.drop === true || given.cut_after_bytes !== undefined || given.mqtt === 'no-ack';
    if (given.after_store === true && (!isLost || given.status !== undefined))
      refuse('after_store', 'needs drop, cut_after_bytes or "no-ack" beside it, and no status');
  });
export type FaultAction = Readonly<z.output<typeof action>>;

const rule = z.strictObject(
  { name: text(1, 100).optional(), match: match.default({}), do: action },
  'must be an object of name, match and do',
);
export type FaultRule = Readonly<z.output<typeof rule>>;

/** Answers say what was given. */
const shownRule = z.object({
  /** As given, or "rule 1" for the first, and so on. */
  name: z.string(),
  match: z.record(z.string(), z.unknown()),
  do: z.record(z.string(), z.unknown()),
  /** How many requests, or operations of the disk, it was asked for that are as its match says. */
  seen: count,
  /** In how many it acted. */
  done: count,
});
const faults = z.object({ seed: z.int().nullable(), rules: z.array(shownRule) }).meta({ id: 'Faults' });
export type FaultsNow = Readonly<z.output<typeof faults>>;

const path = '/_local/v1/faults';
const account_id = id.optional();

export const faultOperations = {
  'faults.get': operation({
    method: 'GET',
    path,
    permissions: ['read'],
    reach: 'account',
    action: 'get faults',
    message: 'Faults retrieved successfully.',
    description:
      'What goes wrong on purpose for an account, and how often each rule has acted. That of the key that asks, or for administrators any.',
    input: z.object({ account_id }),
    output: faults,
  }),
  'faults.set': operation({
    method: 'PUT',
    path,
    permissions: ['admin'],
    reach: 'account',
    action: 'set faults',
    message: 'Faults set.',
    description:
      'Replaces the rules of an account, by which requests are delayed, refused, cut off or lost, messages of MQTT not acknowledged, and the disk fails. They are gone at the end of the service.',
    input: z.object({
      seed: wholeNumberInBody(0, Number.MAX_SAFE_INTEGER).optional(),
      rules: z
        .array(rule, 'must be an array of {name?, match?, do}')
        .max(MOST_RULES, `must have at most ${MOST_RULES} rules`),
      account_id,
    }),
    output: faults,
  }),
  'faults.clear': operation({
    method: 'DELETE',
    path,
    permissions: ['admin'],
    reach: 'account',
    action: 'clear faults',
    message: 'Faults ended.',
    description: 'Ends the rules of an account, and answers how often each has acted.',
    input: z.object({ account_id }),
    output: faults,
  }),
} as const;
