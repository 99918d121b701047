import { describe, expect, test } from 'vitest';
import { publishOf, signedIn, subscribeOf } from './world.ts';
import { granted, publish, heard } from './subscribers.ts';
import { world, device, fresh, record, serveOneDevice } from './one-device.ts';

/* SUBSCRIBE, UNSUBSCRIBE and what subscribers get (3.8 to 3.11, 3.3.4). */

serveOneDevice();

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('[MQTT-3.8.4-6] each filter has its own answer, in order: those that the own topic matches are granted', async () => {
    const client = await signedIn(world, await fresh(), version);
    const other = await world.makeDevice();
    const no = version === 5 ? 0x87 : 0x80;
    const filters = [
      device.id,
      '#',
      '+',
      `${device.id}/#`,
      '+/#',
      other.id,
      'foo/#',
      '+/+',
      `/${device.id}`,
      '$SYS/#',
    ];
    expect(await granted(client, ...filters)).toEqual([1, 1, 1, 1, 1, no, no, no, no, no]);
    client.end();
  });

  test('[MQTT-4.7.1-1] filters that are none are refused, and nothing of the others', async () => {
    const client = await signedIn(world, await fresh(), version);
    const no = version === 5 ? 0x8f : 0x80;
    const filters = [device.id, 'a#', '#/a', 'a+', '+a/b', ''];
    expect(await granted(client, ...filters)).toEqual([1, no, no, no, no, no]);
    client.end();
  });

  test('[MQTT-3.8.3-3] a SUBSCRIBE without filters ends the connection', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.write(Buffer.from(version === 5 ? [0x82, 3, 0, 1, 0] : [0x82, 2, 0, 1]));
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
    else expect(last).toBeNull();
  });

  test('[MQTT-3.10.3-2] an UNSUBSCRIBE without filters does, too', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.write(Buffer.from(version === 5 ? [0xa2, 3, 0, 1, 0] : [0xa2, 2, 0, 1]));
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
    else expect(last).toBeNull();
  });

  test('shared subscriptions are refused (MQTT 5, 4.8.2)', async () => {
    const client = await signedIn(world, await fresh(), version);
    const no = version === 5 ? 0x9e : 0x80;
    expect(await granted(client, `$share/all/${device.id}`, '$share/all/#')).toEqual([no, no]);
    client.end();
  });

  test.each([
    [0, 0, 0],
    [0, 2, 0],
    [1, 0, 0],
    [1, 1, 1],
    [1, 2, 1],
    [2, 1, 1],
    [2, 2, 2],
  ] as const)('[MQTT-3.8.4-8] of QoS %i for QoS %i goes with QoS %i', async (sent, asked, got) => {
    const client = await signedIn(world, await fresh(), version);
    const other = await signedIn(world, device, version === 5 ? 4 : 5, { clientId: 'other' });
    other.send(subscribeOf(device.id, asked));
    await other.nextOf('suback');
    await publish(client, record(1), { qos: sent, ...(sent > 0 && { messageId: 3 }) });
    expect(await other.nextOf('publish')).toMatchObject({
      topic: device.id,
      qos: got,
      retain: false,
      dup: false,
      payload: Buffer.from(record(1)),
    });
    client.end();
    other.end();
  });

  test('[MQTT-4.6.0-6] comes in the order in which it was published, and only what was stored', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(subscribeOf('#', 0));
    await client.nextOf('suback');
    const batch = JSON.stringify(Array.from({ length: 3000 }, (_, i) => ({ batch: i })));
    client.send(
      publishOf(device, batch, { qos: 1, messageId: 1 }),
      publishOf(device, '{"n":[]}', { qos: 1, messageId: 2 }),
      publishOf(device, record(2)),
      publishOf({ id: 'elsewhere' }, record(3), { qos: 1, messageId: 3 }),
      publishOf(device, record(4), { qos: 1, messageId: 4 }),
    );
    const got: string[] = [];
    for (let acked = 0; acked < 4;) {
      const packet = await client.next();
      if (packet?.cmd === 'publish') got.push(String(packet.payload));
      else acked++;
    }
    expect([...got, ...(await heard(client))]).toEqual([batch, record(2), record(4)]);
    client.end();
  });

  test('[MQTT-3.10.4-1] nothing more comes for a filter that was given up, letter by letter the same', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(subscribeOf('#', 0), subscribeOf('+', 0));
    const subscribed = [(await client.next())?.cmd, (await client.next())?.cmd];
    expect(subscribed).toEqual(['suback', 'suback']);
    client.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['#', device.id] });
    const answer = await client.next();
    expect(answer).toMatchObject({ cmd: 'unsuback', messageId: 2 });
    if (version === 5) expect(answer).toMatchObject({ granted: [0, 0x11] });
    await publish(client, record(1));
    client.send({ cmd: 'unsubscribe', messageId: 3, unsubscriptions: ['+'] });
    expect((await client.nextOf('unsuback')).messageId).toBe(3);
    await publish(client, record(2));
    expect(await heard(client)).toEqual([]);
    client.end();
  });

  test('[MQTT-3.10.4-4] SUBSCRIBE and UNSUBSCRIBE that come together count in their order', async () => {
    const more = { clean: false, properties: { sessionExpiryInterval: 60 } };
    const client = await signedIn(world, await fresh(), version, more);
    const [first] = subscribeOf('+/#', 0).subscriptions;
    const [second] = subscribeOf('#', 1).subscriptions;
    client.send(
      { ...subscribeOf('#'), subscriptions: [first!, second!] },
      { cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['#'] },
    );
    const answer = await client.nextOf('unsuback');
    if (version === 5) expect(answer.granted).toEqual([0]);
    client.send(publishOf(device, record(1), { qos: 1, messageId: 3 }));
    expect(await client.nextOf('publish')).toMatchObject({ qos: 0 });
    client.end();
  });

  test('another device hears nothing of it, whatever it asks for', async () => {
    const client = await signedIn(world, await fresh(), version);
    const stranger = await signedIn(world, await world.makeDevice(), version);
    await granted(stranger, '#', '+', '+/#', device.id, `${device.id}/#`);
    await publish(client, record(1), { retain: true });
    await publish(client, record(2));
    expect(await heard(stranger)).toEqual([]);
    await granted(stranger, '#');
    expect(await heard(stranger)).toEqual([]);
    client.end();
    stranger.end();
  });

  test('[MQTT-3.3.5-1] filters that overlap bring one copy, with the highest QoS', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(subscribeOf('#', 0, { id: 11 }), subscribeOf('+', 2, { id: 12 }), subscribeOf(device.id, 1));
    for (let i = 0; i < 3; i++) await client.nextOf('suback');
    client.send(publishOf(device, record(1), { qos: 2, messageId: 3 }));
    const packet = await client.nextOf('publish');
    expect(packet.qos).toBe(2);
    if (version === 5)
      expect(packet.properties?.subscriptionIdentifier).toEqual(expect.arrayContaining([11, 12]));
    expect(await heard(client)).toEqual([]);
    client.end();
  });

  test('[MQTT-3.8.4-3] a filter that is asked for again takes the place of itself', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(subscribeOf('#', 2, { id: 11 }));
    await client.nextOf('suback');
    client.send(subscribeOf('#', 0, { id: 12 }));
    await client.nextOf('suback');
    client.send(publishOf(device, record(1), { qos: 1, messageId: 3 }));
    const packet = await client.nextOf('publish');
    expect(packet.qos).toBe(0);
    if (version === 5) expect(packet.properties).toMatchObject({ subscriptionIdentifier: 12 });
    client.end();
  });
});
