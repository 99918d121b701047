import { describe, expect, test } from 'vitest';
import { publishOf, signedIn } from './world.ts';
import { LASTING, back, subscribed, gone, publish, take, payloadsOf, between } from './lasting-sessions.ts';
import { world, device, fresh, record, restart, serveOneDevice } from './one-device.ts';

/* Sessions that outlive their connections (3.1.2.4, 4.1, 4.4; MQTT 5, 3.1.2.11.2), and the service. */

serveOneDevice();

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
      if (isRestart) await restart();
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
      if (isRestart) await restart();
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
      if (isRestart) await restart();
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
    await restart();
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
