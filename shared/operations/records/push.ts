import { z } from 'zod';
import { windowOperation } from '../../schema/operation.ts';
import { count, id, oneOf, text, timestamp } from '../../schema/schemas.ts';
import { ROW_KINDS } from './sync-rows.ts';

/*
 * docs/push.md: what this service has goes to another one, the lab. Only the owner's windows and command line may ask for it:
 * it makes this machine connect to whatever address it is given.
 */

const toRule = 'must be the address of a Fieldbench, such as https://lab.example:7443';
const keyRule = 'must be an API key of the lab';

/** How the lab is reached and trusted: by `service` alone, or by `to` and `key`. */
const lab = {
  /** The id of one of "Other services", or its name: its address, certificate and key are used, which stays in the vault. */
  service: text(1, 100).optional(),
  to: z.string(toRule).min(1, toRule).max(500, toRule).optional(),
  /** An API key of the lab; it is kept nowhere. */
  key: z.string(keyRule).min(1, keyRule).max(500, keyRule).optional(),
  /** The certificate that signed the lab's own, PEM; absent: one that this system trusts. */
  ca: z.string('must be a certificate as PEM').max(65_536, 'must be a certificate as PEM').optional(),
  /** The SHA-256 fingerprint of a certificate in the lab's chain, in place of `ca`. */
  fingerprint: z
    .string('must be 64 characters of 0-9 and A-F, with ":" or without')
    .regex(
      /^([0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/,
      'must be 64 characters of 0-9 and A-F, with ":" or without',
    )
    .optional(),
};

const choices = {
  /** Records that were removed in the lab after they had been received here. */
  removed: oneOf(['leave-out', 'send']).default('leave-out'),
  /** The side whose field stays where both changed it. */
  conflicts: oneOf(['lab', 'here']).default('lab'),
  /** Projects and devices of the lab, by the ids of those here that go into them. */
  into: z.record(z.string(), z.string()).default({}),
};

/** A field that is not the same on both sides, as JSON. */
const fieldChange = z.object({
  field: z.string(),
  here: z.string(),
  there: z.string(),
  /** The side that changed it since the baseline; `both` also where there is none. */
  changed: z.enum(['here', 'there', 'both']),
  /** The side whose field stays in the lab. */
  stays: z.enum(['here', 'there']),
});
export type FieldChange = Readonly<z.output<typeof fieldChange>>;

/** Rows of a kind. */
const plannedRows = z.object({
  kind: z.enum(ROW_KINDS),
  send: count,
  /** Rows that stay as the lab has them: it changed them, or both sides did, or they never had the same. */
  conflicting: count,
  /** Rows that were removed in the lab, and stay out. */
  removed: count,
  refused: count,
  /** Why the lab refuses the first of these; null where it refuses none. */
  reason: z.string().nullable(),
});
export type PlannedRows = Readonly<z.output<typeof plannedRows>>;

const PLANNED = ['new', 'same', 'different', 'refused'] as const;

const planned = {
  id: z.string(),
  name: z.string(),
  /** Its id in the lab. */
  into: z.string(),
  state: z.enum(PLANNED),
  /** Why it is refused, or else its corrections are; null where nothing is. */
  problem: z.string().nullable(),
  fields: z.array(fieldChange),
  /** Marks of the fields that both have alike. */
  same: z.record(z.string(), z.string()),
  /** Namesakes in the lab, with other ids. */
  namesakes: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Its rows, by kind; a kind of which the lab has all alike is left out. */
  rows: z.array(plannedRows).default([]),
};

const plannedProject = z.object(planned);
export type PlannedProject = Readonly<z.output<typeof plannedProject>>;

const removal = z.object({ start: timestamp.nullable(), end: timestamp.nullable(), at: timestamp });

const plannedDevice = z.object({
  ...planned,
  project_id: z.string(),
  /** The project in the lab that has it, or will have it. */
  into_project: z.string(),
  /** Records that count here, and the digest of all of them. */
  records: count,
  digest: z.string(),
  /** The first and the last of them; null without any. */
  start: timestamp.nullable(),
  end: timestamp.nullable(),
  /** Records to send, and how many bytes they are, about. */
  send: count,
  bytes: count,
  /** Records that the lab has already. */
  present: count,
  /** Records that were removed in the lab, and what it was that was removed. */
  removed: count,
  removals: z.array(removal),
  /** Records to send at a time at which the lab has others; both stay. The first of those times. */
  conflicting: count,
  first_conflict: timestamp.nullable(),
  /** Records whose time cannot be right; they go as they are. */
  odd: count,
  /** Versions of corrections that the lab lacks, and corrections that stay as the lab has them: both sides changed them, or
   *  they are another device's there. */
  corrections: count.default(0),
  corrections_conflicting: count.default(0),
});
export type PlannedDevice = Readonly<z.output<typeof plannedDevice>>;

export const pushPlan = z.object({
  version: z.literal(1, 'must be 1; a plan of another version of Fieldbench has to be made again'),
  to: z.string(),
  /** The installation that was asked. */
  lab: z.string(),
  /** Latest time of receipt in the plan. */
  at: timestamp,
  removed: z.enum(['leave-out', 'send']),
  projects: z.array(plannedProject),
  devices: z.array(plannedDevice),
  send: count,
  bytes: count,
  /** Kinds of rows that are here and that the lab does not take, being an earlier Fieldbench. */
  not_taken: z.array(z.enum(ROW_KINDS)).default([]),
  /** At the speed of a sample; null where nothing is to be sent. */
  seconds: z.number().nullable(),
});
export type PushPlan = Readonly<z.output<typeof pushPlan>>;

/** How many rows of a kind the lab added or changed. */
const pushedRows = z.object({ kind: z.enum(ROW_KINDS), sent: count });
export type PushedRows = Readonly<z.output<typeof pushedRows>>;

const pushedProject = z.object({
  id: z.string(),
  name: z.string(),
  rows: z.array(pushedRows).default([]),
  problem: z.string().nullable(),
});

const pushedDevice = z.object({
  id: z.string(),
  name: z.string(),
  sent: count,
  present: count,
  removed: count,
  /** Versions of corrections that the lab added. */
  corrections: count.default(0),
  rows: z.array(pushedRows).default([]),
  /** Why it was not sent, or not all of it; null where it was. */
  problem: z.string().nullable(),
});
export type PushedDevice = Readonly<z.output<typeof pushedDevice>>;

const pushed = z.object({
  projects: z.array(pushedProject),
  devices: z.array(pushedDevice),
  /** Records that the lab stored, and all bytes of requests. */
  sent: count,
  bytes: count,
  seconds: z.number(),
});
export type Pushed = Readonly<z.output<typeof pushed>>;

export const pushOperations = {
  'push.plan': windowOperation({
    method: 'POST',
    path: 'push/plan',
    permissions: ['admin'],
    reach: 'installation',
    action: 'plan push',
    message: 'Push planned successfully.',
    description: 'What a push would send to a lab. It changes nothing, here or there.',
    input: z.object({ ...lab, ...choices, project_ids: z.array(id).max(10_000).optional() }),
    output: pushPlan,
  }),
  'push.run': windowOperation({
    method: 'POST',
    path: 'push/run',
    permissions: ['admin'],
    reach: 'installation',
    action: 'push',
    message: 'Pushed.',
    description:
      'Sends what a plan says, and nothing else. Cut off, it is planned again and finds less to do.',
    input: z.object({ ...lab, plan: pushPlan }),
    output: pushed,
  }),
} as const;
