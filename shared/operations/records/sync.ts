import { z } from 'zod';
import { MOST_CORRECTIONS, MOST_FORMER_VERSIONS } from '../../domain/corrections.ts';
import { SOURCES } from '../../domain/sources.ts';
import { operation, uploadOperation } from '../../schema/operation.ts';
import {
  checkOrder,
  count,
  deviceFields,
  instant,
  jsonObject,
  oneOf,
  projectFields,
  reasonRequired,
  text,
  timestamp,
  wholeNumberInBody,
} from '../../schema/schemas.ts';
import { givenCorrection } from '../metadata/corrections.ts';
import { intervalField } from '../metadata/devices.ts';
import { inProject, oneDevice } from '../../schema/paths.ts';
import { rowsOperation } from './sync-rows.ts';

/* docs/local-api.md, "Sync": how another Fieldbench finds out what this one lacks, and hands it over. */

/** Parts of a span that are told apart at once. */
export const MOST_PARTS = 256;
/** Records whose ids are told at once. */
export const MOST_IDS = 65_536;
/** Projects, or devices, that are looked for at once. */
export const MOST_LOOKED_FOR = 1000;
/** Bytes of the body of one merge. */
export const MOST_MERGE_BYTES = 2 * 1024 * 1024;

const uuidRule = 'must be a UUID';
const givenId = z.uuid(uuidRule).transform((given) => given.toLowerCase());
const tokenHashRule = 'must be the SHA-256 of a device token in hex';
const prefixRule = 'must be 0 to 8 characters of 0-9 and a-f';
const listRule = (what: string) => `must be an array of at most ${MOST_LOOKED_FOR} ${what}`;

/** A time of receipt before which something was removed; null where a removal has no such end. */
const removal = z
  .object({ start: timestamp.nullable(), end: timestamp.nullable(), at: timestamp })
  .meta({ id: 'Removal' });

const namesake = z.object({ id: z.string(), name: z.string() });

/** `there`: exists; `new`: unknown here; `deleted`: soft-deleted here; `elsewhere`: this API key may not touch it. */
const LOOKED = ['there', 'new', 'deleted', 'elsewhere'] as const;
const looked = {
  id: z.string(),
  state: z.enum(LOOKED),
  /** When it was deleted; null for any other state. */
  deleted_at: timestamp.nullable(),
  /** Of something new: what has its name, but another id. */
  namesakes: z.array(namesake),
};

const lookedProject = z
  .object({
    ...looked,
    /** Null unless it is there. */
    fields: z
      .object({
        name: z.string(),
        description: z.string(),
        /** Absent of a service that does not know it. */
        reason_required: z.boolean().optional(),
      })
      .nullable(),
  })
  .meta({ id: 'LookedProject' });
export type LookedProject = Readonly<z.output<typeof lookedProject>>;

const lookedDevice = z
  .object({
    ...looked,
    /** Where it is; null unless it is there. */
    project_id: z.string().nullable(),
    /** Null unless it is there. */
    fields: z
      .object({
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        brand: z.string(),
        model: z.string(),
        metadata: z.record(z.string(), z.unknown()),
        interval_s: z.number().nullable(),
      })
      .nullable(),
    records: count,
    /** Known removals from it. */
    removals: z.array(removal),
    /** Digest of its corrections with all of their versions, "" for none; absent of a service that knows none. */
    corrections: z.string().optional(),
  })
  .meta({ id: 'LookedDevice' });
export type LookedDevice = Readonly<z.output<typeof lookedDevice>>;

/** Names the installation, so that it can be told from every other. */
const found = z
  .object({
    installation_id: z.uuid(),
    /** Kinds of rows that it merges; absent of a service that merges none. */
    merges: z.array(z.string()).optional(),
    projects: z.array(lookedProject),
    devices: z.array(lookedDevice),
  })
  .meta({ id: 'Looked' });
export type Looked = Readonly<z.output<typeof found>>;

const digests = z
  .object({
    /** The parts that hold records, oldest first. `digest`: the sum of their records' ids modulo 2^128, in hex. */
    parts: z.array(z.object({ start: timestamp, end: timestamp, records: count, digest: z.string() })),
  })
  .meta({ id: 'RangeDigests' });

const ids = z
  .object({
    /** µs since 1970, and the id of the record at that place; equal records have equal ids. */
    times: z.array(z.int()),
    ids: z.array(z.string()),
  })
  .meta({ id: 'RecordIds' });

const merged = z
  .object({
    stored: count,
    /** Records that were there already. */
    present: count,
    /** Records that were removed here after they had been received, and were left out. */
    removed: count,
  })
  .meta({ id: 'Merged' });
export type Merged = Readonly<z.output<typeof merged>>;

/** A version of a correction, as another service has it; `says` null: it was removed. */
const sentVersion = z.object({
  correction_id: givenId,
  version: wholeNumberInBody(1, Number.MAX_SAFE_INTEGER),
  says: givenCorrection.nullable(),
  /** Of a removal; others say it themselves. */
  reason: text(0, 500).default(''),
  by: text(0, 1000),
  changed: instant,
  /** When the correction was made. */
  first: instant,
});
export type SentVersion = z.input<typeof sentVersion>;
export type TakenVersion = z.output<typeof sentVersion>;

const MOST_VERSIONS = MOST_CORRECTIONS + MOST_FORMER_VERSIONS;
const versionsRule = `must be an array of at most ${MOST_VERSIONS} versions of corrections`;

export const syncOperations = {
  'sync.look': operation({
    method: 'POST',
    path: '/_local/v1/sync/look',
    permissions: ['read'],
    action: 'look for sync',
    message: 'Looked successfully.',
    description:
      'Which of these projects and devices are here, and what is known of each. It changes nothing.',
    input: z.object({
      projects: z
        .array(z.object({ id: givenId, name: z.string('must be text') }))
        .max(MOST_LOOKED_FOR, listRule('projects')),
      devices: z
        .array(
          z.object({ id: givenId, project_id: z.string('must be text'), name: z.string('must be text') }),
        )
        .max(MOST_LOOKED_FOR, listRule('devices')),
    }),
    output: found,
  }),
  'sync.add-project': operation({
    method: 'POST',
    path: '/_local/v1/sync/projects',
    permissions: ['admin'],
    reach: 'account',
    action: 'add project',
    message: 'Project added, or there already.',
    description:
      'Adds a project that another Fieldbench made, under its own id. One that is there stays as it is.',
    input: z.object({
      id: givenId,
      name: projectFields.name,
      description: projectFields.description.default(''),
      reason_required: reasonRequired.default(false),
    }),
    output: z.object({ id: z.string(), added: z.boolean() }),
  }),
  'sync.add-device': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/sync/devices',
    permissions: ['write'],
    action: 'add device',
    message: 'Device added, or there already.',
    description:
      'Adds a device that another Fieldbench made, under its own id and with the hash of its token, so that it can store here with the token that it has. One that is there stays as it is.',
    input: inProject.extend({
      id: givenId,
      name: deviceFields.name,
      source: oneOf(SOURCES),
      description: deviceFields.description.default(''),
      tags: deviceFields.tags.default([]),
      brand: deviceFields.brand.default(''),
      model: deviceFields.model.default(''),
      metadata: jsonObject.default({}),
      interval_s: intervalField.nullable().default(null),
      token_hash: z.string(tokenHashRule).regex(/^[0-9a-f]{64}$/, tokenHashRule),
    }),
    output: z.object({ id: z.string(), added: z.boolean() }),
  }),
  'sync.digest': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/digest',
    permissions: ['read'],
    action: 'get digests',
    message: 'Digests retrieved successfully.',
    description:
      'How many records lie in each of equal parts of a span, and a digest of what they hold: where two services agree on both, they have the same records there.',
    input: oneDevice
      .extend({ start: instant, end: instant, parts: wholeNumberInBody(1, MOST_PARTS).default(1) })
      .superRefine(checkOrder),
    output: digests,
  }),
  'sync.ids': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/ids',
    permissions: ['read'],
    action: 'get ids',
    message: 'Ids retrieved successfully.',
    description: `The times and ids of the records of a span, at most ${MOST_IDS}: an id is a hash of the time, the keys and the values.`,
    input: oneDevice
      .extend({
        start: instant,
        end: instant,
        /** Only the ids that begin so: of very many records at one instant some at a time can be asked for. */
        prefix: z
          .string(prefixRule)
          .regex(/^[0-9a-f]{0,8}$/, prefixRule)
          .default(''),
      })
      .superRefine(checkOrder),
    output: ids,
  }),
  'sync.merge': uploadOperation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/merge',
    permissions: ['read', 'write'],
    action: 'merge records',
    message: 'Records merged successfully.',
    description: `Stores those of the sent records that are not here yet, all of them or none; the same again stores nothing. A line of JSON each: {"timestamp", "received", "values"}, and "occurrence" where equal ones come before it at its time. At most ${MOST_MERGE_BYTES} bytes.`,
    input: oneDevice.extend({
      /** Records that were removed here after they had been received: they are left out, or stored again. */
      removed: oneOf(['leave-out', 'store']).default('leave-out'),
    }),
    output: merged,
  }),
  'sync.corrections': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/sync/corrections',
    permissions: ['admin'],
    action: 'merge corrections',
    message: 'Corrections merged successfully.',
    description:
      'Adds those of the versions of corrections that are not here yet, all of them or none. Of one that was changed on both sides what is here stays. What takes one away needs the permission "delete", too. With `dry_run` nothing is changed.',
    input: oneDevice.extend({
      versions: z.array(sentVersion, versionsRule).max(MOST_VERSIONS, versionsRule),
      dry_run: z.boolean('must be true or false').default(false),
    }),
    output: z
      .object({
        added: count,
        present: count,
        /** Corrections that both sides changed, or that are another device's here. */
        conflicting: count,
      })
      .meta({ id: 'MergedCorrections' }),
  }),
  'sync.rows': rowsOperation,
  'sync.rehearse': uploadOperation({
    method: 'POST',
    path: '/_local/v1/sync/rehearse',
    permissions: ['write'],
    action: 'rehearse merge',
    message: 'Rehearsed successfully.',
    description:
      'Reads records as a merge does and stores nothing: for whoever wants to know how long a merge will take.',
    input: z.object({}),
    output: z.object({ records: count }),
  }),
} as const;
