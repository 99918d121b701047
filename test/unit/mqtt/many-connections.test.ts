import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { IPublishPacket } from 'mqtt-packet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MOST_CONNECTIONS, MOST_UNKNOWN } from '#core/mqtt/limits.ts';
import type { Mqtt } from '#core/mqtt/mqtt.ts';
import { createPeerLimits } from '#core/net/peers.ts';
import type { RecordStore } from '#core/store/store.ts';
import { connectOf, RawClient } from '../../contract/mqtt/world.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* As many clients as there may be, over streams that take no descriptors: who is one too many, and that nobody else is. */

let mqtt: Mqtt;
let records: RecordStore;
let door: OpenDoor;
const connected = (address?: string) => door.connected(address);
const signedIn = (clientId: string) => door.signedIn(clientId);

beforeEach(async () => {
  door = await openDoor();
  ({ mqtt, records } = door);
});
afterEach(() => mqtt.close(0));

const publishOf = (n: number, more: Partial<IPublishPacket> = {}): IPublishPacket => ({
  cmd: 'publish',
  topic: DEVICE.id,
  payload: `{"n":${n}}`,
  qos: 1,
  messageId: 1,
  dup: false,
  retain: false,
  ...more,
});

async function store(client: RawClient, n: number): Promise<void> {
  client.send(publishOf(n));
  expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
}

test('as many as there may be are served, and one more is dropped', async () => {
  const clients: RawClient[] = [];
  while (clients.length < MOST_CONNECTIONS) {
    const names = Array.from({ length: 256 }, (_, n) => `client ${clients.length + n}`);
    clients.push(...(await Promise.all(names.map(signedIn))));
  }
  expect(mqtt.connections).toBe(MOST_CONNECTIONS);
  const more = new RawClient(connected(), 5);
  more.send(connectOf(DEVICE, 5, { clientId: 'one more' }));
  expect(await more.next()).toBeNull();
  for (let at = 0; at < clients.length; at += 256)
    await Promise.all(clients.slice(at, at + 256).map((client, n) => store(client, at + n)));
  expect(await records.count(DEVICE.id)).toBe(MOST_CONNECTIONS);
  clients[0]?.end();
  await expect.poll(() => mqtt.connections).toBe(MOST_CONNECTIONS - 1);
  await store(await signedIn('another'), 0);
  for (const client of clients) client.end();
});

test('of those that do not sign in, the one that has waited longest makes room', async () => {
  const good = await signedIn('good');
  const silent = Array.from({ length: MOST_UNKNOWN }, () => new RawClient(connected(), 5));
  const later = Array.from({ length: 10 }, () => new RawClient(connected(), 5));
  for (const dropped of silent.slice(0, 10)) expect(await dropped.next()).toBeNull();
  expect([...silent.slice(10), ...later].filter(({ closed }) => closed)).toEqual([]);
  await store(good, 1);
  for (const client of [...silent, ...later, good]) client.end();
});

test('of one other machine 256 are served, of a trusted proxy as many as there may be', async () => {
  const [machine, proxy] = ['10.0.0.7', '10.0.0.5'];
  await mqtt.close(0);
  door = await openDoor({ peers: createPeerLimits([proxy]) });
  ({ mqtt } = door);
  const connect = async (address: string) => {
    const clients = Array.from({ length: 300 }, () => new RawClient(connected(address), 5));
    for (const [n, client] of clients.entries())
      client.send(connectOf(DEVICE, 5, { clientId: `${address} ${n}` }));
    const answers = await Promise.all(clients.map((client) => client.next()));
    return { clients, served: answers.filter((answer) => answer?.cmd === 'connack').length };
  };
  const [ofMachine, ofProxy] = [await connect(machine), await connect(proxy)];
  expect([ofMachine.served, ofProxy.served]).toEqual([256, 300]);
  for (const client of [...ofMachine.clients, ...ofProxy.clients]) client.end();
});

test('who does not read what it asked for is cut off, and nobody waits for it', async () => {
  const slow = connected();
  const reader = new RawClient(slow, 5);
  reader.send(connectOf(DEVICE, 5, { clientId: 'slow' }));
  reader.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: DEVICE.id, qos: 1 }] });
  expect(await reader.next()).toMatchObject({ cmd: 'connack' });
  expect(await reader.next()).toMatchObject({ cmd: 'suback' });
  slow.pause();
  const closed = once(slow, 'close');
  const publisher = await signedIn('publisher');
  const payload = JSON.stringify({ text: 'x'.repeat(60_000) });
  for (let n = 0; n < 150; n++) {
    publisher.send(publishOf(n, { payload }));
    expect(await publisher.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
  }
  slow.resume();
  await closed;
  expect(mqtt.connections).toBe(1);
  await store(publisher, 1);
  await setImmediate();
  publisher.end();
});
