import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mqttWorld, type MqttWorld } from '../world.ts';

/* A gateway that empties its queue: mqtt.js, which does not hold itself to a Receive Maximum. */

const COUNT = 2000;

let world: MqttWorld;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

test.each([
  [4, 1],
  [4, 2],
  [5, 1],
  [5, 2],
] as const)(
  'protocol %i, QoS %i: two thousand at once are stored once each, and nobody is cut off',
  async (protocolVersion, qos) => {
    const device = await world.makeDevice();
    const client = await connectAsync(`mqtt://127.0.0.1:${world.port}`, {
      protocolVersion,
      username: device.id,
      password: device.token,
    });
    let cuts = 0;
    client.on('close', () => cuts++);
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    await Promise.all(numbers.map((n) => client.publishAsync(device.id, `{"n":${n}}`, { qos })));
    expect(cuts).toBe(0);
    expect(await world.valuesOf(device)).toEqual(numbers);
    await client.endAsync();
  },
);
