import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { count, id, timestamp, uuid } from '../../schema/schemas.ts';

/* docs/local-api.md, "Storage": what takes room on the disk, and what was mended. */

/** Kinds of recovery notes (store.ts). */
export const REPAIRS = ['torn-tail', 'damaged', 'finished-purge', 'stale-file', 'stuck', 'upgraded'] as const;

const held = z.object({ devices: count, records: count, bytes: count });

/** Damaged file. */
export const storedFinding = z.object({
  /** Null where it is of all devices. */
  device_id: z.string().nullable(),
  /** Relative to the folder of the records. */
  file: z.string(),
  message: z.string(),
  /** Whether records are lost by it. */
  loses: z.boolean(),
});

const storageCheck = z
  .object({
    checked_at: timestamp,
    took_ms: count,
    devices: count,
    files: count,
    records: count,
    bytes: count,
    /** How many findings there are; `findings` has the first of them. */
    damaged: count,
    findings: z.array(
      storedFinding.extend({
        /** Of a device of the account; null for any other, and for one that is deleted. */
        device: z.object({ project_id: uuid, project_name: z.string(), name: z.string() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'StorageCheck' });
export type StorageCheck = Readonly<z.output<typeof storageCheck>>;

const storage = z
  .object({
    disk: z.object({
      /** Bytes that this user may still write; of a service in memory, those that its files may still take. */
      free: count,
      total: count,
      /** Whether it is time to make room. */
      is_low: z.boolean(),
    }),
    /** Projects of the account, most bytes first. */
    projects: z.array(held.extend({ project_id: uuid, name: z.string() })),
    /** Of all further accounts. */
    elsewhere: held,
    /** Soft deletes of all accounts. */
    kept: z.object({
      deletes: count,
      records: count,
      bytes: count,
      /** When the first of it goes for good; null where there is none. */
      until: timestamp.nullable(),
    }),
    /** Repairs of the records, at the start and since. */
    repaired: z.array(
      z.object({ kind: z.enum(REPAIRS), device_id: z.string().nullable(), message: z.string() }),
    ),
    /** Whether all of it can be had as one file: not where it lies in a database. */
    can_back_up: z.boolean(),
    /** Last completed check; null for none. */
    check: storageCheck.nullable(),
  })
  .meta({ id: 'Storage' });
export type Storage = Readonly<z.output<typeof storage>>;

const deviceStorage = z
  .object({ device_id: uuid, name: z.string(), records: count, bytes: count })
  .meta({ id: 'DeviceStorage' });
export type DeviceStorage = Readonly<z.output<typeof deviceStorage>>;

/** Devices of a project that are listed at most. */
export const MOST_DEVICES = 1000;

export const storageOperations = {
  'storage.get': operation({
    method: 'GET',
    path: '/_local/v1/storage',
    permissions: ['admin'],
    reach: 'installation',
    action: 'get storage',
    message: 'Storage retrieved successfully.',
    description: 'What takes room on the disk, by project, how much is free, and what was mended.',
    input: z.object({}),
    output: storage,
  }),
  'storage.check': operation({
    method: 'POST',
    path: '/_local/v1/storage/check',
    permissions: ['admin'],
    reach: 'installation',
    action: 'check storage',
    message: 'Storage checked.',
    description:
      'Reads every byte of the stored records while they go on being used, and says what is damaged. It changes nothing.',
    input: z.object({}),
    output: storageCheck,
  }),
  'storage.devices': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/storage',
    permissions: ['admin'],
    action: 'get storage',
    message: 'Storage retrieved successfully.',
    description: `The devices of a project that take most room, most bytes first, at most ${MOST_DEVICES}.`,
    input: z.object({ project_id: id }),
    output: z.array(deviceStorage),
  }),
} as const;
