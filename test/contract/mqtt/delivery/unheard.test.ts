import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, subscribeOf, type Device, type MqttWorld } from '../world.ts';

/*
 * Records that went while the service whose sessions these are did not hear of it: it was killed in that moment, or is one
 * of several over a database, and was off. Its journal is then as it was before.
 */

let world: MqttWorld;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const LASTING = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 3600 } };

async function ask<T>(method: string, path: string): Promise<T> {
  const body = method === 'POST' ? {} : undefined;
  const { status, envelope } = await world.request(method, `/_local/v1/${path}`, { body });
  expect([status, envelope.message]).toEqual([200, envelope.message]);
  return envelope.data as T;
}
const remove = async (path: string) => (await ask<{ undo: { id: string } }>('DELETE', path)).undo.id;
const HOUR = 3_600_000;
const ofDevice = ({ project, id }: Device) => `projects/${project}/devices/${id}`;
const rangeOf = (device: Device, from: number, to: number) => {
  const [start, end] = [from, to].map((hours) => new Date(Date.now() + hours * HOUR).toISOString());
  return `${ofDevice(device)}/records?start=${start}&end=${end}`;
};
const hourOf = (device: Device) => rangeOf(device, -1, 1);

/** A device with a message that is retained, and waits for a client that is away. */
async function lively(): Promise<Device> {
  const device = await world.makeDevice();
  const away = await signedIn(world, device, 5, LASTING);
  away.send(subscribeOf('#', 1));
  await away.nextOf('suback');
  away.end();
  await expect.poll(() => away.closed).toBe(true);
  const client = await signedIn(world, device);
  client.send(publishOf(device, '{"n":1}', { qos: 1, messageId: 1, retain: true }));
  await client.nextOf('puback');
  client.end();
  return device;
}

/** Does something that the sessions of the service do not learn. */
async function unheard(work: () => Promise<unknown>): Promise<void> {
  const { directory } = world;
  const journal = join(directory, 'mqtt-sessions.journal');
  world = await world.restarted();
  const before = await readFile(journal);
  await work();
  await world.service.close();
  await writeFile(journal, before);
  world = await mqttWorld({ directory });
}

/** What the client that was away gets, and a new one. */
async function heard(device: Device): Promise<number> {
  const away = await signedIn(world, device, 5, LASTING);
  const fresh = await signedIn(world, device, 5, { clientId: 'new' });
  fresh.send(subscribeOf('#', 0));
  await fresh.nextOf('suback');
  const packets = [...(await away.before()), ...(await fresh.before())];
  for (const client of [away, fresh]) client.end();
  return packets.length;
}

test('nothing at all leaves the message where it was', async () => {
  const device = await lively();
  await unheard(async () => {});
  expect(await heard(device)).toBe(2);
});

test.each([
  [
    'an hour that is kept for undo',
    async (device: Device) => {
      await remove(hourOf(device));
    },
  ],
  [
    'an hour that was then removed for good',
    async (device: Device) => {
      await ask('DELETE', `undo/${await remove(hourOf(device))}`);
    },
  ],
  [
    'an hour that was removed for good while the device was deleted',
    async (device: Device) => {
      const hour = await remove(hourOf(device));
      const all = await remove(ofDevice(device));
      await ask('DELETE', `undo/${hour}`);
      await ask('POST', `undo/${all}`);
    },
  ],
  [
    'all records, removed for good',
    async (device: Device) => {
      await ask('DELETE', `undo/${await remove(`${ofDevice(device)}/records`)}`);
    },
  ],
])('no message brings back %s', async (_, work) => {
  const device = await lively();
  await unheard(() => work(device));
  expect(await world.recordsOf(device)).toEqual([]);
  expect(await heard(device)).toBe(0);
});

/** One with a record of ten hours ago, too, that no message brought last. */
async function withAnOlder(): Promise<Device> {
  const device = await lively();
  const timestamp = new Date(Date.now() - 10 * HOUR).toISOString();
  const client = await signedIn(world, device);
  client.send(publishOf(device, JSON.stringify({ timestamp, n: 0 }), { qos: 0 }));
  client.end();
  await expect.poll(async () => (await world.recordsOf(device)).length).toBe(2);
  return device;
}

describe.each([
  ['as they go', async (work: () => Promise<unknown>) => void (await work())],
  ['unheard', unheard],
])('ranges that hold no record of a message leave it, %s', (_, during) => {
  test('one with nothing in it', async () => {
    const device = await lively();
    await during(() => remove(rangeOf(device, -5, -4)));
    expect(await heard(device)).toBe(2);
  });

  test('one with other records, kept for undo and then removed for good', async () => {
    const device = await withAnOlder();
    await during(async () => {
      await ask('DELETE', `undo/${await remove(rangeOf(device, -11, -9))}`);
    });
    expect(await world.recordsOf(device)).toHaveLength(1);
    expect(await heard(device)).toBe(2);
  });

  test('and the one with its record takes it', async () => {
    const device = await withAnOlder();
    await during(() => remove(hourOf(device)));
    expect(await world.recordsOf(device)).toHaveLength(1);
    expect(await heard(device)).toBe(0);
  });
});
