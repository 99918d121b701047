import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import { createMemoryVault } from '#core/vault/memory.ts';
import type { Vault } from '#core/vault/vault.ts';
import { inFolder, SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* Deleting takes everything associated along, and counts it (docs/api.md, "Deleting"; docs/api.md, "Envelope"). */

async function withWorld(check: (service: RunningService, world: World) => Promise<void>): Promise<void> {
  const service = await runService();
  try {
    await check(service, await createWorld(service));
  } finally {
    await service.stop();
  }
}

/** Nothing is left of its files, where there are files. */
async function expectNoLog({ directory }: RunningService, { device_id }: World): Promise<void> {
  if (inFolder) expect(await readdir(join(directory, 'data'))).not.toContain(device_id);
}

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
    // A rule by tag is of the project.
    expect(await dataOf(service, 'GET', `${local}/functions`)).toMatchObject([{ id: world.rule_id }]);
    expect(await dataOf(service, 'GET', `${local}/widgets`)).toEqual([
      { ...shared, sources: [{ device_id: other.id, key: 'temperature' }] },
    ]);
    await expectNoLog(service, world);
    const refused = await service.request('POST', '/integrations/http', {
      key: world.device_token,
      body: { a: 1 },
    });
    expect(refused.status).toBe(401);
  }));

test('a project goes with everything in it, and nothing else', () =>
  withWorld(async (service, world) => {
    const local = `/_local/v1/projects/${world.project_id}`;
    const expected = { devices: 1, records: 3, functions: 2, widgets: 1 };
    expect(await dataOf(service, 'GET', `${local}/impact`)).toMatchObject({ deleted: expected });
    expect(await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}`)).toEqual({
      deleted: expected,
    });
    expect(await dataOf(service, 'GET', '/v2/projects')).toMatchObject([{ id: world.other_project_id }]);
    await expectNoLog(service, world);
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
    // 404 to whom it was known a moment before.
    expect(new Set(statuses).difference(new Set([200, 401, 404]))).toEqual(new Set());
    await expectNoLog(service, world);
  }));

test('an import under way ends when its device is deleted, and says why', () =>
  withWorld(async (service, world) => {
    const { project_id, device_id } = world;
    const rows = `timestamp,n\n${'2026-01-01T00:00:00Z,1\n'.repeat(170_000)}`;
    let asked = 0;
    const deleting = Promise.withResolvers<unknown>();
    const file = {
      size: rows.length,
      slice: (start: number, end: number) => ({
        async arrayBuffer() {
          asked += 1;
          if (asked === 3)
            deleting.resolve(dataOf(service, 'DELETE', `/v2/projects/${project_id}/devices/${device_id}`));
          if (asked > 3) await deleting.promise;
          return new TextEncoder().encode(rows.slice(start, end)).buffer;
        },
      }),
    };
    const envelope = await service.bridge.upload('records.import', { project_id, device_id }, file);
    expect(envelope).toMatchObject({ status: 404, message: 'Device not found.', data: null });
    await deleting.promise;
    await expectNoLog(service, world);
    expect(service.logged.join('')).not.toContain('error');
  }));

test('a range delete is a job of its own kind, and tells windows which device lost records', () =>
  withWorld(async (service, { project_id, device_id }) => {
    const heard: (string | readonly string[])[] = [];
    // Of a job at another service a window may hear its end alone.
    const told = () => heard.filter((one) => SERVICES === 1 || one[1] !== 'running');
    const running = SERVICES === 1 ? [['delete-range', 'running']] : [];
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
    await expect.poll(told).toEqual([...running, ['delete-range', 'done'], device_id]);
    for (const stop of stops) stop();
  }));
