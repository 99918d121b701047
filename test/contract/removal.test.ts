import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openFolder, type FolderOptions } from '#core/open-folder.ts';
import { createMemoryVault } from '#core/vault/memory.ts';
import type { Vault } from '#core/vault/vault.ts';
import { runService, type RunningService } from '../helpers/running-service.ts';
import { createWorld, RECORDS, type World } from './world.ts';

/* Deleting takes everything associated along, and counts it (docs/api.md, "Deleting"; docs/api.md, "Envelope"). */

async function withWorld(check: (service: RunningService, world: World) => Promise<void>): Promise<void> {
  const service = await runService();
  try {
    await check(service, await createWorld(service));
  } finally {
    await service.stop();
  }
}

const dataOf = async (service: RunningService, method: string, path: string, body?: unknown) => {
  const { envelope } = await service.request(method, path, { body });
  expect(envelope).toMatchObject({ success: true });
  return envelope.data as unknown as Record<string, unknown> & { id: string };
};

test('a device goes with its log, its functions and its own widgets; shared widgets lose it', () =>
  withWorld(async (service, world) => {
    const local = `/_local/v1/projects/${world.project_id}`;
    const other = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Other',
      source: 'http',
    });
    const shared = await dataOf(service, 'POST', `${local}/widgets`, {
      title: 'Both',
      type: 'line',
      sources: [world.device_id, other.id, world.device_id].map((device_id) => ({
        device_id,
        key: 'temperature',
      })),
    });
    const expected = { devices: 1, records: 3, functions: 1, widgets: 1 };
    expect(await dataOf(service, 'GET', `${local}/devices/${world.device_id}/impact`)).toMatchObject({
      name: 'ESP32',
      deleted: expected,
      widgets_trimmed: 1,
      first: RECORDS[0]?.timestamp,
      last: RECORDS[2]?.timestamp,
      bytes: expect.toSatisfy((bytes: number) => bytes > 0),
    });

    const deleted = await dataOf(
      service,
      'DELETE',
      `/v2/projects/${world.project_id}/devices/${world.device_id}`,
    );

    expect(deleted).toEqual({ deleted: expected });
    expect(await dataOf(service, 'GET', `${local}/functions`)).toEqual([]);
    expect(await dataOf(service, 'GET', `${local}/widgets`)).toEqual([
      { ...shared, sources: [{ device_id: other.id, key: 'temperature' }] },
    ]);
    expect(await readdir(join(service.directory, 'data'))).not.toContain(world.device_id);
    const refused = await service.request('POST', '/integrations/http', {
      key: world.device_token,
      body: { a: 1 },
    });
    expect(refused.status).toBe(401);
  }));

test('a project goes with everything in it, and nothing else', () =>
  withWorld(async (service, world) => {
    const local = `/_local/v1/projects/${world.project_id}`;
    const expected = { devices: 1, records: 3, functions: 1, widgets: 1 };
    expect(await dataOf(service, 'GET', `${local}/impact`)).toMatchObject({ deleted: expected });
    expect(await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}`)).toEqual({
      deleted: expected,
    });
    expect(await dataOf(service, 'GET', '/v2/projects')).toMatchObject([{ id: world.other_project_id }]);
    expect(await readdir(join(service.directory, 'data'))).not.toContain(world.device_id);
  }));

test('a delete that is cut off half-way is finished by the next start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const vault = createMemoryVault();
  try {
    const broken = { ...vault, delete: () => Promise.reject(new Error('the keychain went away')) };
    const open = (kept: Vault) => async (options: FolderOptions) => ({
      ...(await openFolder(options)),
      vault: kept,
    });
    const cut = await runService({ directory }, { open: open(broken) });
    const { project_id, device_id } = await createWorld(cut);
    expect((await cut.request('DELETE', `/v2/projects/${project_id}/devices/${device_id}`)).status).toBe(500);
    await cut.service.close();

    const finished = 'The delete of a device, which was cut off, was finished.';
    const next = await runService({ directory }, { open: open(vault) });
    expect((await next.request('GET', '/_local/v1/status')).text).toContain(finished);
    await next.service.close();
    expect(await readdir(join(directory, 'data'))).not.toContain(device_id);

    const last = await runService({ directory }, { open: open(vault) });
    await last.service.close();
    expect(last.logged.join()).not.toContain(finished);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('storing while a device is deleted ends in records or a refusal, never in a log without an owner', () =>
  withWorld(async (service, world) => {
    const path = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
    const store = () =>
      service.request('POST', '/integrations/http', { key: world.device_token, body: { a: 1 } });
    const storing = Array.from({ length: 20 }, store);
    const deleted = service.request('DELETE', path);
    const late = Array.from({ length: 20 }, store);
    const statuses = (await Promise.all([...storing, ...late])).map(({ status }) => status);
    const { envelope } = await deleted;
    const stored = statuses.filter((status) => status === 200).length;
    expect(envelope.data).toMatchObject({ deleted: { records: RECORDS.length + stored } });
    expect(new Set(statuses).difference(new Set([200, 401]))).toEqual(new Set());
    expect(await readdir(join(service.directory, 'data'))).not.toContain(world.device_id);
  }));

test('an import under way ends when its device is deleted, and says why', () =>
  withWorld(async (service, world) => {
    const { project_id, device_id } = world;
    const size = 4_000_000;
    const row = '2026-01-01T00:00:00Z,1\n';
    let asked = 0;
    const deleting = Promise.withResolvers<unknown>();
    const file = {
      size,
      slice: (start: number, end: number) => ({
        async arrayBuffer() {
          asked += 1;
          if (asked === 3)
            deleting.resolve(dataOf(service, 'DELETE', `/v2/projects/${project_id}/devices/${device_id}`));
          if (asked > 3) await deleting.promise;
          const text = start === 0 ? `timestamp,n\n${row.repeat(12_000)}` : row.repeat(12_000);
          return new TextEncoder().encode(text.slice(0, end - start)).buffer;
        },
      }),
    };
    const envelope = await service.bridge.upload('records.import', { project_id, device_id }, file);
    expect(envelope).toMatchObject({ status: 404, message: 'Device not found.', data: null });
    await deleting.promise;
    expect(await readdir(join(service.directory, 'data'))).not.toContain(device_id);
    expect(service.logged.join('')).not.toContain('error');
  }));

/** The folders of devices. */
const foldersIn = async ({ directory }: RunningService) =>
  (await readdir(join(directory, 'data'))).filter((name) => !name.startsWith('wal-'));

test('devices that are purged, cleared and deleted at the same time leave nothing, now and after restarts', async () => {
  let service = await runService();
  const { directory } = service;
  const restart = async () => {
    await service.service.close();
    service = await runService({ directory });
  };
  try {
    const { project_id, device_id } = await createWorld(service);
    // The one that stays gets its folder when its records leave the log.
    const others = async () => (await foldersIn(service)).filter((name) => name !== device_id);
    const devices = `/v2/projects/${project_id}/devices`;
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        dataOf(service, 'POST', devices, { name: `Rig ${n}`, source: 'http' }),
      ),
    );
    const ended = made.map(async ({ id, metadata }, n) => {
      const local = `/_local/v1/projects/${project_id}/devices/${id}`;
      const { device_token: key = '' } = metadata as { device_token?: string };
      const ask = (method: string, path: string) => service.request(method, path);
      const send = () => service.request('POST', '/integrations/http', { key, body: { a: n } });
      await send();
      const raw = { type: 'application/x-ndjson', bytes: '{"timestamp":0,"a":1}\n' };
      const besides = [
        () => ask('DELETE', `${devices}/${id}/data`),
        () => ask('DELETE', `${local}/records?start=2020-01-01T00:00:00Z&end=2100-01-01T00:00:00Z`),
        () => service.request('POST', `${local}/records`, { raw }),
        () => ask('GET', `${local}/series?width=10`),
        send,
      ];
      const beside = Array.from({ length: 1 + (n % 5) }, (_, i) => besides[(n + i) % 5]?.());
      const answers = await Promise.all([...beside, ask('DELETE', `${devices}/${id}`)]);
      expect(answers.at(-1)?.status).toBe(200);
      for (const answer of answers) expect([200, 401, 404], answer?.text).toContain(answer?.status);
    });
    await Promise.all(ended);
    await vi.waitFor(async () => expect(await others()).toEqual([]), { timeout: 20_000 });
    for (let round = 0; round < 2; round++) {
      await restart();
      expect(service.logged.join('')).not.toContain('does not know');
      expect(await others()).toEqual([]);
    }
  } finally {
    await service.stop();
  }
});

test('a start takes away what deleted devices left that holds no record, and keeps and names what does', async () => {
  const service = await runService();
  const { directory } = service;
  await createWorld(service);
  await service.service.close();
  // The folders of this fixture belong to devices that this service never had; `purged` holds no record.
  const fixture = join(import.meta.dirname, '../fixtures/log-1');
  for (const [name, as] of [
    ['purged', 'left-1'],
    ['purged', 'left-2'],
    ['rig', 'lost-1'],
  ] as const)
    await cp(join(fixture, name), join(directory, 'data', as), { recursive: true });
  const next = await runService({ directory });
  try {
    const warning = next.logged.join('');
    expect(warning).toContain('data of devices that metadata.json does not know: 1, lost-1 among them');
    await vi.waitFor(async () => {
      const folders = await foldersIn(next);
      expect(folders).toContain('lost-1');
      expect(folders.filter((name) => name.startsWith('left'))).toEqual([]);
    });
  } finally {
    await next.stop();
  }
});

/** Where in the data folder a text can be read. */
async function filesWith({ directory }: RunningService, text: string): Promise<string[]> {
  const entries = await readdir(join(directory, 'data'), { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A file may go between its name and its bytes.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(entry.name);
  }
  return found;
}

test.each([
  ['a purge', (device: string) => ['DELETE', `/v2${device}/data`]],
  [
    'a range delete',
    (device: string) => [
      'DELETE',
      `/_local/v1${device}/records?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`,
    ],
  ],
  ['the delete of its device', (device: string) => ['DELETE', `/v2${device}`]],
  [
    'the delete of its project',
    (device: string) => ['DELETE', `/v2${device.slice(0, device.indexOf('/devices'))}`],
  ],
] as const)('what was deleted by %s can soon be read in no file, and the rest stays', async (_, call) => {
  const service = await runService();
  try {
    const { project_id, device_id, device_token: key, other_project_id } = await createWorld(service);
    const send = (token: string, body: unknown) =>
      service.request('POST', '/integrations/http', { key: token, body });
    const other = await dataOf(service, 'POST', `/v2/projects/${other_project_id}/devices`, {
      name: 'Other',
      source: 'http',
    });
    const { device_token = '' } = other['metadata'] as { device_token?: string };
    await send(device_token, { note: 'this one stays' });
    for (let n = 0; n < 5; n++)
      await send(key, { timestamp: '2020-01-01T12:00:00Z', note: `secret ${n}`, [`secret key ${n}`]: n });
    expect(await filesWith(service, 'secret')).not.toEqual([]);
    const [method, path] = call(`/projects/${project_id}/devices/${device_id}`);
    expect((await service.request(method ?? '', path ?? '')).status).toBe(200);
    await vi.waitFor(async () => expect(await filesWith(service, 'secret')).toEqual([]), { timeout: 30_000 });
    expect(await filesWith(service, 'this one stays')).not.toEqual([]);
    const page = `/v2/projects/${other_project_id}/devices/${other.id}/data?page=1&limit=9&range=all`;
    expect((await service.request('GET', page)).text).toContain('this one stays');
  } finally {
    await service.stop();
  }
});

test('a range delete is a job of its own kind, and tells windows which device lost records', () =>
  withWorld(async (service, { project_id, device_id }) => {
    const heard: unknown[] = [];
    const stops = [
      service.bridge.subscribe('jobs.progress', ({ kind, state }) => heard.push([kind, state]), {
        device_id,
      }),
      service.bridge.subscribe('records.removed', (event) => heard.push(event.device_id), { device_id }),
    ];
    const query = 'start=1700-01-01T00:00:00Z&end=2200-01-01T00:00:00Z';
    await service.request(
      'DELETE',
      `/_local/v1/projects/${project_id}/devices/${device_id}/records?${query}`,
    );
    await expect
      .poll(() => heard)
      .toEqual([['delete-range', 'running'], ['delete-range', 'done'], device_id]);
    for (const stop of stops) stop();
  }));
