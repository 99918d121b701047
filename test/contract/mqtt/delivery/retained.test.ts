import { describe, afterAll, beforeAll, expect, test } from 'vitest';
import {
  mqttWorld,
  publishOf,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
  type RawClient,
} from '../world.ts';

/* Retained messages and their expiry (3.3.1.3; MQTT 5, 3.3.2.3.3). */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const record = (n: number) => JSON.stringify({ n });

async function retain(client: RawClient, payload: string, more = {}): Promise<void> {
  client.send(publishOf(device, payload, { qos: 1, messageId: 1, retain: true, ...more }));
  await client.nextOf('puback');
}

/** What a new subscriber gets at once. */
async function retainedFor(of: Device = device, version: 4 | 5 = 5, inside: MqttWorld = world) {
  const client = await signedIn(inside, of, version, { clientId: 'new' });
  client.send(subscribeOf('#', 2));
  await client.nextOf('suback');
  const got = await client.before();
  client.end();
  return got.map((packet) => {
    if (packet.cmd !== 'publish') throw new Error(`Got ${packet.cmd}.`);
    return {
      payload: String(packet.payload),
      qos: packet.qos,
      retain: packet.retain,
      properties: packet.properties,
    };
  });
}

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('[MQTT-3.3.1-5] [MQTT-3.3.1-6] the last one is kept, stored once, and sent to who subscribes', async () => {
    const client = await signedIn(world, await fresh(), version);
    await retain(client, record(1));
    expect(await retainedFor(device, version)).toMatchObject([{ payload: record(1), qos: 1, retain: true }]);
    await retain(client, record(2));
    client.send(publishOf(device, record(3), { qos: 1, messageId: 2 }));
    await client.nextOf('puback');
    expect(await retainedFor(device, version)).toMatchObject([{ payload: record(2), qos: 1, retain: true }]);
    expect(await world.valuesOf(device)).toEqual([1, 2, 3]);
    client.end();
  });

  test('[MQTT-3.3.1-7] an empty one takes it away and stores nothing', async () => {
    const client = await signedIn(world, await fresh(), version);
    await retain(client, record(1));
    await retain(client, '');
    expect(await retainedFor(device, version)).toEqual([]);
    expect(await world.valuesOf(device)).toEqual([1]);
    client.end();
  });

  test('one that is not stored is not retained either', async () => {
    const client = await signedIn(world, await fresh(), version);
    await retain(client, record(1));
    await retain(client, '{"n":');
    expect(await retainedFor(device, version)).toMatchObject([{ payload: record(1) }]);
    client.end();
  });
});

test.each([1, 2] as const)(
  'one that is too large is stored and handed on, takes the one before it away, and its publisher is told, QoS %i',
  async (qos) => {
    const client = await signedIn(world, await fresh());
    await retain(client, record(1));
    const large = JSON.stringify(Array.from({ length: 2 }, () => ({ n: 2, text: 'x'.repeat(40_000) })));
    client.send(publishOf(device, large, { qos, messageId: 2, retain: true }));
    expect(await client.next()).toMatchObject({
      messageId: 2,
      reasonCode: 0,
      properties: { reasonString: expect.stringMatching(/not retained.*65536 are the most/) },
    });
    expect(await retainedFor()).toEqual([]);
    expect(await world.valuesOf(device)).toEqual([1, 2, 2]);
    expect(world.logged.filter((line) => line.includes(device.id))).toEqual([
      expect.stringContaining('not retained'),
    ]);
    client.end();
  },
);

test('an empty one that is not to be retained is no record, and said to be none', async () => {
  const client = await signedIn(world, await fresh());
  client.send(publishOf(device, '', { qos: 1, messageId: 1 }));
  expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0x99 });
  client.end();
});

test('it outlives the service with all that belongs to it, and its end does, too', async () => {
  const properties = {
    contentType: 'application/json',
    correlationData: Buffer.from([0, 255]),
    userProperties: { unit: 'K' },
    responseTopic: 'a/b',
    payloadFormatIndicator: true,
  };
  let own = await mqttWorld();
  device = await own.makeDevice();
  const cleared = await own.makeDevice();
  for (const each of [device, cleared]) {
    const client = await signedIn(own, each);
    client.send(publishOf(each, record(1), { qos: 1, messageId: 1, retain: true, properties }));
    await client.nextOf('puback');
    if (each === cleared) client.send(publishOf(each, '', { qos: 1, messageId: 2, retain: true }));
    if (each === cleared) await client.nextOf('puback');
    client.end();
  }
  for (let i = 0; i < 2; i++) {
    own = await own.restarted();
    expect(await retainedFor(device, 5, own)).toEqual([
      { payload: record(1), qos: 1, retain: true, properties },
    ]);
    expect(await retainedFor(cleared, 5, own)).toEqual([]);
  }
  await own.stop();
});

describe('message expiry', () => {
  test('[MQTT-3.3.2-5] [MQTT-3.3.2-6] the interval that is left goes with it, and nothing behind it', async () => {
    const client = await signedIn(world, await fresh());
    await retain(client, record(1), { properties: { messageExpiryInterval: 100 } });
    const [got] = await retainedFor();
    expect(got?.properties?.messageExpiryInterval).toBeGreaterThan(90);
    expect(got?.properties?.messageExpiryInterval).toBeLessThanOrEqual(100);
    await retain(client, record(2), { properties: { messageExpiryInterval: 1 } });
    await expect.poll(() => retainedFor()).toEqual([]);
    expect(await world.valuesOf(device)).toEqual([1, 2]);
    client.end();
  });

  test('what waits for a session that is away expires as well', async () => {
    const more = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 60 } };
    const away = await signedIn(world, await fresh(), 5, more);
    away.send(subscribeOf('#', 1));
    await away.nextOf('suback');
    away.end();
    const client = await signedIn(world, device);
    await expect.poll(() => away.closed).toBe(true);
    client.send(
      publishOf(device, record(1), { qos: 1, messageId: 1, properties: { messageExpiryInterval: 1 } }),
      publishOf(device, record(2), { qos: 1, messageId: 2 }),
    );
    await client.nextOf('puback');
    await client.nextOf('puback');
    await client.silence(1100);
    const back = await signedIn(world, device, 5, more);
    expect(await back.next()).toMatchObject({ cmd: 'publish', payload: Buffer.from(record(2)) });
    client.end();
    back.end();
  });
});
