import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { expect } from 'vitest';
import { SCHEMA_VERSION } from '#core/store/metadata/metadata-schema.ts';
import type { Restored } from '#shared/operations/service/backup.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';

/* Backups of a service, over HTTP, and files that no service has written. */

/** Backs up; `query` begins with "?" or is empty. */
export async function backupOf({ service }: RunningService, query = ''): Promise<Buffer> {
  const response = await fetch(`${service.http_url}/_local/v1/backup${query}`, {
    headers: { authorization: `Bearer ${service.api_key}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-tar');
  return Buffer.from(await response.arrayBuffer());
}

export const answerTo = (to: RunningService, file: Buffer, query = '') =>
  to.request('POST', `/_local/v1/restore${query}`, {
    raw: { type: 'application/x-tar', bytes: Buffer.from(file) },
  });

export async function restored(to: RunningService, file: Buffer, query = ''): Promise<Restored> {
  const { envelope, text } = await answerTo(to, file, query);
  expect(envelope.success, text).toBe(true);
  return envelope.data as unknown as Restored;
}

/** Resolves with the message of the refusal. */
export async function refused(to: RunningService, file: Buffer, query = ''): Promise<string> {
  const { status, envelope } = await answerTo(to, file, query);
  expect(status, [envelope.message, ...to.logged].join('\n')).toBe(400);
  return envelope.message;
}

export type Line = { readonly table: string; readonly row: Readonly<Record<string, unknown>> };

/** A backup of such rows and members whose digests are right. */
export async function crafted(
  rows: readonly Line[],
  members: Readonly<Record<string, Buffer>> = {},
): Promise<Buffer> {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const all = Object.entries({ 'metadata.ndjson': Buffer.from(lines), ...members });
  const manifest = {
    format: 'fieldbench-backup',
    version: 1,
    made_at: '2026-03-03T00:00:00Z',
    made_by: '0',
    metadata_version: SCHEMA_VERSION,
    installation_id: 'elsewhere',
    default_account_id: 'theirs',
    project_id: null,
    device_id: null,
    projects: 0,
    devices: 0,
    records: 0,
    left_out: [],
    members: all.map(([name, bytes]) => {
      return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  };
  const file = pack();
  for (const [name, bytes] of [['manifest.json', Buffer.from(JSON.stringify(manifest))], ...all] as const)
    file.entry({ name }, bytes);
  file.finalize();
  return buffer(file);
}

/** An id of the form that services give. */
export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const projectRow = (n: number, more: object = {}): Line => ({
  table: 'projects',
  row: {
    id: idOf(n),
    account_id: 'theirs',
    name: `P ${n}`,
    description: '',
    created: 1,
    sequence: n,
    ...more,
  },
});

export const deviceRow = (n: number, project: number, more: object = {}): Line => ({
  table: 'devices',
  row: {
    id: idOf(n),
    project_id: idOf(project),
    name: `D ${n}`,
    description: '',
    source: 'http',
    tags: [],
    brand: '',
    model: '',
    avatar: null,
    metadata: {},
    interval_s: null,
    token_hash: createHash('sha256').update(idOf(n)).digest('hex'),
    created: 1,
    sequence: n,
    ...more,
  },
});

export const NO_STATE = Buffer.from(JSON.stringify({ last_seen: null, purged_at: null, receipts: [] }));
