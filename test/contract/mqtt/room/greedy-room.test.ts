import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
} from '../world.ts';

/* What is kept for clients is shared (docs/mqtt.md, "Limits"): who fills all that is theirs keeps nobody else out. */

vi.mock('#core/mqtt/limits.ts', async (original) => ({
  ...(await original<object>()),
  MOST_KEPT_BYTES: 256 * 1024,
  MOST_KEPT_OF_PROJECT: 128 * 1024,
  MOST_KEPT_OF_DEVICE: 64 * 1024,
}));

let world: MqttWorld;
beforeAll(async () => void (world = await mqttWorld({}, { isAlone: true })));
afterAll(() => world.stop());

/** Devices of one project that each retain as much as there is room for. */
async function fill({ project }: Device): Promise<void> {
  for (let length = 60_000; length > 8; length = length > 15_000 ? length - 5000 : length >> 1) {
    const { envelope } = await world.request('POST', `/v2/projects/${project}/devices`, {
      body: { name: 'One of many', source: 'mqtt' },
    });
    const { device_id: id, device_token: token } = (
      envelope.data as unknown as { metadata: { device_id: string; device_token: string } }
    ).metadata;
    const device = { id, token, project };
    const client = await signedIn(world, device);
    const payload = JSON.stringify({ text: 'x'.repeat(length) });
    client.send(publishOf(device, payload, { qos: 1, messageId: 1, retain: true }));
    await client.nextOf('puback');
    client.end();
  }
}

/** Whether a device with a will is let in, and its last message is retained for who subscribes later. */
async function goesOn(device: Device): Promise<void> {
  const client = await rawClient(world.port, 4);
  const will = { topic: device.id, payload: Buffer.from('{"online":0}'), qos: 1, retain: false } as const;
  client.send(connectOf(device, 4, { will }));
  expect(await client.next()).toMatchObject({ cmd: 'connack', returnCode: 0 });
  client.send(publishOf(device, '{"n":1}', { qos: 1, messageId: 1, retain: true }));
  await client.nextOf('puback');
  client.send(subscribeOf(device.id, 1, { messageId: 2 }));
  expect((await client.nextOf('publish')).payload.toString()).toBe('{"n":1}');
  client.end();
}

test('the devices of one project leave room to those of others, after a start, too', async () => {
  const [greedy, other] = [await world.makeDevice(), await world.makeDevice()];
  await fill(greedy);
  await goesOn(other);
  world = await world.restarted();
  await fill(greedy);
  await goesOn(other);
});
