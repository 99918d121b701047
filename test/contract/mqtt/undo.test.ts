import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
} from './world.ts';

/* What the topic of a device has, when the device is deleted and had back. */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const record = (n: number) => JSON.stringify({ n });
const LASTING = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 60 } };

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { status, envelope } = await world.request(method, `/_local/v1/${path}`, { body });
  expect([status, envelope.message]).toEqual([200, envelope.message]);
  return envelope.data as T;
}
const remove = async (path: string) => (await ask<{ undo: { id: string } }>('DELETE', path)).undo.id;
const deviceOf = ({ project, id }: Device) => `projects/${project}/devices/${id}`;

/** A device with a retained message, and two that wait for a client which is away. */
async function lively(version: 4 | 5): Promise<Device> {
  device = await world.makeDevice();
  const away = await signedIn(world, device, version, LASTING);
  away.send(subscribeOf('#', 2));
  await away.nextOf('suback');
  away.end();
  await expect.poll(() => away.closed).toBe(true);
  const client = await signedIn(world, device, version);
  client.send(publishOf(device, record(1), { qos: 1, messageId: 1, retain: true }));
  await client.nextOf('puback');
  client.send(publishOf(device, record(2), { qos: 2, messageId: 2 }));
  await client.nextOf('pubrec');
  client.end();
  return device;
}

/** What the client that was away gets, and a new one. */
async function found(version: 4 | 5) {
  const away = await signedIn(world, device, version, LASTING);
  const fresh = await signedIn(world, device, version, { clientId: 'new' });
  fresh.send(subscribeOf('#', 0));
  await fresh.nextOf('suback');
  const [waiting, retained] = [await away.before(), await fresh.before()];
  for (const client of [away, fresh]) client.end();
  const payloads = (packets: readonly object[]) =>
    packets.map((packet) => ('payload' in packet ? String(packet.payload) : packet));
  return {
    sessionPresent: away.connack?.sessionPresent,
    waiting: payloads(waiting),
    retained: payloads(retained),
  };
}
const ALL = { sessionPresent: true, waiting: [record(1), record(2)], retained: [record(1)] };

describe.each([4, 5] as const)('protocol %i', (version) => {
  test.each([
    ['a device', false],
    ['a device', true],
    ['a project', false],
    ['a project', true],
  ])('%s that is had back has what it had (over a restart: %s)', async (what, isRestart) => {
    await lively(version);
    const id = await remove(what === 'a device' ? deviceOf(device) : `projects/${device.project}`);
    if (isRestart) world = await world.restarted();
    const refused = await rawClient(world.port, version);
    refused.send(connectOf(device, version));
    expect(await refused.next()).toMatchObject(version === 5 ? { reasonCode: 0x86 } : { returnCode: 4 });
    await ask('POST', `undo/${id}`, {});
    expect(await found(version)).toEqual(ALL);
    if (isRestart) world = await world.restarted();
    expect((await found(version)).retained).toEqual(ALL.retained);
  });
});

test('who is connected is sent away, and finds the session again with the device', async () => {
  device = await world.makeDevice();
  const client = await signedIn(world, device, 5, LASTING);
  const id = await remove(deviceOf(device));
  expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x98 });
  await ask('POST', `undo/${id}`, {});
  expect((await found(5)).sessionPresent).toBe(true);
});

test.each([
  ['a device', 'discarded'],
  ['a project', 'discarded'],
  ['a device', 'with its project'],
])('%s that goes for good, %s, takes it all along', async (what, how) => {
  await lively(5);
  const id = await remove(what === 'a device' ? deviceOf(device) : `projects/${device.project}`);
  if (how === 'discarded') await ask('DELETE', `undo/${id}`);
  else expect((await world.request('DELETE', `/v2/projects/${device.project}`)).status).toBe(200);
  world = await world.restarted();
  const kept = await readFile(join(world.directory, 'mqtt-sessions.journal'), 'utf8');
  expect(kept).not.toContain(device.id);
});

// What another service deletes ends a moment later here, with what was retained until then (docs/lab.md).
test.runIf(SERVICES === 1)(
  'records that are had back leave what was retained since they were deleted',
  async () => {
    await lively(5);
    const id = await remove(`${deviceOf(device)}/records`);
    const client = await signedIn(world, device);
    client.send(publishOf(device, record(3), { qos: 1, messageId: 1, retain: true }));
    await client.nextOf('puback');
    client.end();
    await ask('POST', `undo/${id}`, {});
    expect(await found(5)).toEqual({ sessionPresent: true, waiting: [record(3)], retained: [record(3)] });
    expect(await world.valuesOf(device)).toEqual([1, 2, 3]);
  },
);
