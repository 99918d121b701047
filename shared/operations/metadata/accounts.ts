import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { text, timestamp, uuid } from '../../schema/schemas.ts';

const account = z.object({ id: uuid, name: z.string(), created_at: timestamp }).meta({ id: 'Account' });

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
    description: 'Adds an account and its first key, which has all permissions in it.',
    input: z.object({ name: text(1, 100) }),
    output: z.object({ id: uuid, name: z.string(), api_key: z.string() }).meta({ id: 'CreatedAccount' }),
  }),
} as const;
