import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { count, id, oneOf, text, timestamp, uuid } from '../../schema/schemas.ts';

const account = z.object({ id: uuid, name: z.string(), created_at: timestamp }).meta({ id: 'Account' });

/** What a world held: an account and all that belongs to it. */
const held = z.object({ projects: count, devices: count, records: count }).meta({ id: 'Held' });
export type Held = Readonly<z.output<typeof held>>;

export const accountOperations = {
  'accounts.list': operation({
    method: 'GET',
    path: '/_local/v1/accounts',
    permissions: ['admin'],
    reach: 'installation',
    action: 'get accounts',
    message: 'Accounts retrieved successfully.',
    description: 'The accounts of this installation.',
    input: z.object({}),
    output: z.array(account),
  }),
  'accounts.create': operation({
    method: 'POST',
    path: '/_local/v1/accounts',
    permissions: ['admin'],
    reach: 'installation',
    action: 'create account',
    message: 'Account created successfully.',
    description:
      'Adds an account and its first key, which has all permissions in it. With `from`, the name of a snapshot of the account of the key that asks, it begins as that is, with ids and tokens of its own.',
    input: z.object({ name: text(1, 100), from: z.string('must be the name of a snapshot').optional() }),
    output: z.object({ id: uuid, name: z.string(), api_key: z.string() }).meta({ id: 'CreatedAccount' }),
  }),
  'accounts.remove': operation({
    method: 'DELETE',
    path: '/_local/v1/accounts/:account_id',
    permissions: ['admin'],
    reach: 'installation',
    action: 'delete account',
    message: 'Account deleted successfully.',
    description:
      'Removes an account for good, with its projects, devices, records, keys, views and what was deleted in it. The default account stays.',
    input: z.object({ account_id: id }),
    output: z.object({ id: uuid, deleted: held }),
  }),
  'accounts.reset': operation({
    method: 'POST',
    path: '/_local/v1/reset',
    permissions: ['admin'],
    reach: 'account',
    action: 'reset',
    message: 'Reset.',
    description:
      'Removes for good what an account holds, all but its API keys, and with seed makes anew what the seed file has of it. The account of the key that asks, or for administrators any.',
    input: z.object({ to: oneOf(['empty', 'seed']), account_id: id.optional() }),
    output: held,
  }),
} as const;
