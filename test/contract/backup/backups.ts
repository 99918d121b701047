import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { expect } from 'vitest';
import { openSecrets } from '#core/backup/sealed-secrets.ts';
import { readTar } from '#core/backup/tar.ts';
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

/** Backs up with secrets; `of`: the project or device. */
export async function backupWithSecrets(
  { service }: RunningService,
  passphrase: string,
  of: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const response = await fetch(`${service.http_url}/_local/v1/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase, ...of }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-tar');
  return Buffer.from(await response.arrayBuffer());
}

/** The members of a backup, by their names in their order. */
export async function membersOf(file: Buffer): Promise<Map<string, Buffer>> {
  const members = new Map<string, Buffer>();
  for await (const { name, content } of readTar(Readable.from([file])))
    members.set(name, await buffer(content));
  return members;
}

/** The secrets in a backup, by the ids of their rows. */
export async function secretsIn(file: Buffer, passphrase: string): Promise<ReadonlyMap<string, string>> {
  const text = (await membersOf(file)).get('secrets.enc')?.toString() ?? '';
  return new Map((await openSecrets(text, passphrase)).map(({ id, secret }) => [id, secret]));
}

export const answerTo = (to: RunningService, file: Buffer, query = '', passphrase?: string) =>
  to.request('POST', `/_local/v1/restore${query}`, {
    raw: { type: 'application/x-tar', bytes: Buffer.from(file) },
    headers: passphrase === undefined ? {} : { 'Fieldbench-Passphrase': encodeURIComponent(passphrase) },
  });

export async function restored(
  to: RunningService,
  file: Buffer,
  query = '',
  passphrase?: string,
): Promise<Restored> {
  const { envelope, text } = await answerTo(to, file, query, passphrase);
  expect(envelope.success, text).toBe(true);
  return envelope.data as unknown as Restored;
}

/** Resolves with the message of the refusal. */
export async function refused(
  to: RunningService,
  file: Buffer,
  query = '',
  passphrase?: string,
): Promise<string> {
  const { status, envelope } = await answerTo(to, file, query, passphrase);
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
  return tarOf([['manifest.json', Buffer.from(JSON.stringify(manifest))], ...all]);
}

function tarOf(members: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Buffer> {
  const file = pack();
  for (const [name, bytes] of members) file.entry({ name }, bytes);
  file.finalize();
  return buffer(file);
}

/** The backup with another member in the place of one, and digests that are right. */
export async function altered(
  file: Buffer,
  name: string,
  change: (bytes: Buffer) => string,
): Promise<Buffer> {
  const all = await membersOf(file);
  const bytes = Buffer.from(change(all.get(name) ?? Buffer.alloc(0)));
  const manifest = JSON.parse(all.get('manifest.json')?.toString() ?? '') as {
    members: { name: string; bytes: number; sha256: string }[];
  };
  for (const member of manifest.members)
    if (member.name === name) Object.assign(member, { bytes: bytes.length, sha256: hash('sha256', bytes) });
  all.set(name, bytes).set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  return tarOf([...all]);
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
