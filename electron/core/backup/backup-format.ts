import { z } from 'zod';
import { count } from '#shared/schema/schemas.ts';
import type { DeviceState } from '../store/backup-records.ts';
import { leftOutBy } from '../store/metadata/world-contents.ts';

/*
 * A backup: a tar file (POSIX.1-1988 ustar) of plain members (docs/backup.md, "What is in the file"). The manifest is the
 * first one and names all others, with their lengths and digests, in their order.
 */

/** Goes up where the manifest or a member changes its meaning. Version 1 had no blocks with columns of hexadecimal texts. */
export const BACKUP_VERSION = 2;
const FORMAT = 'fieldbench-backup';

export const MANIFEST = 'manifest.json';
/** A line of JSON for each row: `{"table", "row"}`. */
export const ROWS = 'metadata.ndjson';
/** Behind the rows, where it was asked for (sealed-secrets.ts). A reader that does not know it leaves it out. */
export const SECRETS = 'secrets.enc';
export const stateOf = (device: string) => `devices/${device}/state.json`;
export const blocksOf = (device: string) => `devices/${device}/records.blocks`;

/** Behind the secrets: lines of an audit trail, named by the SHA-256 of the last one. A reader that does not know it leaves it out. */
export const trailOf = (sha256: string) => `audit/${sha256}.ndjson`;

/** Returns what a backup leaves out, as it says itself. `isPart`: it is of a project or a device. */
export const leftOut = (withSecrets: boolean, isPart: boolean): string[] => [
  ...leftOutBy('backup').flatMap(({ name, what, why }) =>
    withSecrets && name === 'secrets' ? [] : [`${what}: ${why}`],
  ),
  ...(isPart
    ? ['accounts, API keys, saved views and the audit trail: of all, and this backup is of a part']
    : []),
];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

/** Audit trail of a backup: numbers of its first and last entry, and the SHA-256 of the last. */
const trail = z.object({ first: z.int().min(1), last: z.int().min(1), sha256 });

export const member = z.object({ name: z.string().min(1), bytes: count, sha256 });
export type Member = Readonly<z.output<typeof member>>;

export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1).max(BACKUP_VERSION),
  /** RFC 3339, in UTC. */
  made_at: z.string(),
  /** The version of Fieldbench. */
  made_by: z.string(),
  /** Of which the rows are (store/metadata/metadata-schema.ts). */
  metadata_version: z.int().min(1),
  installation_id: z.string(),
  default_account_id: z.string(),
  /** Null for all. */
  project_id: z.string().nullable(),
  device_id: z.string().nullable(),
  projects: count,
  devices: count,
  records: count,
  /** Whether API keys or tokens of it were made with a seed. */
  guessable: z.boolean().default(false),
  /** Those in `SECRETS`; absent where there is none. */
  secrets: count.optional(),
  /** Trail of the installation, then former ones that it has; absent where there is none. */
  trails: z.array(trail).optional(),
  left_out: z.array(z.string()),
  members: z.array(member),
});
export type BackupManifest = Readonly<z.output<typeof manifest>>;

/** The first fields of any version. */
export const anyManifest = z.object({ format: z.literal(FORMAT), version: z.int().min(1) });

/** State of a device beside its records (store/backup-records.ts), in µs. */
export const deviceState = z
  .object({
    last_seen: z.int().nullable(),
    purged_at: z.int().nullable(),
    receipts: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(4096),
  })
  .transform(({ last_seen, purged_at, receipts }): DeviceState => {
    return { lastSeen: last_seen, purgedAt: purged_at, receipts: Buffer.from(receipts.join(''), 'hex') };
  });

export function writtenState({ lastSeen, purgedAt, receipts }: DeviceState): string {
  const digests = receipts.toString('hex').match(/.{32}/g) ?? [];
  return JSON.stringify({ last_seen: lastSeen, purged_at: purgedAt, receipts: digests });
}

export const aboutFormat = { format: FORMAT, version: BACKUP_VERSION } as const;
