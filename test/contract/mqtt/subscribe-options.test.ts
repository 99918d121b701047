import { describe, expect, test } from 'vitest';
import { publishOf, signedIn, subscribeOf } from './world.ts';
import { publish, heard } from './subscribers.ts';
import { world, device, fresh, record, restart, serveOneDevice } from './one-device.ts';

/* Options of a subscription, and properties of what it brings (MQTT 5, 3.8.3.1, 3.3.2.3). */

serveOneDevice();

describe('options of 5', () => {
  test('[MQTT-3.8.3-3] No Local: what a client has published does not come back to it', async () => {
    const client = await signedIn(world, await fresh());
    const other = await signedIn(world, device, 5, { clientId: 'other' });
    for (const one of [client, other]) {
      one.send(subscribeOf('#', 1, { nl: true }));
      await one.nextOf('suback');
    }
    await publish(client, record(1));
    expect(await heard(client)).toEqual([]);
    expect(await heard(other)).toEqual([record(1)]);
    client.end();
    other.end();
  });

  test('[MQTT-3.8.3-3] No Local: nor does what is retained of it, over a restart, too; what another client retains does', async () => {
    await fresh();
    const subscribed = async (clientId: string) => {
      const client = await signedIn(world, device, 5, { clientId });
      client.send(subscribeOf('#', 1, { nl: true }));
      await client.nextOf('suback');
      return client;
    };
    const own = await subscribed('own');
    own.send(publishOf(device, '{"n":1}', { qos: 1, messageId: 7, retain: true }));
    await own.nextOf('puback');
    own.send(subscribeOf(device.id, 1, { nl: true }));
    await own.nextOf('suback');
    expect(await own.before()).toEqual([]);
    own.end();
    await restart();
    const again = await subscribed('own');
    expect(await again.before()).toEqual([]);
    const other = await subscribed('other');
    expect(await other.before()).toMatchObject([{ cmd: 'publish', retain: true }]);
    for (const each of [again, other]) each.end();
  });

  test('[MQTT-3.3.1-12] [MQTT-3.3.1-13] Retain As Published keeps the flag of what comes at once', async () => {
    const client = await signedIn(world, await fresh());
    const other = await signedIn(world, device, 5, { clientId: 'other' });
    client.send(subscribeOf('#', 0, { rap: true }));
    other.send(subscribeOf('#', 0));
    await client.nextOf('suback');
    await other.nextOf('suback');
    other.send(publishOf(device, record(1), { retain: true }));
    expect(await client.nextOf('publish')).toMatchObject({ retain: true });
    expect(await other.nextOf('publish')).toMatchObject({ retain: false });
    other.send(publishOf(device, record(2)));
    expect(await client.nextOf('publish')).toMatchObject({ retain: false });
    client.end();
    other.end();
  });

  test('[MQTT-3.3.1-9] to [MQTT-3.3.1-11] Retain Handling says when the retained one comes', async () => {
    const client = await signedIn(world, await fresh());
    await publish(client, record(1), { retain: true });
    const got = async (rh: number) => {
      client.send(subscribeOf('#', 0, { rh }));
      const packets = [await client.next(), ...(await client.before())];
      return packets.filter((packet) => packet?.cmd === 'publish').length;
    };
    expect(await got(2)).toBe(0);
    expect(await got(1)).toBe(0);
    expect(await got(0)).toBe(1);
    expect(await got(0)).toBe(1);
    client.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['#'] });
    await client.nextOf('unsuback');
    expect(await got(1)).toBe(1);
    client.end();
  });

  test('a Subscription Identifier of 0 is a protocol error (3.8.2.1.2)', async () => {
    const client = await signedIn(world, await fresh());
    client.write(Buffer.from([0x82, 9, 0, 1, 2, 0x0b, 0, 0, 1, 0x23, 0]));
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
  });

  test('[MQTT-3.3.2-17] to [MQTT-3.3.2-20] what travels with a message arrives as it was sent', async () => {
    const client = await signedIn(world, await fresh());
    client.send(subscribeOf('#', 1));
    await client.nextOf('suback');
    const properties = {
      payloadFormatIndicator: true,
      contentType: 'application/json',
      responseTopic: 'answers/here',
      correlationData: Buffer.from([0, 1, 255]),
      userProperties: { unit: 'K', also: ['a', 'b'] },
    };
    client.send(publishOf(device, record(1), { qos: 1, messageId: 3, properties }));
    const { properties: got } = await client.nextOf('publish');
    expect(got).toEqual(properties);
    client.end();
  });
});
