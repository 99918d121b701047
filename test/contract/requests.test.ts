import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSystemClock } from '#core/base/system-clock.ts';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import type { Micros } from '#shared/values/time.ts';
import { clockOf } from '../helpers/clock.ts';
import { connectOf, mqttWorld, rawClient, signedIn, type Device, type MqttWorld } from './mqtt/world.ts';
import { createWorld, type World } from './world.ts';

/* The last requests of devices and programs (docs/local-api.md, "Requests seen"). */

let mqtt: MqttWorld;
let world: World;
let device: Device;
let since: string;
const machine = createSystemClock();
/** Where the service's clock stands; null: it goes as the machine's. */
let held: Micros | null = null;

beforeAll(async () => {
  // Each service remembers the requests that it was sent itself.
  mqtt = await mqttWorld({}, { isAlone: true, clock: clockOf(() => held ?? machine.now()) });
  world = await createWorld(mqtt);
  device = await mqtt.makeDevice();
});
/** ms; more than the service's clock may stray from the machine's (base/system-clock.ts). */
const STRAY_MS = 10;
beforeEach(async () => {
  await delay(STRAY_MS);
  since = new Date().toISOString();
  await delay(STRAY_MS);
});
afterAll(() => mqtt.stop());

async function seen(query: Record<string, string> = {}, key?: string): Promise<SeenRequest[]> {
  const search = new URLSearchParams({ since, ...query });
  const answer = await mqtt.request('GET', `/_local/v1/requests?${search.toString()}`, {
    ...(key !== undefined && { key }),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.envelope.data as unknown as SeenRequest[];
}
const send = (key: string | null, bytes: string, path = '/integrations/http') =>
  mqtt.request('POST', path, { key, raw: { type: 'application/json', bytes } });

describe('over HTTP', () => {
  test('what a device stored, and what was refused and why, newest first', async () => {
    await send(world.device_token, '{"temperature":21.5}');
    await send(world.device_token, '{"a,b":1}');
    const found = await seen({ device_id: world.device_id });
    const common = {
      door: 'http',
      method: 'POST',
      path: '/integrations/http',
      device_id: world.device_id,
      project_id: world.project_id,
      key: null,
      token: null,
      more: 0,
      from: '127.0.0.1',
    };
    expect(found).toMatchObject([
      {
        ...common,
        status: 400,
        refused: true,
        stored: 0,
        message: 'record 1: a key must not contain ",", got "a,b"',
        body: '{"a,b":1}',
      },
      { ...common, status: 200, refused: false, stored: 1, message: null, body: '{"temperature":21.5}' },
    ]);
    for (const { time, duration_us } of found) {
      expect(time).toMatch(/^\d{4}-.*\.\d{6}Z$/);
      expect(duration_us).toBeGreaterThan(0);
    }
  });

  test('an unknown token by its first four characters alone, for administrators', async () => {
    const token = 'Zq9k'.padEnd(40, 'x');
    await send(token, '{"temperature":21.5}');
    expect(await seen({ status: '401' })).toMatchObject([
      {
        token: 'Zq9k',
        device_id: null,
        project_id: null,
        body: null,
        message: 'The device token is unknown or was renewed.',
      },
    ]);
    const limited = await mqtt.request('POST', '/_local/v1/keys', {
      body: { name: 'l', permissions: PERMISSIONS, project_ids: [world.project_id] },
    });
    const { api_key } = limited.envelope.data as unknown as { api_key: string };
    expect(await seen({ status: '401' }, api_key)).toEqual([]);
    expect(await seen({ status: '401' }, world.strangers_key)).toEqual([]);
  });

  test('the wrong door, the wrong path, and a Host that is not ours', async () => {
    await send(device.token, '{"n":1}');
    await send(world.device_token, '{"n":1}', '/integration/http');
    const socket = connect(Number(new URL(mqtt.service.http_url ?? '').port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: sensors.example\r\nConnection: close\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect(await seen({ status: 'refused' })).toMatchObject([
      { status: 403, path: '/', message: expect.stringContaining('Host') },
      { status: 404, path: '/integration/http', device_id: null },
      { status: 403, device_id: device.id, message: expect.stringContaining('over MQTT') },
    ]);
  });

  test('of /v2 the name of the key, for keys that may see the project', async () => {
    const made = await mqtt.request('POST', '/_local/v1/keys', {
      body: { name: 'rig 7', permissions: ['read'] },
    });
    const { id, api_key } = made.envelope.data as unknown as { id: string; api_key: string };
    const path = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?range=all&page=1&limit=`;
    await mqtt.request('GET', `${path}0`, { key: api_key });
    await mqtt.request('GET', `${path}1`, { key: api_key });
    const key = { id, name: 'rig 7' };
    expect(await seen()).toMatchObject([
      { path: `${path}1`, status: 200, key, project_id: world.project_id, device_id: null },
      { path: `${path}0`, status: 400, key, project_id: null, message: expect.stringContaining('limit') },
    ]);
    const other = await world.issueKey(PERMISSIONS, [world.other_project_id]);
    expect(await seen({}, other)).toEqual([]);
    const own = await world.issueKey(PERMISSIONS, [world.project_id]);
    expect(await seen({}, own)).toMatchObject([{ path: `${path}1` }]);
  });

  test('no token, wherever it is sent', async () => {
    const secret = `fb_${'s3cretS3CRET'.repeat(3)}abcd`;
    await send(secret, '{"n":1}');
    await send(world.device_token, JSON.stringify({ n: 1, token: 'hunter2', note: world.device_token }));
    await send(world.device_token, '{"n":1}', `/${secret}/x?token=hunter2&k=${world.device_token}`);
    await send(world.device_token, JSON.stringify({ [`${secret},`]: 1 }));
    const text = JSON.stringify(await seen());
    expect(JSON.parse(text)).toHaveLength(4);
    for (const word of [secret, world.device_token, 'hunter2', secret.slice(3, 20)])
      expect(text).not.toContain(word);
  });

  test('only its beginning of a body that is large, also of one that comes in pieces', async () => {
    await send(world.device_token, JSON.stringify({ n: 1, text: 'long '.repeat(10_000) }));
    const [found] = await seen();
    expect(found?.body).toMatch(/^\{"n":1,"text":"long long .*…$/);
    expect(found?.body?.length).toBeLessThanOrEqual(2049);
  });
});

describe('over MQTT', () => {
  test('CONNECT, what was stored, and what was refused', async () => {
    const client = await signedIn(mqtt, device, 5);
    const publish = (payload: string, messageId: number, topic = device.id) =>
      client.send({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false });
    publish('{"n":1}', 1);
    await client.next();
    publish('{"n":', 2);
    await client.next();
    publish('{"n":2}', 3, 'somebody/else');
    await client.next();
    client.end();
    const common = { door: 'mqtt', device_id: device.id, project_id: device.project };
    expect(await seen({ device_id: device.id })).toMatchObject([
      { ...common, method: 'PUBLISH', path: 'somebody/else', status: 0x87, refused: true, body: '{"n":2}' },
      { ...common, method: 'PUBLISH', path: device.id, status: 0x99, refused: true, body: '{"n":' },
      { ...common, method: 'PUBLISH', path: device.id, status: 0, refused: false, stored: 1 },
      { ...common, method: 'CONNECT', status: 0, refused: false },
    ]);
  });

  test.each([4, 5] as const)(
    'a CONNECT that was refused: under the device that it claims to be (%i)',
    async (version) => {
      const client = await rawClient(mqtt.port, version);
      client.send(connectOf({ ...device, token: 'wrong-token-'.padEnd(40, 'y') }, version));
      await client.ended();
      await expect
        .poll(() => seen({ device_id: device.id, status: 'refused' }))
        .toMatchObject([
          {
            method: 'CONNECT',
            status: 0x86,
            token: 'wron',
            message: 'The device token is unknown or was renewed.',
            device_id: device.id,
          },
        ]);
    },
  );

  test('a CONNECT of nobody', async () => {
    const client = await rawClient(mqtt.port, 4);
    client.send(connectOf({ ...device, id: 'no such device', token: 'q'.repeat(40) }, 4));
    await client.ended();
    await expect
      .poll(() => seen({ door: 'mqtt', status: '134' }))
      .toMatchObject([{ device_id: null, token: 'qqqq' }]);
    expect(JSON.stringify(await seen())).not.toContain('qqqqq');
  });
});

test('what was deleted is not shown any more, and a deleted device not at all', async () => {
  const made = await mqtt.makeDevice('http');
  await send(made.token, '{"private":7}');
  const path = `/v2/projects/${made.project}/devices/${made.id}`;
  await mqtt.request('DELETE', `${path}/data`);
  expect(await seen({ device_id: made.id })).toMatchObject([{ body: null, stored: 1 }]);
  await mqtt.request('DELETE', path);
  await expect.poll(() => seen({ device_id: made.id })).toEqual([]);
});

test('what came since is read by its change, with what was counted, and older ones by their id', async () => {
  const own = await mqtt.makeDevice('http');
  const sender = { device_id: own.id };
  for (let i = 0; i < 3; i++) await send(own.token, `{"n":${i}}`);
  const before = await seen(sender);
  const newest = Math.max(...before.map(({ change }) => change));
  expect(await seen({ ...sender, after: `${newest}` })).toEqual([]);
  // More than ten alike within a second are counted at the last of them: a busy machine takes longer to send them.
  held = machine.now();
  for (let i = 0; i < 30; i++) await send(own.token, '{"n":9}');
  held = null;
  const came = await seen({ ...sender, after: `${newest}` });
  const all = await seen({ ...sender, limit: '1000' });
  const known = new Map([...before, ...came].map((request) => [request.id, request]));
  expect([...known.values()].toSorted((a, b) => b.id - a.id)).toEqual(all);
  expect(all.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(33);
  const counted = all.find(({ more }) => more > 0);
  expect(counted?.change).toBeGreaterThan(newest);

  const [, second] = all;
  const older = await seen({ ...sender, before: `${second?.id}`, limit: '1000' });
  expect(older).toEqual(all.slice(2));
  const { status, envelope } = await mqtt.request('GET', '/_local/v1/requests?after=-1');
  expect([status, envelope.message]).toEqual([400, expect.stringMatching(/^after must be a whole number/)]);
});

test('a window hears that requests went, with their device, their bodies or because they were cleared', async () => {
  const heard: number[] = [];
  const own = await mqtt.makeDevice('http');
  const path = `/v2/projects/${own.project}/devices/${own.id}`;
  await send(own.token, '{"private":7}');
  await expect.poll(() => seen({ device_id: own.id })).toHaveLength(1);
  const stop = mqtt.bridge.subscribe('requests.seen', ({ count }) => heard.push(count), {
    device_id: own.id,
  });
  await mqtt.request('DELETE', `${path}/data`);
  await expect.poll(() => heard.filter((count) => count === 0)).toHaveLength(1);
  await mqtt.request('DELETE', path);
  await expect.poll(() => heard.filter((count) => count === 0)).toHaveLength(2);
  stop();
  const cleared: number[] = [];
  mqtt.bridge.subscribe('requests.seen', ({ count, device_id }) => {
    if (device_id === null) cleared.push(count);
  });
  await mqtt.request('POST', '/_local/v1/requests/clear', { body: {} });
  await expect.poll(() => cleared).toContain(0);
});

test('a window hears of requests of its account, joined', async () => {
  const heard: { device_id: string | null; count: number; refused: number }[] = [];
  const own = await mqtt.makeDevice('http');
  mqtt.bridge.subscribe('requests.seen', (payload) => heard.push(payload), { device_id: own.id });
  for (let i = 0; i < 3; i++) await send(own.token, '{"n":1}');
  await send(own.token, '[]');
  await expect.poll(() => heard.reduce((sum, { count, refused }) => sum + count + 10 * refused, 0)).toBe(14);
});
