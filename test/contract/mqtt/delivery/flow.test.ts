import { afterAll, beforeAll, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, subscribeOf, type Device, type MqttWorld } from '../world.ts';

/* Subscribers that read slowly, and messages larger than what they may leave unread. */

let world: MqttWorld;
let device: Device;
beforeAll(async () => {
  world = await mqttWorld();
});
afterAll(() => world.stop());

const text = (n: number, bytes: number) =>
  JSON.stringify(Array.from({ length: Math.ceil(bytes / 1000) }, () => ({ n, text: 'x'.repeat(1000) })));
const numberOf = (payload: string | Buffer) => (JSON.parse(String(payload)) as { n: number }[])[0]?.n;

async function subscriber(clientId: string, qos: 0 | 1, version: 4 | 5 = 5) {
  const client = await signedIn(world, device, version, { clientId });
  client.send(subscribeOf('#', qos));
  await client.nextOf('suback');
  return client;
}

test.each([0, 1] as const)(
  'QoS %i: messages that wait for a reader come as it reads, all of them',
  async (qos) => {
    device = await world.makeDevice();
    const reader = await subscriber('reader', qos);
    const sender = await signedIn(world, device, 5, { clientId: 'sender' });
    const count = 8;
    for (let n = 0; n < count; n++)
      sender.send(publishOf(device, text(n, 300_000), { qos: 1, messageId: n + 1 }));
    for (let n = 0; n < count; n++) {
      const packet = await reader.nextOf('publish');
      expect(numberOf(packet.payload)).toBe(n);
      if (qos === 1) reader.send({ cmd: 'puback', messageId: packet.messageId });
    }
    expect(await reader.before()).toEqual([]);
    reader.end();
    sender.end();
  },
);

test.each([0, 1] as const)(
  'QoS %i: one message of 3 MiB arrives, though it is more than may be left unread',
  async (qos) => {
    device = await world.makeDevice();
    const reader = await subscriber('reader', qos);
    const sender = await signedIn(world, device, 5, { clientId: 'sender' });
    sender.send(publishOf(device, text(7, 3_000_000), { qos: 1, messageId: 1 }));
    expect(numberOf((await reader.nextOf('publish')).payload)).toBe(7);
    expect((await reader.before()).length).toBe(0);
    reader.end();
    sender.end();
  },
);

test('who does not read holds nobody up, is cut off, and gets what was kept for it when it is back', async () => {
  device = await world.makeDevice();
  const lasting = { clientId: 'slow', properties: { sessionExpiryInterval: 60 } };
  const slow = await signedIn(world, device, 5, lasting);
  slow.send(subscribeOf('#', 1));
  await slow.nextOf('suback');
  const quick = await subscriber('quick', 1);
  const sender = await signedIn(world, device, 5, { clientId: 'sender' });
  slow.stream.pause();
  for (let n = 0; n < 16; n++) {
    sender.send(publishOf(device, text(n, 1_000_000), { qos: 1, messageId: 1 }));
    const packet = await quick.nextOf('publish');
    expect(numberOf(packet.payload)).toBe(n);
    quick.send({ cmd: 'puback', messageId: packet.messageId });
    await sender.nextOf('puback');
  }
  slow.stream.resume();
  await expect.poll(() => slow.closed).toBe(true);
  const back = await signedIn(world, device, 5, { ...lasting, clean: false });
  const got: (number | undefined)[] = [];
  for (let n = 0; n < 3; n++) {
    const packet = await back.nextOf('publish');
    got.push(numberOf(packet.payload));
    back.send({ cmd: 'puback', messageId: packet.messageId });
  }
  expect(got).toEqual([0, 1, 2]);
  for (const each of [back, quick, sender]) each.end();
});
