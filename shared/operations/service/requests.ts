import { z } from 'zod';
import { REQUEST_DOORS } from '../../domain/sources.ts';
import { operation } from '../../schema/operation.ts';
import { oneDevice } from '../../schema/paths.ts';
import { requestFacts } from '../../schema/request-match.ts';
import { MOST_WAIT_MS } from '../../schema/waits.ts';
import {
  count,
  id,
  instant,
  oneOf,
  text,
  timestamp,
  wholeNumber,
  wholeNumberInBody,
} from '../../schema/schemas.ts';

/** `limit` of the requests seen. */
export const MAX_REQUESTS = 1000;

const STATUS_RULE = 'must be "accepted", "refused", or a status or reason code from 0 to 599';

const STATUS = z.union([oneOf(['accepted', 'refused']), wholeNumber(0, 599)], STATUS_RULE);

/** By what requests are found: all that is given must hold; nothing given finds every one. */
const matchFields = {
  ...requestFacts,
  status: STATUS.optional(),
  /** Name of the fault that it met. */
  fault: text(1, 100).optional(),
};
const matchRule = `must be an object of ${Object.keys(matchFields).join(', ')}`;
const requestMatch = z.strictObject(matchFields, matchRule);
export type RequestMatch = Readonly<z.output<typeof requestMatch>>;

const conditionRule =
  'must be a value, {"matches": a regular expression}, or one or more of gt, gte, lt and lte with a number';
const bound = z.number(conditionRule).optional();
const condition = z.union(
  [
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject(
      { matches: z.string(conditionRule).min(1, conditionRule).max(1000, conditionRule) },
      conditionRule,
    ),
    z
      .strictObject({ gt: bound, gte: bound, lt: bound, lte: bound }, conditionRule)
      .refine((bounds) => Object.keys(bounds).length > 0, conditionRule),
  ],
  conditionRule,
);
export type BodyCondition = z.output<typeof condition>;

const countRule = 'must be a whole number from 0, or an object of min and max';
const whole = z.int(countRule).min(0, countRule);
const wantedCount = z.union(
  [
    whole,
    z
      .strictObject({ min: whole.optional(), max: whole.optional() }, countRule)
      .superRefine(({ min = 0, max = Infinity }, context) => {
        if (min > max)
          context.addIssue({ code: 'custom', path: ['min'], message: 'must not be more than max' });
      }),
  ],
  countRule,
);
/** Requests in an order that is asked for. */
const MOST_ORDERED = 100;
const MOST_CONDITIONS = 100;

/** `change` or `id` of a request. */
const ordinal = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const seenRequest = z.object({
  /** Counted up from the start of the service. */
  id: count,
  time: timestamp,
  door: z.enum(REQUEST_DOORS),
  /** Id of the operation, "ingest" for what devices store; null for what led nowhere, and for other packets of MQTT. */
  operation: z.string().nullable(),
  /** The method of HTTP, or the packet of MQTT. */
  method: z.string(),
  /** The path with its query, or the topic; empty for packets that name none. */
  path: z.string(),
  /** Of HTTP, 0 where a fault left it without an answer; of MQTT a reason code of version 5, 0 for success. */
  status: count,
  refused: z.boolean(),
  /** The device that sent it; over MQTT also the one that a refused client claimed to be. */
  device_id: z.string().nullable(),
  project_id: z.string().nullable(),
  /** The API key that asked. */
  key: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Beginning of an unknown token or key: four characters at most. */
  token: z.string().nullable(),
  /** Records that it stored. */
  stored: count,
  /** Further ones like it within the same second, which are counted and not kept. */
  more: count,
  /** Counted up with each request that came or was counted in `more`: what `after` takes. */
  change: count,
  /** Why it was refused; null where it was not. */
  message: z.string().nullable(),
  /** The beginning of its body; tokens and keys in it are hidden. */
  body: z.string().nullable(),
  /** The beginning of its answer, of a page or a file what stands before the data; hidden as in the body. Null over MQTT. */
  response_head: z.string().nullable(),
  /** Name of the fault that it met (docs/rigs.md, "Faults"); null for none. */
  fault: z.string().nullable(),
  /** The address that it came from. */
  from: z.string(),
  /** µs from its arrival to its answer. */
  duration_us: count,
});
seenRequest.register(z.globalRegistry, { id: 'SeenRequest' });
export type SeenRequest = z.infer<typeof seenRequest>;

/** A request, and what its answer means. */
const explainedRequest = seenRequest.extend({
  rule: z.object({
    /** In a sentence. */
    text: z.string(),
    /** Where it is written: a file of docs/ and its heading. */
    section: z.string(),
  }),
  /** A line for a shell that sends it again, with placeholders for secrets; null where there is none. */
  curl: z.string().nullable(),
});
explainedRequest.register(z.globalRegistry, { id: 'ExplainedRequest' });
export type ExplainedRequest = z.infer<typeof explainedRequest>;

const verification = z
  .object({
    matched: z.boolean(),
    count,
    /** Where there were too few: what came nearest, with what of it was otherwise. */
    nearest: z.array(z.object({ request: seenRequest, differs: z.array(z.string()) })).optional(),
  })
  .meta({ id: 'Verification' });
export type Verification = z.infer<typeof verification>;

/** Characters of a message that is sent for a device. */
const MOST_PAYLOAD = 262_144;
/** The reading of the examples that people paste. */
const TEST_READING = '{"temperature": 21.5}';

/** What a device's door said to a message. */
const doorAnswer = z
  .object({
    accepted: z.boolean(),
    /** In words; of no answer why there was none. */
    message: z.string(),
    /** As the device gets it over HTTP; null over MQTT, and without an answer. */
    http: z
      .object({
        status: z.int(),
        reason: z.string(),
        headers: z.array(z.object({ name: z.string(), value: z.string() })),
        body: z.string(),
      })
      .nullable(),
    /** The same over MQTT 5: the packet that answered, its reason code and reason string. */
    mqtt: z
      .object({ packet: z.string(), reason_code: z.int(), reason_string: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'DoorAnswer' });
export type DoorAnswer = Readonly<z.infer<typeof doorAnswer>>;

export const requestOperations = {
  'requests.list': operation({
    method: 'GET',
    path: '/_local/v1/requests',
    permissions: ['admin'],
    action: 'get requests',
    mayTakeLong: true,
    message: 'Requests retrieved successfully.',
    description:
      'The last requests of devices and programs, newest first, with the reason of each refusal; with `after` those that came or were counted since, with `before` older ones. They are kept in memory, and never with a token or key. A key sees those of its own account and projects; those of nobody are for administrators.',
    input: z.object({
      door: oneOf(REQUEST_DOORS).optional(),
      status: STATUS.optional(),
      device_id: id.optional(),
      since: instant.optional(),
      after: ordinal.optional(),
      before: ordinal.optional(),
      within_ms: wholeNumber(0, MOST_WAIT_MS).default(0),
      limit: wholeNumber(1, MAX_REQUESTS).default(100),
    }),
    output: z.array(seenRequest),
  }),
  'requests.get': operation({
    method: 'GET',
    path: '/_local/v1/requests/:request_id',
    permissions: ['admin'],
    action: 'get request',
    message: 'Request retrieved successfully.',
    description:
      'One of the last requests, with the rule that its answer followed, and how to send it again.',
    input: z.object({ request_id: id }),
    output: explainedRequest,
  }),
  'requests.verify': operation({
    method: 'POST',
    path: '/_local/v1/requests/verify',
    permissions: ['admin'],
    action: 'verify requests',
    mayTakeLong: true,
    message: 'Requests verified.',
    description:
      'Counts the last requests that are as described, waits until there are as many as asked for, and tells how the nearest ones differ where there are not.',
    input: z.object({
      match: requestMatch.default({}),
      count: wantedCount,
      within_ms: wholeNumberInBody(0, MOST_WAIT_MS).default(0),
      body: z
        .record(
          z.string(),
          condition,
          'must be an object of conditions by their paths, such as {"temperature": {"gt": 30}}',
        )
        .refine(
          (conditions) => Object.keys(conditions).length <= MOST_CONDITIONS,
          `must have at most ${MOST_CONDITIONS} paths`,
        )
        .optional(),
      order: z
        .array(requestMatch, 'must be an array of matches')
        .max(MOST_ORDERED, `must have at most ${MOST_ORDERED} matches`)
        .optional(),
    }),
    output: verification,
  }),
  'requests.clear': operation({
    method: 'POST',
    path: '/_local/v1/requests/clear',
    permissions: ['admin'],
    reach: 'account',
    action: 'clear requests',
    message: 'Requests cleared.',
    description: 'Forgets the last requests of the account of the key that asks.',
    input: z.object({}),
    output: z.object({ cleared: count }),
  }),
  'requests.send': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/message',
    permissions: ['admin'],
    action: 'send message',
    message: 'Message sent.',
    description:
      'Sends a message as the device would: to the door of its source, with its token, whatever it holds. Tells what the door answered; where that accepted it, it is stored as any other.',
    input: oneDevice.extend({
      payload: text(0, MOST_PAYLOAD).default(TEST_READING),
      content_type: oneOf(['application/json', 'application/x-ndjson']).default('application/json'),
    }),
    output: doorAnswer,
  }),
} as const;
