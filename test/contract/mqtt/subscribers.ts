import type { IPublishPacket } from 'mqtt-packet';
import { afterAll, beforeAll, expect } from 'vitest';
import { mqttWorld, publishOf, subscribeOf, type Device, type MqttWorld, type RawClient } from './world.ts';

/* A device, and clients that hear of it. */

export let world: MqttWorld;
export let device: Device;
/** For all tests of the file that calls it. */
export function deviceThatIsHeard(): void {
  beforeAll(async () => void (world = await mqttWorld()));
  afterAll(() => world.stop());
}

/** The service again, in the same folder. */
export const restart = async () => void (world = await world.restarted());

export const fresh = async () => (device = await world.makeDevice());
export const record = (n: number) => JSON.stringify({ n });

/** Subscribes and says what was granted. */
export async function granted(client: RawClient, ...filters: string[]): Promise<unknown> {
  const [first] = filters.map((topic) => subscribeOf(topic, 1, { messageId: 9 }));
  const subscriptions = filters.flatMap((topic) => subscribeOf(topic, 1).subscriptions);
  client.send({ ...first!, subscriptions });
  const answer = await client.nextOf('suback');
  expect(answer.messageId).toBe(9);
  return answer.granted;
}

/** Publishes with QoS 1 and waits until it is acknowledged, and with that handed on. */
export async function publish(client: RawClient, payload: string, more: Partial<IPublishPacket> = {}) {
  client.send(publishOf(device, payload, { qos: 1, messageId: 500, ...more }));
  if (more.qos !== 0) await client.nextOf(more.qos === 2 ? 'pubrec' : 'puback');
}

export const heard = async (client: RawClient) =>
  (await client.before())
    .filter((packet) => packet.cmd === 'publish')
    .map((packet) => String(packet.payload));
