import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
  type RawClient,
} from './world.ts';

/* Sessions that outlive their connections (3.1.2.4, 4.1, 4.4; MQTT 5, 3.1.2.11.2), and the service. */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const record = (n: number) => JSON.stringify({ n });
/** Of a session that is to be kept, whichever version. */
const LASTING = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 60 } };

/** Connects with it; says whether there was one. */
async function back(version: 4 | 5, more: Record<string, unknown> = LASTING) {
  const client = await rawClient(world.port, version);
  client.send(connectOf(device, version, more));
  const answer = await client.nextOf('connack');
  expect(answer.returnCode ?? answer.reasonCode).toBe(0);
  return { client, sessionPresent: answer.sessionPresent };
}

async function subscribed(version: 4 | 5, qos: 0 | 1 | 2 = 2, more: Record<string, unknown> = LASTING) {
  const { client } = await back(version, more);
  client.send(subscribeOf('#', qos));
  await client.nextOf('suback');
  return client;
}

async function gone(client: RawClient): Promise<void> {
  client.end();
  // The service sees it before anything that is sent from now on.
  const other = await signedIn(world, device, 5, { clientId: 'passing' });
  await other.before();
  other.end();
}

async function publish(payloads: readonly string[], qos: 0 | 1 | 2): Promise<void> {
  const client = await signedIn(world, device, 5, { clientId: 'sender' });
  for (const [i, payload] of payloads.entries()) {
    client.send(publishOf(device, payload, { qos, ...(qos > 0 && { messageId: i + 1 }) }));
    if (qos > 0) await client.nextOf(qos === 1 ? 'puback' : 'pubrec');
  }
  await client.before();
  client.end();
}

/** The next messages, which are confirmed as they should be. */
async function take(client: RawClient, count: number) {
  const got: { payload: string; qos: number; dup: boolean; id: number | undefined }[] = [];
  while (got.length < count) {
    const packet = await client.next();
    if (packet?.cmd === 'pubrel') client.send({ cmd: 'pubcomp', messageId: packet.messageId });
    if (packet?.cmd !== 'publish') continue;
    const { payload, qos, dup, messageId } = packet;
    got.push({ payload: String(payload), qos, dup, id: messageId });
    if (qos > 0) client.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId });
  }
  return got;
}
const payloadsOf = (got: readonly { readonly payload: string }[]) => got.map(({ payload }) => payload);

/** With another service in the same folder, where that is what is tried. */
const between = { 'the same service': false, 'a restart': true };

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('[MQTT-3.2.2-2] a clean start finds none, and leaves none', async () => {
    await fresh();
    const { client, sessionPresent } = await back(version, { clientId: 'away', clean: true });
    expect(sessionPresent).toBe(false);
    await gone(client);
    const again = await back(version);
    expect(again.sessionPresent).toBe(false);
    await gone(again.client);
    const third = await back(version);
    expect(third.sessionPresent).toBe(true);
    await gone(third.client);
    const fourth = await back(version, { ...LASTING, clean: true });
    expect(fourth.sessionPresent).toBe(false);
    fourth.client.end();
  });

  test.each(Object.entries(between))(
    '[MQTT-3.1.2-5] QoS 1 and 2 wait for who is away, in order, over %s',
    async (_what, isRestart) => {
      await fresh();
      await gone(await subscribed(version));
      const payloads = Array.from({ length: 8 }, (_, i) => record(i));
      await publish(payloads.slice(0, 4), 1);
      await publish([record(100)], 0);
      await publish(payloads.slice(4), 2);
      if (isRestart) world = await world.restarted();
      const { client, sessionPresent } = await back(version);
      expect(sessionPresent).toBe(true);
      const got = await take(client, 8);
      expect(payloadsOf(got)).toEqual(payloads);
      expect(got.map(({ qos }) => qos)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
      // Subscribed still, and nothing comes twice.
      await publish([record(9)], 1);
      expect(payloadsOf(await take(client, 1))).toEqual([record(9)]);
      client.end();
    },
  );

  test.each(Object.entries(between))(
    '[MQTT-4.4.0-1] what was not confirmed comes again with DUP and its identifier, over %s',
    async (_what, isRestart) => {
      await fresh();
      const client = await subscribed(version);
      await publish([record(1)], 1);
      await publish([record(2)], 2);
      const first = [await client.nextOf('publish'), await client.nextOf('publish')];
      expect(first.map(({ dup }) => dup)).toEqual([false, false]);
      await gone(client);
      if (isRestart) world = await world.restarted();
      const { client: again } = await back(version);
      const second = await take(again, 2);
      expect(second).toEqual(
        first.map(({ payload, qos, messageId }) => ({
          payload: String(payload),
          qos,
          dup: true,
          id: messageId,
        })),
      );
      again.end();
    },
  );

  test.each(Object.entries(between))(
    '[MQTT-4.3.3-5] QoS 2 that has arrived goes on with PUBREL, over %s',
    async (_what, isRestart) => {
      await fresh();
      const client = await subscribed(version);
      await publish([record(1)], 2);
      const { messageId } = await client.nextOf('publish');
      client.send({ cmd: 'pubrec', messageId });
      expect(await client.next()).toMatchObject({ cmd: 'pubrel', messageId });
      await gone(client);
      if (isRestart) world = await world.restarted();
      const { client: again } = await back(version);
      expect(await again.next()).toMatchObject({ cmd: 'pubrel', messageId });
      again.send({ cmd: 'pubcomp', messageId });
      expect(await again.before()).toEqual([]);
      await gone(again);
      const { client: third } = await back(version);
      expect(await third.before()).toEqual([]);
      third.end();
    },
  );

  test('[MQTT-4.3.3-10] QoS 2 that comes again after a restart is stored once, and handed on once', async () => {
    await fresh();
    const watcher = await subscribed(version, 2, { ...LASTING, clientId: 'watcher' });
    const { client } = await back(version);
    const packet = publishOf(device, record(1), { qos: 2, messageId: 7 });
    client.send(packet);
    await client.nextOf('pubrec');
    expect(payloadsOf(await take(watcher, 1))).toEqual([record(1)]);
    expect(await watcher.nextOf('pubrel')).toBeDefined();
    watcher.send({ cmd: 'pubcomp', messageId: 1 });
    await watcher.before();
    world = await world.restarted();
    const { client: again, sessionPresent } = await back(version);
    expect(sessionPresent).toBe(true);
    again.send({ ...packet, dup: true });
    expect(await again.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    again.send({ cmd: 'pubrel', messageId: 7 });
    expect(await again.next()).toMatchObject({ cmd: 'pubcomp', messageId: 7 });
    again.send(publishOf(device, record(2), { qos: 2, messageId: 7 }));
    await again.nextOf('pubrec');
    expect(await world.valuesOf(device)).toEqual([1, 2]);
    const { client: watching } = await back(version, { ...LASTING, clientId: 'watcher' });
    expect(payloadsOf(await take(watching, 1))).toEqual([record(2)]);
    again.end();
    watching.end();
  });

  test('[MQTT-3.1.4-3] who connects again takes the session over', async () => {
    await fresh();
    const client = await subscribed(version);
    const { client: other, sessionPresent } = await back(version);
    expect(sessionPresent).toBe(true);
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e });
    await publish([record(1)], 1);
    expect(payloadsOf(await take(other, 1))).toEqual([record(1)]);
    other.end();
  });

  test('more than may wait is dropped: the first thousand come, and nobody else notices', async () => {
    await fresh();
    await gone(await subscribed(version, 1));
    const sender = await signedIn(world, device, 4, { clientId: 'sender' });
    for (let i = 0; i < 1100; i++) sender.send(publishOf(device, record(i), { qos: 1, messageId: i + 1 }));
    for (let i = 0; i < 1100; i++) await sender.nextOf('puback');
    expect(await world.recordsOf(device)).toHaveLength(1100);
    const { client } = await back(version);
    const got = await take(client, 1000);
    expect(payloadsOf(got)).toEqual(Array.from({ length: 1000 }, (_, i) => record(i)));
    await publish([record(5000)], 1);
    expect(payloadsOf(await take(client, 1))).toEqual([record(5000)]);
    client.end();
    sender.end();
  });

  test('of one device sixteen may be away: those that left first are ended', async () => {
    await fresh();
    for (let i = 0; i < 18; i++)
      await gone((await back(version, { ...LASTING, clientId: `away-${i}` })).client);
    const present: boolean[] = [];
    for (const i of [17, 2, 1, 0]) {
      const { client, sessionPresent } = await back(version, { ...LASTING, clientId: `away-${i}` });
      present.push(sessionPresent);
      await gone(client);
    }
    expect(present).toEqual([true, true, false, false]);
  });
});

describe('what 5 says of the end of a session', () => {
  const expiring = (seconds: number) => ({ ...LASTING, properties: { sessionExpiryInterval: seconds } });

  test('[MQTT-3.1.2-23] it ends with its connection where the interval is 0 or absent', async () => {
    await fresh();
    await gone((await back(5, expiring(0))).client);
    const again = await back(5, { clientId: 'away', clean: false });
    expect(again.sessionPresent).toBe(false);
    await gone(again.client);
    expect((await back(5)).sessionPresent).toBe(false);
  });

  test('it ends when it was away for its interval', async () => {
    await fresh();
    await gone((await back(5, expiring(1))).client);
    const other = await signedIn(world, device, 5, { clientId: 'waiting' });
    await other.silence(1100);
    expect((await back(5)).sessionPresent).toBe(false);
    other.end();
  });

  test('it ends in the time in which the service was stopped, too', async () => {
    await fresh();
    await gone((await back(5, expiring(1))).client);
    await world.service.close();
    const other = new Promise((resolve) => setTimeout(resolve, 1100));
    await other;
    world = await world.restarted();
    expect((await back(5)).sessionPresent).toBe(false);
  });

  test('DISCONNECT changes the interval (3.14.2.2.2)', async () => {
    await fresh();
    const { client } = await back(5);
    client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 0 } });
    await client.ended();
    const again = await back(5, expiring(1));
    expect(again.sessionPresent).toBe(false);
    again.client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 60 } });
    await again.client.ended();
    const other = await signedIn(world, device, 5, { clientId: 'waiting' });
    await other.silence(1100);
    expect((await back(5)).sessionPresent).toBe(true);
    other.end();
  });

  test('but does not make one last that was to end with its connection (3.14.2.2.2)', async () => {
    await fresh();
    const { client } = await back(5, expiring(0));
    client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 60 } });
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
  });

  test('one that is to end with its connection ends where that is taken over (3.1.2.11.2)', async () => {
    await fresh();
    const client = await subscribed(5, 1, expiring(0));
    const { client: other, sessionPresent } = await back(5);
    expect(sessionPresent).toBe(false);
    expect(await client.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e });
    other.end();
  });
});

describe('what a client takes at once', () => {
  test('[MQTT-3.3.4-9] no more than its Receive Maximum, of what comes again, too', async () => {
    await fresh();
    const client = await subscribed(5, 1);
    await publish([1, 2, 3, 4].map(record), 1);
    for (let i = 0; i < 4; i++) await client.nextOf('publish');
    await gone(client);
    const { client: again } = await back(5, {
      ...LASTING,
      properties: { ...LASTING.properties, receiveMaximum: 2 },
    });
    expect(await again.before()).toHaveLength(2);
    again.send({ cmd: 'puback', messageId: 1 });
    expect(await again.next()).toMatchObject({ cmd: 'publish', messageId: 3, dup: true });
    again.send({ cmd: 'puback', messageId: 2 });
    expect(await again.next()).toMatchObject({ cmd: 'publish', messageId: 4, dup: true });
    expect(await again.before()).toEqual([]);
    again.end();
  });

  test('[MQTT-3.1.2-25] no packet that is larger than it takes; the others come', async () => {
    await fresh();
    const client = await subscribed(5, 1, { clientId: 'small', properties: { maximumPacketSize: 200 } });
    await publish([JSON.stringify({ text: 'x'.repeat(300) }), record(2)], 1);
    expect(payloadsOf(await take(client, 1))).toEqual([record(2)]);
    client.end();
  });
});
