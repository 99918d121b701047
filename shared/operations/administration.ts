import { z } from 'zod';
import { bareOperation, operation } from '../operation.ts';
import {
  apiKey,
  count,
  farInstant,
  id,
  PERMISSIONS,
  project,
  projectFields,
  text,
  timestamp,
  uuid,
} from '../schemas.ts';

/** Contract "Beyond the document": what the service itself, its accounts and their keys answer to. */

const account = z.object({ id: uuid, name: z.string(), created_at: timestamp }).meta({ id: 'Account' });
const permissionsRule = `must be an array of at least one of ${PERMISSIONS.map((name) => `"${name}"`).join(', ')}`;

export const serviceStatus = z.object({
  version: z.string(),
  pid: count,
  started_at: timestamp,
  data_directory: z.string(),
  vault: z.enum(['keychain', 'file', 'memory']),
  /** Where each door listens; null where it is shut. */
  base_url: z.string(),
  http_url: z.string().nullable(),
  ca_file: z.string().nullable(),
  strict: z.boolean(),
  account_id: uuid,
  counts: z.object({ accounts: count, projects: count, devices: count }),
  /** Bytes free on the disk of the data directory. */
  disk_free: count,
  /** What was mended at the last start, for people to read. */
  notes: z.array(z.string()),
});
serviceStatus.register(z.globalRegistry, { id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof serviceStatus>;

export const administrationOperations = {
  'status.get': operation({
    method: 'GET',
    path: '/_local/v1/status',
    permission: 'admin',
    action: 'get status',
    message: 'Status retrieved successfully.',
    input: z.object({}),
    output: serviceStatus,
  }),
  'openapi.get': bareOperation({
    method: 'GET',
    path: '/_local/v1/openapi.json',
    permission: 'admin',
    action: 'get openapi',
    message: 'OpenAPI document retrieved successfully.',
    input: z.object({}),
    output: z.record(z.string(), z.unknown()),
  }),
  'accounts.list': operation({
    method: 'GET',
    path: '/_local/v1/accounts',
    permission: 'admin',
    wholeAccount: true,
    action: 'get accounts',
    message: 'Accounts retrieved successfully.',
    input: z.object({}),
    output: z.array(account),
  }),
  'accounts.create': operation({
    method: 'POST',
    path: '/_local/v1/accounts',
    permission: 'admin',
    wholeAccount: true,
    action: 'create account',
    message: 'Account created successfully.',
    input: z.object({ name: text(1, 100) }),
    output: z.object({ id: uuid, name: z.string(), api_key: z.string() }).meta({ id: 'CreatedAccount' }),
  }),
  'keys.list': operation({
    method: 'GET',
    path: '/_local/v1/keys',
    permission: 'admin',
    wholeAccount: true,
    action: 'get keys',
    message: 'API keys retrieved successfully.',
    input: z.object({ account_id: id.optional() }),
    output: z.array(apiKey),
  }),
  'keys.create': operation({
    method: 'POST',
    path: '/_local/v1/keys',
    permission: 'admin',
    wholeAccount: true,
    action: 'create key',
    message: 'API key created successfully.',
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
    permission: 'admin',
    wholeAccount: true,
    action: 'revoke key',
    message: 'API key revoked successfully.',
    input: z.object({ key_id: id }),
    output: z.object({ id: uuid }),
  }),
  'projects.create': operation({
    method: 'POST',
    path: '/_local/v1/projects',
    permission: 'admin',
    wholeAccount: true,
    action: 'create project',
    message: 'Project created successfully.',
    input: z.object({
      name: projectFields.name,
      description: projectFields.description.default(''),
      account_id: id.optional(),
    }),
    output: project,
  }),
  'projects.update': operation({
    method: 'PATCH',
    path: '/_local/v1/projects/:project_id',
    permission: 'admin',
    action: 'update project',
    message: 'Project updated successfully.',
    input: z.object({
      project_id: id,
      name: projectFields.name.optional(),
      description: projectFields.description.optional(),
    }),
    output: project,
  }),
} as const;
