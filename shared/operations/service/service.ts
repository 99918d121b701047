import { z } from 'zod';
import { bareOperation, operation } from '../../schema/operation.ts';
import { count, timestamp, uuid } from '../../schema/schemas.ts';

/** Where a data folder's keys and tokens are kept: the system's keychain, encrypted files, or memory alone. */
export const FOLDER_VAULT_KINDS = ['keychain', 'file', 'memory'] as const;
export type FolderVaultKind = (typeof FOLDER_VAULT_KINDS)[number];

/** Kinds of vaults, with a lab's database. */
export const VAULT_KINDS = [...FOLDER_VAULT_KINDS, 'database'] as const;
export type VaultKind = (typeof VAULT_KINDS)[number];

/** Values of `--vault`. */
export const VAULT_SETTINGS = ['auto', ...FOLDER_VAULT_KINDS] as const;
export type VaultSetting = (typeof VAULT_SETTINGS)[number];

const serviceStatus = z.object({
  version: z.string(),
  pid: count,
  started_at: timestamp,
  /** Null, as `ca_file` and `vault_reason`, for keys of further accounts: they learn no path and no words of the machine. */
  data_directory: z.string().nullable(),
  /** Whether nothing is on disk, and all ends with the service: `data_directory` and `ca_file` are null then, too. */
  in_memory: z.boolean(),
  vault: z.enum(VAULT_KINDS),
  /** Why it is this one. */
  vault_reason: z.string().nullable(),
  /** Other readers of the secrets, or what ends them, for people to read; null for none. */
  vault_warning: z.string().nullable(),
  /** Where each door listens; null where it is shut. */
  base_url: z.string(),
  http_url: z.string().nullable(),
  mqtt_url: z.string().nullable(),
  mqtts_url: z.string().nullable(),
  mqtt_websocket_urls: z.array(z.string()),
  /** Why the plain MQTT door is shut; null while it is open. */
  mqtt_shut: z.string().nullable(),
  /** How other machines reach what listens for the network; empty where nothing does. */
  network_hosts: z.array(z.string()),
  /** Clients signed in over MQTT now, and their messages that were refused since the start; null for keys of further accounts. */
  mqtt_connections: count.nullable(),
  mqtt_refused: count.nullable(),
  ca_file: z.string().nullable(),
  /** The certificate of that authority, PEM, which is no secret: what devices are told to trust. */
  ca_certificate: z.string().nullable(),
  strict: z.boolean(),
  account_id: uuid,
  /** Of the installation; for keys of further accounts, of their own account. */
  counts: z.object({ accounts: count, projects: count, devices: count }),
  /** Bytes free on the disk of the data directory, or in the memory in its place. */
  disk_free: count,
  /** Repairs of the last start, for people to read; empty for keys of further accounts. */
  notes: z.array(z.string()),
});
serviceStatus.register(z.globalRegistry, { id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof serviceStatus>;

export const serviceOperations = {
  'status.get': operation({
    method: 'GET',
    path: '/_local/v1/status',
    permissions: ['admin'],
    reach: 'account',
    action: 'get status',
    message: 'Status retrieved successfully.',
    description:
      'How the service runs and where it listens. Keys of further accounts get the counts of their own account, and no path or note.',
    input: z.object({}),
    output: serviceStatus,
  }),
  'openapi.get': bareOperation({
    method: 'GET',
    path: '/_local/v1/openapi.json',
    permissions: ['admin'],
    action: 'get openapi',
    message: 'OpenAPI document retrieved successfully.',
    description: 'This document, bare: without the envelope, so that generators can read it by its address.',
    input: z.object({}),
    output: z.record(z.string(), z.unknown()),
  }),
} as const;
