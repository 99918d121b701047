import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  count,
  id,
  instant,
  oneOf,
  project,
  projectFields,
  timestamp,
  uuid,
  wholeNumberInBody,
} from '../../schema/schemas.ts';
import { KEYS_RULE, NO_TROUBLE, shape, shapedKeys, trouble } from './simulator-fields.ts';

/* docs/rigs.md, "Simulators": devices that are simulated, and recordings that are stored once more. */

/** Simulators of an account. */
export const MOST_SIMULATORS = 1000;
/** A year. */
const MOST_MS = 31_622_400_000;
const MOST_COUNT = 1_000_000_000;
const MOST_SPEED = 1_000_000;

/** Of the history of a building, at least. */
const MOST_HOURS = 72;

/** How records get into the service: beside the doors, or through one of them as a device sends them. */
const SIMULATOR_WAYS = ['store', 'http', 'mqtt'] as const;
/** Records that are stored once more keep their times, or are moved to the present. */
const REPLAY_TIMES = ['kept', 'now'] as const;
const SIMULATOR_STATES = ['running', 'done', 'failed'] as const;

const speedRule = `must be a number above 0, at most ${MOST_SPEED}, or "max"`;
const speed = z.union(
  [z.literal('max'), z.number(speedRule).positive(speedRule).max(MOST_SPEED, speedRule)],
  speedRule,
);

const replayRule = 'must be {"device_id": a device} or {"file": an upload}';
const replay = z
  .strictObject({ device_id: id.optional(), file: id.optional() }, replayRule)
  .refine(({ device_id, file }) => (device_id === undefined) !== (file === undefined), replayRule);

const simulator = z
  .object({
    id: uuid,
    project_id: uuid,
    device_id: uuid,
    /** Null in a replay, as are keys. */
    every_ms: count.nullable(),
    keys: z.record(z.string(), shape).nullable(),
    /** What is stored once more, and at which times; null where values follow from shapes. */
    replay: z.object({ device_id: z.string().optional(), file: z.string().optional() }).nullable(),
    times: z.enum(REPLAY_TIMES).nullable(),
    jitter_ms: count,
    /** How many readings it makes in all; null for no end. */
    count: count.nullable(),
    /** The time of the first reading. */
    start: timestamp,
    /** Null: each reading is sent when its time has come. */
    speed: z.union([z.literal('max'), z.number()]).nullable(),
    through: z.enum(SIMULATOR_WAYS),
    seed: count,
    trouble,
    created_at: timestamp,
    /** Records that the service took, and that it refused. */
    stored: count,
    refused: count,
    state: z.enum(SIMULATOR_STATES),
    /** When it sends next; null where it does not. */
    next: timestamp.nullable(),
    /** Why it failed, or why a record was refused last; null where none was. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'Simulator' });
export type Simulator = Readonly<z.output<typeof simulator>>;

const path = '/_local/v1/simulators';

export const simulatorOperations = {
  'simulators.list': operation({
    method: 'GET',
    path,
    permissions: ['admin'],
    action: 'get simulators',
    message: 'Simulators retrieved successfully.',
    description:
      'The simulators of the account of the key that asks, in the order in which they were started.',
    input: z.object({}),
    output: z.array(simulator),
  }),
  'simulators.create': operation({
    method: 'POST',
    path,
    permissions: ['admin'],
    action: 'start simulator',
    message: 'Simulator started.',
    description:
      'Stores records of a device as time goes on: values that follow from shapes and a seed, with trouble where it is asked for. It ends with the service, and with its device.',
    input: z
      .object({
        project_id: id,
        device_id: id,
        every_ms: wholeNumberInBody(1, MOST_MS).optional(),
        keys: shapedKeys.optional(),
        replay: replay.optional(),
        times: oneOf(REPLAY_TIMES).optional(),
        jitter_ms: wholeNumberInBody(0, MOST_MS).default(0),
        count: wholeNumberInBody(1, MOST_COUNT).optional(),
        start: instant.optional(),
        speed: speed.optional(),
        through: oneOf(SIMULATOR_WAYS).default('store'),
        seed: wholeNumberInBody(0, Number.MAX_SAFE_INTEGER).optional(),
        trouble: trouble.default(NO_TROUBLE),
      })
      .superRefine(({ replay: replayed, ...given }, context) => {
        const refuse = (field: keyof typeof given, message: string) =>
          context.addIssue({ code: 'custom', path: [field], message });
        if (replayed === undefined) {
          if (given.keys === undefined)
            refuse('keys', `${KEYS_RULE}, unless "replay" says what is stored once more`);
          else if (given.every_ms === undefined)
            refuse('every_ms', 'must be a whole number of ms, beside keys');
          if (given.times !== undefined) refuse('times', 'must be absent where there is no replay');
          if (given.speed === 'max' && given.count === undefined && given.start === undefined)
            refuse('speed', 'must come with count, or with a start that is over, where it is "max"');
        } else
          for (const field of ['keys', 'every_ms', 'jitter_ms'] as const)
            if (given[field] !== undefined && given[field] !== 0)
              refuse(field, 'must be absent in a replay, whose records have their own');
      }),
    output: simulator,
  }),
  'simulators.building': operation({
    method: 'POST',
    path: `${path}/building`,
    permissions: ['admin'],
    reach: 'account',
    action: 'simulate building',
    message: 'Simulated building made.',
    description:
      'Makes a project with six simulated devices of a small building, one of them with a sensor that drifts, and with their history, which goes on. Deleting the project ends them.',
    input: z.object({
      name: projectFields.name.optional(),
      hours: wholeNumberInBody(0, MOST_HOURS).default(24),
      seed: wholeNumberInBody(0, Number.MAX_SAFE_INTEGER).optional(),
    }),
    output: project,
  }),
  'simulators.delete': operation({
    method: 'DELETE',
    path: `${path}/:simulator_id`,
    permissions: ['admin'],
    action: 'stop simulator',
    message: 'Simulator stopped.',
    description:
      'Stops a simulator and forgets it: behind the answer it stores nothing more. What it stored stays.',
    input: z.object({ simulator_id: id }),
    output: simulator,
  }),
} as const;
