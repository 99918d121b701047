import type { IPublishPacket } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mqttWorld, signedIn, type Device, type MqttWorld } from './world.ts';

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
