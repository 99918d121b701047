import type { Packet } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  mqttWorld,
  publishOf,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
  type RawClient,
} from '../world.ts';

/*
 * Each exchange of QoS 1 and 2, in both directions, that ends at each of its steps and goes on in the same session: what
 * comes again, with which flag and identifier, and what of it is there afterwards (4.3, 4.4; MQTT 5, 4.4).
 */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const LASTING = { clientId: 'one', clean: false, properties: { sessionExpiryInterval: 600 } };
const RECORD = '{"n":1}';
type Version = 4 | 5;

const back = (version: Version) => signedIn(world, device, version, LASTING);
async function gone(client: RawClient): Promise<void> {
  client.end();
  await expect.poll(() => client.closed).toBe(true);
}

/** A client that is subscribed, and the first PUBLISH that it gets. */
async function hears(version: Version, qos: 1 | 2) {
  device = await world.makeDevice();
  const client = await back(version);
  client.send(subscribeOf(device.id, qos));
  await client.nextOf('suback');
  const sender = await signedIn(world, device, version, { clientId: 'sender' });
  sender.send(publishOf(device, RECORD, { qos, messageId: 77 }));
  const first = await client.nextOf('publish');
  sender.end();
  expect(first).toMatchObject({ qos, dup: false, retain: false, payload: Buffer.from(RECORD) });
  return { client, first, messageId: first.messageId ?? 0 };
}

/** What comes over the next connection of the session before anything else. */
async function again(version: Version): Promise<{ client: RawClient; got: readonly Packet[] }> {
  const client = await back(version);
  expect(client.connack?.sessionPresent).toBe(true);
  return { client, got: await client.before() };
}

describe.each([4, 5] as const)('from the service, protocol %i', (version) => {
  test('QoS 1 without its PUBACK comes again, with DUP and the same identifier; with it, it does not', async () => {
    const { client, messageId } = await hears(version, 1);
    await gone(client);
    const second = await again(version);
    expect(second.got).toMatchObject([{ cmd: 'publish', qos: 1, dup: true, messageId }]);
    second.client.send({ cmd: 'puback', messageId });
    expect(await second.client.before()).toEqual([]);
    await gone(second.client);
    expect((await again(version)).got).toEqual([]);
  });

  test('QoS 2 without its PUBREC comes again, with DUP and the same identifier', async () => {
    const { client, messageId } = await hears(version, 2);
    await gone(client);
    const second = await again(version);
    expect(second.got).toMatchObject([{ cmd: 'publish', qos: 2, dup: true, messageId }]);
    second.client.end();
  });

  test('QoS 2 behind its PUBREC comes as PUBREL, until its PUBCOMP, and not as a message', async () => {
    const { client, messageId } = await hears(version, 2);
    client.send({ cmd: 'pubrec', messageId });
    expect(await client.next()).toMatchObject({ cmd: 'pubrel', messageId });
    await gone(client);
    const second = await again(version);
    expect(second.got).toMatchObject([{ cmd: 'pubrel', messageId }]);
    second.client.send({ cmd: 'pubcomp', messageId });
    expect(await second.client.before()).toEqual([]);
    await gone(second.client);
    expect((await again(version)).got).toEqual([]);
  });

  test('a session that is begun anew gets nothing of the one before', async () => {
    const { client } = await hears(version, 2);
    await gone(client);
    const fresh = await signedIn(world, device, version, { ...LASTING, clean: true });
    expect(fresh.connack?.sessionPresent).toBe(false);
    expect(await fresh.before()).toEqual([]);
    fresh.end();
  });

  test.each(['puback', 'pubrec', 'pubcomp'] as const)(
    'a %s of what nobody sent ends nothing',
    async (cmd) => {
      device = await world.makeDevice();
      const client = await back(version);
      client.send({ cmd, messageId: 4711 });
      const got = await client.before();
      expect(got.filter((packet) => packet.cmd !== 'pubrel')).toEqual([]);
      client.end();
    },
  );
});

describe.each([4, 5] as const)('to the service, protocol %i', (version) => {
  const publish = (dup = false) => publishOf(device, RECORD, { qos: 2, messageId: 5, dup });
  const values = () => world.valuesOf(device);

  test('QoS 2 that ends behind PUBLISH, PUBREC or PUBREL is stored and heard once', async () => {
    for (const step of ['publish', 'pubrec', 'pubrel'] as const) {
      device = await world.makeDevice();
      const watcher = await signedIn(world, device, version, { clientId: 'watcher' });
      watcher.send(subscribeOf('#', 0));
      await watcher.nextOf('suback');
      const client = await back(version);
      client.send(publish());
      if (step !== 'publish') expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 5 });
      if (step === 'pubrel') {
        client.send({ cmd: 'pubrel', messageId: 5 });
        await client.nextOf('pubcomp');
      }
      await watcher.nextOf('publish');
      await gone(client);
      const second = await back(version);
      if (step !== 'pubrel') {
        second.send(publish(true));
        expect(await second.next()).toMatchObject({ cmd: 'pubrec', messageId: 5 });
      }
      second.send({ cmd: 'pubrel', messageId: 5 });
      expect(await second.next()).toMatchObject({ cmd: 'pubcomp', messageId: 5 });
      expect([step, await values(), await watcher.before()]).toEqual([step, [1], []]);
      second.end();
      watcher.end();
    }
  });

  test('the identifier of a message that was released is another message’s', async () => {
    device = await world.makeDevice();
    const client = await back(version);
    for (const n of [1, 2, 3]) {
      client.send(publishOf(device, `{"n":${n}}`, { qos: 2, messageId: 5 }));
      await client.nextOf('pubrec');
      client.send({ cmd: 'pubrel', messageId: 5 });
      await client.nextOf('pubcomp');
    }
    expect(await values()).toEqual([1, 2, 3]);
    client.end();
  });

  test('one identifier may be a message’s in either direction at the same time (2.2.1)', async () => {
    const { client, messageId } = await hears(version, 2);
    client.send(publishOf(device, '{"n":2}', { qos: 2, messageId }));
    const got = [await client.next(), await client.next()];
    expect(new Set(got.map((packet) => packet?.cmd))).toEqual(new Set(['publish', 'pubrec']));
    client.send({ cmd: 'pubrec', messageId }, { cmd: 'pubrel', messageId });
    const then = [await client.next(), await client.next()];
    expect(new Set(then.map((packet) => packet?.cmd))).toEqual(new Set(['pubcomp', 'pubrel']));
    expect(await values()).toEqual([1, 2]);
    client.end();
  });

  test('65,535 is an identifier like any other, and 1 comes behind it', async () => {
    device = await world.makeDevice();
    const client = await back(version);
    for (const messageId of [65_535, 1]) {
      client.send(publishOf(device, `{"n":${messageId}}`, { qos: 1, messageId }));
      expect(await client.next()).toMatchObject({ cmd: 'puback', messageId });
    }
    expect(await values()).toEqual([65_535, 1]);
    client.end();
  });

  test('a PUBREL of what nobody sent is answered', async () => {
    device = await world.makeDevice();
    const client = await back(version);
    client.send({ cmd: 'pubrel', messageId: 9 });
    const notFound = version === 5 ? { reasonCode: 0x92 } : {};
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 9, ...notFound });
    client.end();
  });
});
