import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { apiKey, farInstant, id, PERMISSIONS, text, uuid } from '../../schema/schemas.ts';

const permissionsRule = `must be an array of at least one of ${PERMISSIONS.map((name) => `"${name}"`).join(', ')}`;

export const keyOperations = {
  'keys.list': operation({
    method: 'GET',
    path: '/_local/v1/keys',
    permissions: ['admin'],
    reach: 'account',
    action: 'get keys',
    message: 'API keys retrieved successfully.',
    description: 'The API keys of an account, without their secrets.',
    input: z.object({ account_id: id.optional() }),
    output: z.array(apiKey),
  }),
  'keys.create': operation({
    method: 'POST',
    path: '/_local/v1/keys',
    permissions: ['admin'],
    reach: 'account',
    action: 'create key',
    message: 'API key created successfully.',
    description: 'Makes an API key. Its text is in this answer and nowhere else.',
    input: z.object({
      name: text(1, 100),
      permissions: z.array(z.enum(PERMISSIONS, permissionsRule), permissionsRule).min(1, permissionsRule),
      project_ids: z.array(z.string('must be a project id'), 'must be an array of project ids').nullish(),
      expires_at: farInstant.nullish(),
      account_id: id.optional(),
    }),
    output: z.object({ id: uuid, api_key: z.string() }).meta({ id: 'CreatedKey' }),
  }),
  'keys.revoke': operation({
    method: 'DELETE',
    path: '/_local/v1/keys/:key_id',
    permissions: ['admin'],
    reach: 'account',
    action: 'revoke key',
    message: 'API key revoked successfully.',
    description: 'Revokes an API key: from then on it is unknown.',
    input: z.object({ key_id: id }),
    output: z.object({ id: uuid }),
  }),
} as const;
