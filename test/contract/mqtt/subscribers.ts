import type { IPublishPacket } from 'mqtt-packet';
import { expect } from 'vitest';
import { publishOf, subscribeOf, type RawClient } from './world.ts';
import { device } from './one-device.ts';

/* A device, and clients that hear of it. */

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
