import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import type { Events, Topic } from '#shared/domain/events.ts';
import { TOPICS } from '#shared/domain/events.ts';
import { PERMISSIONS, type Permission } from '#shared/schema/schemas.ts';
import { clockOf } from '../../helpers/clock.ts';
import { SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import {
  openWindow,
  runService,
  type RunningService,
  type Window,
} from '../../helpers/service/running-service.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';
import { createWorld, RECORDS, UPLOAD, without, type World } from '../world.ts';

/* Windows of keys: each does and hears of what its key may, and of nothing else. */

let service: RunningService;
let world: World;
/** By how many µs the service's clock is ahead of the machine's. */
let ahead = 0;
const machine = createSystemClock();
beforeAll(async () => {
  service = await runService({}, { clock: clockOf(() => machine.now() + ahead) });
  const window = openWindow(service.service);
  // What is announced of the world comes a moment after it was stored, and would be heard by whoever listens then.
  const announced = new Promise((resolve) => window.bridge.subscribe('records.stored', resolve));
  world = await createWorld(service);
  await announced;
  window.close();
});
afterAll(() => service.stop());

async function create(path: string, body: unknown, key?: string): Promise<Record<string, string>> {
  const { envelope } = await service.request('POST', path, { body, ...(key !== undefined && { key }) });
  if (!envelope.success) throw new Error(`${path}: ${envelope.message}`);
  return envelope.data as unknown as Record<string, string>;
}

/** A new key of an account, as the principal that it is. */
async function principalOf(
  permissions: readonly Permission[],
  project_ids: readonly string[] | null = null,
  account_id = service.service.account_id,
): Promise<Principal> {
  const key = await create('/_local/v1/keys', { name: 'window', permissions, project_ids, account_id });
  return {
    account_id,
    permissions: new Set(permissions),
    project_ids: project_ids && new Set(project_ids),
    key_id: key['id'] ?? '',
    by: { kind: 'key', name: 'window' },
  };
}

/** Subscribes a window to everything there is. */
function listen(window: Window): { topic: Topic; payload: Events[Topic] }[] {
  const heard: { topic: Topic; payload: Events[Topic] }[] = [];
  for (const topic of TOPICS) window.bridge.subscribe(topic, (payload) => heard.push({ topic, payload }));
  return heard;
}

/** Something of each topic, and the delete of all of it. */
async function makeNoise(key?: string): Promise<{ project_id: string; device_id: string }> {
  const project_id = (await create('/_local/v1/projects', { name: 'Noise' }, key))['id'] ?? '';
  const devices = `/v2/projects/${project_id}/devices`;
  const device = await create(devices, { name: 'Source', source: 'http' }, key);
  const device_id = device['id'] ?? '';
  const { device_token = '' } = device['metadata'] as unknown as { device_token?: string };
  await service.request('POST', '/integrations/http', { key: device_token, body: RECORDS });
  const by = key === undefined ? {} : { key };
  const raw = { type: 'application/x-ndjson', bytes: UPLOAD };
  const local = `/_local/v1/projects/${project_id}/devices/${device_id}/records`;
  await service.request('POST', `${local}?format=ndjson`, { ...by, raw });
  await create(
    `/_local/v1/projects/${project_id}/devices/${device_id}/notes`,
    { start: '2026-03-02T20:31:00Z', text: 'Seen' },
    key,
  );
  await create(
    `/_local/v1/projects/${project_id}/devices/${device_id}/corrections`,
    { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] },
    key,
  );
  const alarm = anAlarm(randomUUID(), { project_id, device_id, function_id: randomUUID() });
  await service.metadata.change((tables) => tables.insert('alarms', alarm));
  await create(`/_local/v1/projects/${project_id}/alarms/${alarm.id}/acknowledge`, {}, key);
  await create(
    `/_local/v1/projects/${project_id}/functions`,
    { device_id, name: 'Alarm', type: 'threshold' },
    key,
  );
  await create(
    `/_local/v1/projects/${project_id}/widgets`,
    { title: 'Seen', type: 'text', sources: [] },
    key,
  );
  const every_ms = 1000;
  const keys = { a: { shape: 'constant', value: 1 } };
  await create('/_local/v1/simulators', { project_id, device_id, every_ms, keys }, key);
  // Joined bursts are announced within 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (const path of [
    `${local}?end=2000-01-01T00:00:00Z`,
    `${devices}/${device_id}/data`,
    `${devices}/${device_id}`,
    `/v2/projects/${project_id}`,
  ])
    expect((await service.request('DELETE', path, by)).status).toBe(200);
  return { project_id, device_id };
}

/** Of projects: what is asked is of an account, too. What other services did to the world may be told late. */
const ofProjects = (heard: readonly { topic: Topic; payload: Events[Topic] }[]) =>
  heard.filter(
    ({ topic, payload }) =>
      topic !== 'requests.seen' &&
      (SERVICES === 1 || ![world.project_id, world.other_project_id].includes(payload.project_id)),
  );

/** Of requests a window hears those that its own service was sent, which may be none; of a clock, and of faults, where there is a rig's. */
const isCertain = (topic: Topic) =>
  topic !== 'clock.changed' && topic !== 'faults.changed' && (SERVICES === 1 || topic !== 'requests.seen');
const ALL: readonly Topic[] = TOPICS.filter(isCertain);

const topicsOf = (heard: readonly { topic: Topic }[]) =>
  new Set(heard.map(({ topic }) => topic).filter(isCertain));

test('the owner hears of everything of the account, and of nothing of another one', async () => {
  const window = openWindow(service.service);
  const heard = listen(window);
  const strangers = await makeNoise(world.strangers_key);
  // What was asked before this window was there is told a moment later.
  const ofOthers = heard.filter(({ payload }) => payload.account_id !== service.service.account_id);
  expect(ofOthers).toEqual([]);
  const own = await makeNoise();
  // Other services are heard a moment later.
  await expect.poll(() => topicsOf(heard)).toEqual(new Set(ALL));
  expect(new Set(ofProjects(heard).map(({ payload }) => payload.project_id))).toEqual(
    new Set([own.project_id]),
  );
  const deleted = {
    topic: 'projects.changed',
    payload: { account_id: service.service.account_id, project_id: own.project_id },
  };
  // The delete itself is the last that is heard of a project, although it is not there any more; of what was done at
  // several services the order is not told.
  if (SERVICES === 1) expect(ofProjects(heard).at(-1)).toEqual(deleted);
  else expect(ofProjects(heard)).toContainEqual(deleted);
  expect(JSON.stringify(window.posted)).not.toContain(strangers.device_id);
  window.close();
});

test('strangers hear of their own devices alone', async () => {
  const { id: account_id, api_key } = await create('/_local/v1/accounts', { name: 'Others' });
  const window = openWindow(service.service, await principalOf(PERMISSIONS, null, account_id));
  const heard = listen(window);
  await makeNoise();
  expect(window.posted).toEqual([]);
  const theirs = await makeNoise(api_key);
  await expect.poll(() => topicsOf(heard)).toEqual(new Set(ALL));
  expect(new Set(ofProjects(heard).map(({ payload }) => payload.project_id))).toEqual(
    new Set([theirs.project_id]),
  );
  window.close();
});

test('a key that is limited to a project hears of that one alone', async () => {
  const window = openWindow(service.service, await principalOf(PERMISSIONS, [world.other_project_id]));
  const heard = listen(window);
  await makeNoise();
  await service.request('PATCH', `/_local/v1/projects/${world.project_id}`, { body: { name: 'Cellar' } });
  await service.request('PATCH', `/_local/v1/projects/${world.other_project_id}`, {
    body: { name: 'Attic' },
  });
  await expect.poll(() => heard.length).toBe(1);
  expect(heard).toMatchObject([{ payload: { project_id: world.other_project_id } }]);
  window.close();
});

test('a key that only reads hears of what it can read, and of no jobs, notes, alarms, widgets or corrections', async () => {
  const window = openWindow(service.service, await principalOf(['read']));
  const heard = listen(window);
  await makeNoise();
  const unheard: readonly Topic[] = [
    'jobs.progress',
    'notes.changed',
    'alarms.changed',
    'widgets.changed',
    'corrections.changed',
    'functions.changed',
    'undo.changed',
    'simulators.changed',
    'requests.seen',
  ];
  await expect.poll(() => topicsOf(heard)).toEqual(new Set(ALL.filter((topic) => !unheard.includes(topic))));
  window.close();
});

test('a key that may not read hears of the deletes that it could have started, and of nothing else', async () => {
  const window = openWindow(service.service, await principalOf(['delete']));
  const heard = listen(window);
  await makeNoise();
  const kinds = () =>
    new Set(heard.map(({ topic, payload }) => String([topic, 'kind' in payload && payload.kind])));
  await expect
    .poll(kinds)
    .toEqual(new Set(['jobs.progress,purge', 'jobs.progress,delete', 'jobs.progress,delete-range']));
  window.close();
});

describe('once its key is revoked, a window', () => {
  let window: Window;
  let heard: unknown[];
  beforeAll(async () => {
    const principal = await principalOf(PERMISSIONS);
    window = openWindow(service.service, principal);
    heard = listen(window);
    await makeNoise();
    await vi.waitFor(() => expect(topicsOf(heard as { topic: Topic }[])).toEqual(new Set(ALL)), PATIENTLY);
    expect((await window.bridge.call('projects.list', {})).status).toBe(200);
    await service.request('DELETE', `/_local/v1/keys/${principal.key_id}`);
    window.posted.length = 0;
  });

  test('hears nothing more', async () => {
    await makeNoise();
    window.bridge.resubscribe();
    await makeNoise();
    expect(window.posted).toEqual([]);
  });

  test('can do nothing more', async () => {
    const refused = { success: false, status: 401, message: 'The API key is unknown or was revoked.' };
    expect(await window.bridge.call('projects.list', {})).toMatchObject(refused);
    const { project_id, device_id } = world;
    const asked = { project_id, device_id, keys: ['temperature'] };
    const never = () => expect.unreachable();
    expect(await window.bridge.stream('chart.columns', asked, never)).toMatchObject(refused);
  });
});

test('a key that has expired is one that was revoked', async () => {
  const expires_at = new Date(Date.now() + 600_000).toISOString();
  const body = { name: 'brief', permissions: ['read'], expires_at };
  const key_id = (await create('/_local/v1/keys', body))['id'] ?? '';
  const { account_id } = service.service;
  const permissions = new Set<Permission>(['read']);
  const by = { kind: 'key', name: 'brief' } as const;
  const window = openWindow(service.service, { account_id, permissions, project_ids: null, key_id, by });
  expect(await window.bridge.call('projects.list', {})).toMatchObject({ status: 200 });
  ahead = 600_000_000;
  expect(await window.bridge.call('projects.list', {})).toMatchObject({
    status: 401,
    message: 'The API key has expired.',
  });
  listen(window);
  window.posted.length = 0;
  await makeNoise();
  expect(window.posted).toEqual([]);
});

describe.each(['chart.columns', 'chart.series'] as const)('%s', (id) => {
  async function askAs(principal: Principal) {
    const window = openWindow(service.service, principal);
    const { project_id, device_id } = world;
    const input = { project_id, device_id, keys: ['temperature'], width: 2 };
    let pieces = 0;
    const { status } = await window.bridge.stream(id, input, () => void pieces++);
    window.close();
    return [status, pieces];
  }

  test('is open to a key with just its permission', async () => {
    expect(await askAs(await principalOf(['read'], [world.project_id]))).toEqual([200, 1]);
  });

  test('refuses every key that may not read the records', async () => {
    const { id: stranger } = await create('/_local/v1/accounts', { name: 'Strangers too' });
    for (const principal of [
      await principalOf(without('read')),
      await principalOf(PERMISSIONS, [world.other_project_id]),
      await principalOf(PERMISSIONS, null, stranger),
    ])
      expect(await askAs(principal)).toEqual([403, 0]);
  });
});
