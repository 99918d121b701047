import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, type Device, type MqttWorld } from './world.ts';

/* A client that no one here wrote: mqtt.js, over each version and each QoS. */

let world: MqttWorld;
beforeAll(async () => {
  world = await mqttWorld();
});
afterAll(() => world.stop());

async function connected(device: Device, version: 4 | 5, more: IClientOptions = {}): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${world.port}`, {
    protocolVersion: version,
    username: device.id,
    password: device.token,
    reconnectPeriod: 0,
    ...more,
  });
}

describe.each([4, 5] as const)('mqtt.js, protocol %i', (version) => {
  test.each([0, 1, 2] as const)('stores with QoS %i what it publishes, and hears it', async (qos) => {
    const device = await world.makeDevice();
    const client = await connected(device, version);
    const heard: string[] = [];
    client.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`));
    await client.subscribeAsync(device.id, { qos });
    await client.publishAsync(device.id, '{"temperature":21.5}', { qos });
    await expect.poll(() => heard).toEqual([`${device.id} {"temperature":21.5}`]);
    await expect.poll(() => world.recordsOf(device)).toMatchObject([{ temperature: 21.5 }]);
    await client.endAsync();
  });
});
