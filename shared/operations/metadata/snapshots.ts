import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { count, id, text, timestamp } from '../../schema/schemas.ts';

/* docs/rigs.md, "Snapshots": a world as it was. */

const NAME_RULE = 'must have no "/", and not be "." or ".."';
/** It is part of an address. */
const name = text(1, 100).refine(
  (value) => !value.includes('/') && value !== '.' && value !== '..',
  NAME_RULE,
);

const snapshot = z
  .object({ name: z.string(), created_at: timestamp, projects: count, devices: count, records: count })
  .meta({ id: 'Snapshot' });

const account_id = id.optional();

export const snapshotOperations = {
  'snapshots.list': operation({
    method: 'GET',
    path: '/_local/v1/snapshots',
    permissions: ['admin'],
    reach: 'account',
    action: 'get snapshots',
    message: 'Snapshots retrieved successfully.',
    description:
      'The snapshots of an account, the oldest first: of that of the key that asks, or for administrators of any.',
    input: z.object({ account_id }),
    output: z.array(snapshot),
  }),
  'snapshots.create': operation({
    method: 'POST',
    path: '/_local/v1/snapshots',
    permissions: ['admin'],
    reach: 'account',
    action: 'take snapshot',
    message: 'Snapshot taken.',
    description:
      'Keeps an account as it is: projects, devices, records, keys, settings, notes and what can be undone. Of each device it has what was acknowledged by that moment. Nothing is copied.',
    input: z.object({ name, account_id }),
    output: snapshot,
  }),
  'snapshots.remove': operation({
    method: 'DELETE',
    path: '/_local/v1/snapshots/:snapshot',
    permissions: ['admin'],
    reach: 'account',
    action: 'delete snapshot',
    message: 'Snapshot deleted successfully.',
    description: 'Removes a snapshot for good. What was restored from it stays.',
    input: z.object({ snapshot: z.string(), account_id }),
    output: snapshot,
  }),
  'snapshots.restore': operation({
    method: 'POST',
    path: '/_local/v1/snapshots/:snapshot/restore',
    permissions: ['admin'],
    reach: 'account',
    action: 'restore snapshot',
    message: 'Snapshot restored.',
    description:
      'Puts an account back as the snapshot has it: all of it, or nothing. What came in since is gone for good; the API key that asks stays.',
    input: z.object({ snapshot: z.string(), account_id }),
    output: snapshot,
  }),
} as const;
