import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clockOf } from '../../helpers/clock.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { everythingOf } from '../access/everything.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

const DAY = 86_400_000_000;
let now = Date.UTC(2026, 2, 3) * 1000;
const clock = clockOf(() => now);

let service: RunningService;
let world: World;
let device: string;
let project: string;

beforeEach(async () => {
  now = Date.UTC(2026, 2, 3) * 1000;
  service = await runService({ vault: 'file' }, { clock });
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  device = `${project}/devices/${world.device_id}`;
  // The one that the world deleted is of no matter here.
  await dataOf(service, 'DELETE', `/_local/v1/undo/${world.undo_id}`);
});
afterEach(() => service.stop());

interface Kept {
  readonly id: string;
  readonly name: string;
  readonly waits_for: string | null;
}
const removed = async (path: string) =>
  (await dataOf(service, 'DELETE', path)) as unknown as {
    readonly deleted: Record<string, number>;
    readonly undo: { readonly id: string; readonly until: string };
  };
const list = async (key?: string) => {
  const { envelope } = await service.request('GET', '/_local/v1/undo', key === undefined ? {} : { key });
  return envelope.data as unknown as readonly Kept[];
};
const restore = (id: string, key?: string) =>
  service.request('POST', `/_local/v1/undo/${id}`, { body: {}, ...(key !== undefined && { key }) });
const store = (body: unknown, key = world.device_token) =>
  service.request('POST', '/integrations/http', { key, body });

const everything = () => everythingOf(service, world);

test('a purge is undone: every record is back among those that came since', async () => {
  const before = await everything();
  const { deleted, undo } = await removed(`${device}/records`);
  expect(deleted).toEqual({ records: 3 });
  expect(undo.until).toBe('2026-04-02T00:00:00Z');
  expect(await dataOf(service, 'GET', `${device}/summary`)).toMatchObject({
    records: 0,
    last_seen: expect.stringMatching(/^2026-03-03/) as string,
  });
  expect(await list()).toMatchObject([
    { kind: 'purge', name: 'ESP32', project_name: 'Boiler room', deleted: { records: 3 }, waits_for: null },
  ]);
  const { project_id, device_id } = world;
  const restored = { restored: { records: 3 }, project_id, device_id, undo: null };
  expect((await restore(undo.id)).envelope.data).toEqual(restored);
  expect(await everything()).toEqual(before);
  expect(await list()).toEqual([]);
  expect((await restore(undo.id)).status).toBe(404);
});

test('a range is undone, also when another purge came after it', async () => {
  const range = await removed(`${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
  expect(range.deleted).toEqual({ records: 1 });
  await store({ timestamp: RECORDS[1]!.timestamp, temperature: -1 });
  const all = await removed(`${device}/records`);
  await restore(range.undo.id);
  await restore(all.undo.id);
  const { envelope } = await service.request(
    'GET',
    `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=9&range=all&keys=temperature`,
  );
  // Newest first; of equal times the one that came later.
  expect(envelope.data).toEqual(
    [RECORDS[2]!, { timestamp: RECORDS[1]!.timestamp, temperature: -1 }, RECORDS[1]!, RECORDS[0]!].map(
      ({ timestamp, temperature }) => ({ timestamp, temperature }),
    ),
  );
});

test.each([
  ['a range', '?start=1980-01-01T00:00:00Z&end=1981-01-01T00:00:00Z'],
  ['a purge', ''],
])('%s that found nothing is undone as well, and nothing is called damaged', async (_kind, query) => {
  if (query === '')
    await dataOf(service, 'DELETE', `/_local/v1/undo/${(await removed(`${device}/records`)).undo.id}`);
  const before = await everything();
  const { deleted, undo } = await removed(`${device}/records${query}`);
  expect(deleted).toEqual({ records: 0 });
  const { status, envelope } = await restore(undo.id);
  expect([status, envelope.data]).toEqual([
    200,
    { restored: { records: 0 }, project_id: world.project_id, device_id: world.device_id, undo: null },
  ]);
  expect(await everything()).toEqual(before);
  expect(await list()).toEqual([]);
});

test.runIf(inFolder)(
  'what is not kept any more, since its list of files was damaged, is said to be, and is in the device again',
  async () => {
    const before = await everything();
    const { undo } = await removed(`${device}/records`);
    const { directory } = service;
    await service.service.close();
    await rm(join(directory, 'data', world.device_id, 'manifest'));
    service = await runService({ directory, vault: 'file' }, { clock });
    const { status, envelope } = await restore(undo.id);
    expect([status, envelope.message]).toEqual([
      404,
      expect.stringMatching(/list of files of the device was damaged/),
    ]);
    expect(await everything()).toEqual(before);
  },
);

test('a device is undone with all that belongs to it, its token among it, which is of no use meanwhile', async () => {
  await dataOf(service, 'PATCH', `${device}/key-settings`, { key: 'temperature', unit: '°C' });
  const before = await everything();
  const { deleted, undo } = await removed(device);
  expect(deleted).toEqual({ devices: 1, records: 3, functions: 1, widgets: 1 });
  expect((await store({ temperature: 1 })).status).toBe(401);
  expect((await service.request('GET', device.replace('_local/v1', 'v2'))).status).toBe(404);
  expect((await restore(undo.id)).status).toBe(200);
  expect(await everything()).toEqual(before);
  expect((await store({ temperature: 1 })).status).toBe(200);
});

test('a widget that showed other devices, too, has its source again, in its place', async () => {
  const other = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Other',
    source: 'http',
  });
  const sources = [
    { device_id: world.device_id, key: 'temperature' },
    { device_id: other.id, key: 'temperature' },
  ];
  const { id } = await dataOf(service, 'POST', `${project}/widgets`, {
    title: 'Both',
    type: 'line',
    sources,
  });
  const { undo } = await removed(device);
  await restore(undo.id);
  const widgets = (await dataOf(service, 'GET', `${project}/widgets`)) as unknown as { id: string }[];
  expect(widgets.find((each) => each.id === id)).toMatchObject({ sources });
});

test('a project is undone with everything; a device of it that was deleted before waits for it', async () => {
  const before = await everything();
  const device_undo = (await removed(device)).undo;
  const project_undo = (await removed(project)).undo;
  const [latest, first] = await list();
  expect(latest).toMatchObject({ id: project_undo.id, kind: 'project', waits_for: null });
  expect(first).toMatchObject({ id: device_undo.id, kind: 'device', waits_for: project_undo.id });
  const refused = await restore(device_undo.id);
  expect(refused.status).toBe(400);
  expect(refused.envelope.message).toBe(
    'The project "Boiler room" of the device "ESP32" is deleted, too: restore it first.',
  );
  expect((await restore(project_undo.id)).status).toBe(200);
  expect((await restore(device_undo.id)).status).toBe(200);
  expect(await everything()).toEqual(before);
});

test('records of a deleted device wait for it', async () => {
  const { undo } = await removed(`${device}/records`);
  const device_undo = (await removed(device)).undo;
  expect((await restore(undo.id)).envelope.message).toBe(
    'The device "ESP32" is deleted, too: restore it first.',
  );
  await restore(device_undo.id);
  expect((await restore(undo.id)).status).toBe(200);
});

test('a name that changed stays changed, and so does a token', async () => {
  const { undo } = await removed(`${device}/records`);
  await dataOf(service, 'PATCH', device, { name: 'Renamed' });
  const { device_token } = await dataOf(service, 'POST', `${device}/token`, {});
  expect(await list()).toMatchObject([{ name: 'Renamed' }]);
  await restore(undo.id);
  expect(await dataOf(service, 'GET', device.replace('_local/v1', 'v2'))).toMatchObject({ name: 'Renamed' });
  expect((await store({ temperature: 1 })).status).toBe(401);
  expect((await store({ temperature: 1 }, String(device_token))).status).toBe(200);
});

test('more keys than a device may have are a refusal that loses nothing', async () => {
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));
  const storeMany = async (prefix: string) => {
    for (let from = 0; from < 4000; from += 200) {
      const answer = await store(many(`${prefix}${from}-`, 200));
      if (answer.status !== 200) throw new Error(answer.text);
    }
  };
  await storeMany('a');
  const { undo } = await removed(`${device}/records`);
  await storeMany('b');
  const refused = await restore(undo.id);
  expect(refused.status).toBe(400);
  expect(refused.envelope.message).toMatch(
    /^Nothing was restored, and nothing is lost: .*4096 distinct keys/,
  );
  expect(await list()).toMatchObject([{ id: undo.id, deleted: { records: 23 } }]);
  await removed(`${device}/records`);
  expect((await restore(undo.id)).status).toBe(200);
  expect(await dataOf(service, 'GET', `${device}/summary`)).toMatchObject({ records: 23 });
});

test('for good is for good', async () => {
  const purged = (await removed(`${device}/records`)).undo;
  expect(await dataOf(service, 'DELETE', `/_local/v1/undo/${purged.id}`)).toEqual({
    deleted: { records: 3 },
  });
  expect((await restore(purged.id)).status).toBe(404);
  await removed(`${device}/records`);
  const gone = (await removed(device)).undo;
  expect(await dataOf(service, 'DELETE', `/_local/v1/undo/${gone.id}`)).toMatchObject({
    deleted: { devices: 1 },
  });
  // What was kept of the device went with it.
  expect(await list()).toEqual([]);
  expect((await store({ temperature: 1 })).status).toBe(401);
});

test('what is deleted under /v2 takes along what is kept of it, and is final unless that is set', async () => {
  const v2 = device.replace('_local/v1', 'v2');
  await removed(`${device}/records?start=2026-03-02T20:31:00Z`);
  expect(await dataOf(service, 'DELETE', v2)).toMatchObject({ deleted: { records: 1 } });
  expect(await list()).toEqual([]);

  expect(await dataOf(service, 'GET', '/_local/v1/settings')).toEqual({
    keep_days: 30,
    keep_v2_deletes: false,
    webhook_hosts: [],
    mail: null,
  });
  await dataOf(service, 'PATCH', '/_local/v1/settings', { keep_v2_deletes: true, keep_days: 2 });
  expect(await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}`)).toEqual({
    deleted: { devices: 0, records: 0, functions: 1, widgets: 0 },
  });
  expect(await list()).toMatchObject([{ kind: 'project', until: '2026-03-05T00:00:00Z' }]);
});

test('another account, and a key for other projects, neither see nor touch it', async () => {
  const { undo } = await removed(`${device}/records`);
  const limited = await world.issueKey(['admin', 'read', 'delete'], [world.other_project_id]);
  const own = await world.issueKey(['admin'], [world.project_id]);
  for (const key of [world.strangers_key, limited]) {
    expect(await list(key)).toEqual([]);
    expect((await restore(undo.id, key)).status).toBe(403);
    expect((await service.request('DELETE', `/_local/v1/undo/${undo.id}`, { key })).status).toBe(403);
    expect((await service.request('GET', '/_local/v1/settings', { key })).status).toBe(403);
  }
  expect(await list(own)).toMatchObject([{ id: undo.id, author: expect.any(String) as string }]);
  expect((await restore(undo.id, own)).status).toBe(200);
});

test('what was deleted is there after a restart, until its time is up', async () => {
  const before = await everything();
  const { undo } = await removed(project);
  const { directory } = service;
  await service.service.close();
  service = await runService({ directory, vault: 'file' }, { clock, sweeping: { everyMs: 10 } });
  expect(await list()).toMatchObject([{ id: undo.id, deleted: { devices: 1, records: 3 } }]);
  expect(service.logged.filter((line) => line.includes('does not know'))).toEqual([]);
  await restore(undo.id);
  expect(await everything()).toEqual(before);

  const again = await removed(`${device}/records`);
  now += 30 * DAY;
  await expect.poll(() => list()).toEqual([]);
  expect((await restore(again.undo.id)).status).toBe(404);
});

test('a disk that is nearly full takes the oldest first, and that is said', async () => {
  const { directory } = service;
  await service.service.close();
  let free = 1;
  const freeShare = () => Promise.resolve(free);
  service = await runService({ directory, vault: 'file' }, { clock, sweeping: { everyMs: 10, freeShare } });
  await removed(`${device}/records?end=2026-03-02T20:30:59Z`);
  now += 1_000_000;
  await removed(`${device}/records`);
  free = 0.04;
  await expect.poll(() => list()).toEqual([]);
  // It is said when the last one is gone, which the list may tell before.
  const notes = async () => (await dataOf(service, 'GET', '/_local/v1/status')).notes;
  const said: unknown = expect.stringMatching(/less than 5 % free: 2 of the things/);
  await expect.poll(notes).toContainEqual(said);
});
