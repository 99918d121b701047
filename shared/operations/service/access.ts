import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { PERMISSIONS, uuid } from '../../schema/schemas.ts';

const access = z
  .object({
    /** Of the service. */
    version: z.string(),
    account_id: uuid,
    permissions: z.array(z.enum(PERMISSIONS)),
    /** The only projects that the key may touch; null: every one of the account. */
    project_ids: z.array(z.string()).nullable(),
    /** Ids of the operations that it may run on what is its own, those of windows alone among them. */
    operations: z.array(z.string()),
  })
  .meta({ id: 'Access' });

export const accessOperations = {
  'access.get': operation({
    method: 'GET',
    path: '/_local/v1/access',
    permissions: [],
    action: 'get access',
    message: 'Access retrieved successfully.',
    description:
      'What the API key that asks may do: its permissions, its projects and the operations it may run. Any key may ask.',
    input: z.object({}),
    output: access,
  }),
} as const;
