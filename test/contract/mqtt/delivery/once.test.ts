import type { IPublishPacket } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, signedIn, type Device, type MqttWorld, type RawClient } from '../world.ts';

/* QoS 2: what is sent again before it was acknowledged is one message, for the records and for whoever subscribed. */

let world: MqttWorld;
beforeAll(async () => {
  world = await mqttWorld();
});
afterAll(() => world.stop());

const publishOf = ({ id }: Device, more: Partial<IPublishPacket> = {}): IPublishPacket => ({
  cmd: 'publish',
  topic: id,
  payload: '{"n":1}',
  qos: 2,
  messageId: 1,
  retain: false,
  dup: false,
  ...more,
});

test('a message that comes twice at once is stored once and heard once', async () => {
  const device = await world.makeDevice();
  const hearer = await signedIn(world, device, 5, { clientId: 'hearer' });
  hearer.send({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: [{ topic: device.id, qos: 0 }],
  });
  expect(await hearer.next()).toMatchObject({ cmd: 'suback' });
  const client = await signedIn(world, device, 5, { clientId: 'sender' });
  client.send(publishOf(device), publishOf(device, { dup: true }));
  for (let times = 0; times < 2; times++)
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 1, reasonCode: 0 });
  client.send({ cmd: 'pubrel', messageId: 1 });
  expect(await client.next()).toMatchObject({ cmd: 'pubcomp', reasonCode: 0 });
  client.send(publishOf(device, { qos: 1, payload: '{"n":2}' }));
  expect(await client.next()).toMatchObject({ cmd: 'puback' });
  for (const payload of ['{"n":1}', '{"n":2}'])
    expect(await hearer.next()).toMatchObject({ cmd: 'publish', payload: Buffer.from(payload) });
  expect(await world.recordsOf(device)).toHaveLength(2);
  client.end();
  hearer.end();
});

test('an empty retained message, which stores nothing, is released like any other', async () => {
  const device = await world.makeDevice();
  const client = await signedIn(world, device);
  client.send(publishOf(device, { payload: '', retain: true }));
  expect(await client.next()).toMatchObject({ cmd: 'pubrec', reasonCode: 0 });
  client.send({ cmd: 'pubrel', messageId: 1 });
  expect(await client.next()).toMatchObject({ cmd: 'pubcomp', reasonCode: 0 });
  client.end();
});

test('a session that ends with its connection is not taken over by another connection', async () => {
  const device = await world.makeDevice();
  const first = await signedIn(world, device, 5, { properties: { sessionExpiryInterval: 0 } });
  first.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: device.id, qos: 1 }] });
  expect(await first.next()).toMatchObject({ cmd: 'suback' });
  const second = await signedIn(world, device, 5, {
    clean: false,
    properties: { sessionExpiryInterval: 60 },
  });
  expect(await first.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e });
  expect(second.connack).toMatchObject({ sessionPresent: false });
  second.end();
});

const LASTING = { clientId: 'lasting', clean: false, properties: { sessionExpiryInterval: 600 } };

async function exchange(client: RawClient, packet: IPublishPacket): Promise<void> {
  const { messageId = 0 } = packet;
  client.send(packet);
  expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId });
  client.send({ cmd: 'pubrel', messageId });
  expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId });
}

/** Ends before its PUBREL. */
async function cutBehind(client: RawClient, packet: IPublishPacket): Promise<void> {
  client.send(packet);
  expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: packet.messageId });
  client.end();
  await expect.poll(() => client.closed).toBe(true);
}

describe.each([4, 5] as const)(
  'a client that has lost its memory, and counts from 1 again, protocol %i',
  (version) => {
    test.each(['is stored', 'was refused'])(
      'is heard, where its session has another message of that identifier which %s',
      async (what) => {
        const device = await world.makeDevice();
        const isStored = what === 'is stored';
        const first = await signedIn(world, device, version, LASTING);
        await cutBehind(first, publishOf(device, { payload: isStored ? '{"n":1}' : 'none' }));
        const second = await signedIn(world, device, version, LASTING);
        expect(second.connack).toMatchObject({ sessionPresent: true });
        await exchange(second, publishOf(device, { payload: '{"n":2}' }));
        expect(await world.valuesOf(device)).toEqual(isStored ? [1, 2] : [2]);
        second.end();
      },
    );

    test('is heard over a restart, and what comes again as it was is stored once', async () => {
      const device = await world.makeDevice();
      await cutBehind(await signedIn(world, device, version, LASTING), publishOf(device));
      world = await world.restarted();
      await cutBehind(await signedIn(world, device, version, LASTING), publishOf(device, { dup: true }));
      const third = await signedIn(world, device, version, LASTING);
      await exchange(third, publishOf(device, { payload: '{"n":2}' }));
      expect(await world.valuesOf(device)).toEqual([1, 2]);
      third.end();
    });
  },
);

test('what says that it comes again is the message of its identifier, whatever is in it', async () => {
  const device = await world.makeDevice();
  await cutBehind(await signedIn(world, device, 5, LASTING), publishOf(device));
  const client = await signedIn(world, device, 5, LASTING);
  await exchange(client, publishOf(device, { payload: '{"n":2}', dup: true }));
  expect(await world.valuesOf(device)).toEqual([1]);
  client.end();
});

test('a message is known over a restart, also behind more others than the record store knows receipts of', async () => {
  const device = await world.makeDevice();
  const client = await signedIn(world, device, 5, LASTING);
  client.send(publishOf(device));
  expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 1 });
  const OTHERS = 3000;
  const AT_ONCE = 250;
  for (let from = 2; from < OTHERS; from += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, i) => from + i);
    client.send(...ids.map((messageId) => publishOf(device, { messageId, payload: '{"other":1}' })));
    for (const messageId of ids) expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId });
    client.send(...ids.map((messageId) => ({ cmd: 'pubrel', messageId }) as const));
    for (const messageId of ids) expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId });
  }
  client.end();
  world = await world.restarted();
  const back = await signedIn(world, device, 5, LASTING);
  await exchange(back, publishOf(device, { dup: true }));
  const stored = (await world.valuesOf(device)).filter((n) => n !== undefined);
  expect(stored).toEqual([1]);
  back.end();
});
