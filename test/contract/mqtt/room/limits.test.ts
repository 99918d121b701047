import type { IPublishPacket } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, type Device, type MqttWorld, type RawClient } from '../world.ts';

/* Topic aliases, flow control, sizes and properties (MQTT 5, 2.2.2, 3.2.2.3, 3.3.2.3, 4.9). */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const record = (n: number) => JSON.stringify({ n });

async function publish(
  client: RawClient,
  more: Partial<IPublishPacket>,
  payload = record(1),
): Promise<unknown> {
  client.send(publishOf(device, payload, { qos: 1, messageId: 1, ...more }));
  return client.next();
}

describe('topic aliases', () => {
  test('[MQTT-3.3.2-12] stand for the topic they were set with, each of four', async () => {
    const client = await signedIn(world, await fresh());
    for (const topicAlias of [1, 2, 3, 4]) {
      expect(await publish(client, { properties: { topicAlias } })).toMatchObject({ reasonCode: 0 });
      const again = { topic: '', properties: { topicAlias } };
      expect(await publish(client, again)).toMatchObject({ cmd: 'puback', reasonCode: 0 });
    }
    expect(await publish(client, { topic: 'elsewhere', properties: { topicAlias: 1 } })).toMatchObject({
      reasonCode: 0x87,
    });
    expect(await publish(client, { topic: '', properties: { topicAlias: 1 } })).toMatchObject({
      reasonCode: 0x87,
    });
    expect(await world.recordsOf(device)).toHaveLength(8);
    client.end();
  });

  test.each([
    [0, 0x94],
    [5, 0x94],
    [65_535, 0x94],
    [2, 0x82],
  ])(
    '[MQTT-3.3.2-8] [MQTT-3.3.2-9] %i, which was not set or may not be, ends with %i',
    async (topicAlias, reasonCode) => {
      const client = await signedIn(world, await fresh());
      await publish(client, { properties: { topicAlias: 1 } });
      const topic = reasonCode === 0x94 ? device.id : '';
      expect(await publish(client, { topic, properties: { topicAlias } })).toMatchObject({
        cmd: 'disconnect',
        reasonCode,
      });
      expect(await client.ended()).toBeNull();
    },
  );

  test('[MQTT-3.3.2-7] are of their connection alone', async () => {
    const client = await signedIn(world, await fresh());
    await publish(client, { properties: { topicAlias: 1 } });
    const other = await signedIn(world, device, 5, { clientId: 'other' });
    expect(await publish(other, { topic: '', properties: { topicAlias: 1 } })).toMatchObject({
      cmd: 'disconnect',
      reasonCode: 0x82,
    });
    client.end();
  });

  test('without one a topic has a character at least (3.3.2.1)', async () => {
    const client = await signedIn(world, await fresh());
    expect(await publish(client, { topic: '' })).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
  });
});

describe('3.1.1, which has no content type and no word for a refusal', () => {
  test.each([
    ['an object behind which a C string ends', '{"n":1}\0', [1]],
    ['objects a line', '{"n":1}\n{"n":2}\r\n{"n":3}\n', [1, 2, 3]],
    ['an object of several lines', '{\n"n":1\n}\n', [1]],
    ['objects in a row', '{"n":1}{"n":2}', []],
    ['a line that is none', '{"n":1}\n{"n":\n', []],
    ['two NULs', '{"n":1}\0\0', []],
    ['a number', '23.5', []],
  ])('%s', async (_what, payload, values) => {
    const client = await signedIn(world, await fresh(), 4);
    client.send(publishOf(device, payload, { qos: 1, messageId: 1 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
    expect(await world.valuesOf(device)).toEqual(values);
    client.end();
  });

  test('5, which has both, refuses them in words', async () => {
    const client = await signedIn(world, await fresh());
    expect(await publish(client, {}, '{"n":1}\0')).toMatchObject({ reasonCode: 0x99 });
    client.end();
  });
});

describe('content types', () => {
  test('application/x-ndjson is a record a line, anything else JSON', async () => {
    const client = await signedIn(world, await fresh());
    const properties = { contentType: 'application/x-ndjson' };
    expect(await publish(client, { properties }, '{"n":1}\n{"n":2}\n')).toMatchObject({ reasonCode: 0 });
    expect(await publish(client, { properties: { contentType: 'text/plain' } }, '[{"n":3}]')).toMatchObject({
      reasonCode: 0,
    });
    expect(await publish(client, {}, '{"n":1}\n{"n":2}\n')).toMatchObject({ reasonCode: 0x99 });
    expect(await world.valuesOf(device)).toEqual([1, 2, 3]);
    client.end();
  });
});

describe('what may be under way', () => {
  test('[MQTT-3.3.4-7] 256 messages at once may wait, which is said; of more none is lost or doubled, and nobody is cut off', async () => {
    const client = await signedIn(world, await fresh());
    expect(client.connack?.properties?.receiveMaximum).toBe(256);
    // What comes behind a long one is acknowledged after it (4.6): all wait at once, however quick the disk is.
    const long = JSON.stringify(Array.from({ length: 4000 }, (_, n) => ({ n })));
    const packets = Array.from({ length: 600 }, (_, i) =>
      publishOf(device, i === 0 ? long : record(i), { qos: 1, messageId: i + 1 }),
    );
    client.send(...packets);
    for (let i = 0; i < 600; i++)
      expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: i + 1 });
    expect(await world.recordsOf(device)).toHaveLength(4599);
    client.end();
  });

  test('a thousand QoS 2 messages wait for their PUBREL, and one more until one of them is released (4.9)', async () => {
    const client = await signedIn(world, await fresh(), 4);
    client.send(
      ...Array.from({ length: 1000 }, (_, i) =>
        publishOf(device, record(i + 1), { qos: 2, messageId: i + 1 }),
      ),
    );
    for (let id = 1; id <= 1000; id++)
      expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: id });
    // One that is sent again is known.
    client.send(publishOf(device, record(1), { qos: 2, messageId: 1, dup: true }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 1 });
    const more = [1001, 1002].map((id) => publishOf(device, record(id), { qos: 2, messageId: id }));
    client.send(...more, publishOf(device, record(1003), { qos: 1, messageId: 1003 }));
    expect(await client.before()).toEqual([]);
    client.send({ cmd: 'pubrel', messageId: 7 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 7 });
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 1001 });
    client.send({ cmd: 'pubrel', messageId: 8 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 8 });
    // They come in their order (4.6).
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 1002 });
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 1003 });
    expect(await world.valuesOf(device)).toEqual(Array.from({ length: 1003 }, (_, i) => i + 1));
    client.end();
  });

  test('what was held up when its client went is sent again, and stored once', async () => {
    const more = { clientId: 'burst', clean: false, properties: { sessionExpiryInterval: 60 } };
    const client = await signedIn(world, await fresh(), 5, more);
    const packets = Array.from({ length: 1500 }, (_, i) =>
      publishOf(device, record(i), { qos: 2, messageId: i + 1 }),
    );
    client.send(...packets);
    for (let i = 0; i < 1000; i++) await client.nextOf('pubrec');
    client.end();
    const again = await signedIn(world, device, 5, more);
    again.send(...packets.map((packet) => ({ ...packet, dup: true })));
    for (let released = 0; released < 1500;) {
      const packet = await again.next();
      if (packet?.cmd === 'pubrec') again.send({ cmd: 'pubrel', messageId: packet.messageId });
      else if (packet?.cmd === 'pubcomp') released++;
      else throw new Error(`Got ${JSON.stringify(packet)}.`);
    }
    expect(await world.valuesOf(device)).toEqual(Array.from({ length: 1500 }, (_, i) => i));
    again.end();
  });

  test('3.1.1 knows no such number: a thousand at once are stored and acknowledged in order', async () => {
    const client = await signedIn(world, await fresh(), 4);
    client.send(
      ...Array.from({ length: 1000 }, (_, i) => publishOf(device, record(i), { qos: 1, messageId: i + 1 })),
    );
    for (let i = 0; i < 1000; i++) expect(await client.next()).toMatchObject({ messageId: i + 1 });
    expect(await world.valuesOf(device)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    client.end();
  });
});

describe('sizes', () => {
  const large = (records: number) =>
    JSON.stringify(Array.from({ length: records }, (_, n) => ({ n, text: 'x'.repeat(1000) })));

  test('[MQTT-3.2.2-15] a packet of more than 4 MiB is refused by its head', async () => {
    const client = await signedIn(world, await fresh());
    // 4 MiB behind the fixed header, and nothing of them.
    client.write(Buffer.from([0x32, 0x80, 0x80, 0x80, 0x02]));
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x95 });
  });

  test.each([0, 1, 2] as const)(
    'over 3.1.1 it is acknowledged, dropped and told of, and not sent for ever (QoS %i)',
    async (qos) => {
      const client = await signedIn(world, await fresh(), 4);
      const before = await world.refused();
      const huge = large(4200);
      client.send(
        publishOf(device, huge, { qos, messageId: 7 }),
        publishOf(device, record(8), { qos: 1, messageId: 8 }),
      );
      if (qos === 1) expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 7 });
      if (qos === 2) expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
      expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 8 });
      expect(await world.valuesOf(device)).toEqual([8]);
      expect(await world.refused()).toBe(before + 1);
      expect(world.logged.filter((line) => line.includes(device.id))).toEqual([
        expect.stringMatching(/packet has \d+ bytes; 4194304 are the most/),
      ]);
      client.end();
    },
  );

  test('another packet than PUBLISH has 128 KiB at most', async () => {
    const client = await signedIn(world, await fresh());
    client.write(Buffer.from([0x82, 0x80, 0x80, 0x08]));
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x95 });
  });

  test.each([4, 5] as const)('3 MiB are stored whole, and hold nobody up (%i)', async (version) => {
    const client = await signedIn(world, await fresh(), version);
    const other = await signedIn(world, device, version, { clientId: 'other' });
    client.send(publishOf(device, large(3000), { qos: 1, messageId: 1 }));
    other.send(publishOf(device, record(-1), { qos: 1, messageId: 2 }));
    expect(await other.next()).toMatchObject({ cmd: 'puback', messageId: 2 });
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
    expect(await world.recordsOf(device)).toHaveLength(3001);
    client.end();
    other.end();
  });

  test('large packets of any kind give back the memory that they took', async () => {
    const client = await signedIn(world, await fresh());
    const filters = ['x'.repeat(60_000), 'y'.repeat(60_000)];
    // 1200 times 120 KB are more than one token may have under way.
    for (let i = 0; i < 1200; i++) {
      client.send({ cmd: 'unsubscribe', messageId: 1, unsubscriptions: filters });
      expect(await client.next()).toMatchObject({ cmd: 'unsuback' });
    }
    client.send(publishOf(device, large(100), { qos: 1, messageId: 3 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 3, reasonCode: 0 });
    client.end();
  });
});

describe('properties', () => {
  /** A PUBLISH with these bytes as its properties. */
  const withProperties = (...bytes: number[]) => {
    const body = Buffer.concat([
      Buffer.from([0, 36]),
      Buffer.from(device.id),
      Buffer.from([0, 1, bytes.length, ...bytes]),
      Buffer.from(record(1)),
    ]);
    return Buffer.concat([Buffer.from([0x32, body.length]), body]);
  };

  test.each([
    ['that nobody knows', [0x7e, 1], 0x81],
    ['of another packet (2.2.2.2)', [0x21, 0, 5], 0x81],
    ['that is the server’s [MQTT-3.3.4-6]', [0x0b, 5], 0x81],
    ['that comes twice (3.3.2.3)', [0x02, 0, 0, 0, 9, 0x02, 0, 0, 0, 9], 0x82],
    ['that comes twice, first as 0', [0x02, 0, 0, 0, 0, 0x02, 0, 0, 0, 9], 0x82],
    ['that is a flag, and neither 0 nor 1 (3.3.2.3.2)', [0x01, 2], 0x82],
    ['that reaches into the payload', [0x03, 0, 9, 0x61], 0x81],
    ['that is ill-formed text [MQTT-1.5.4-1]', [0x03, 0, 2, 0xc3, 0x28], 0x81],
    ['that has U+0000 in it [MQTT-1.5.4-2]', [0x03, 0, 1, 0], 0x81],
  ])('one %s ends with its reason', async (_what, bytes, reasonCode) => {
    const client = await signedIn(world, await fresh());
    client.write(withProperties(...bytes));
    expect(await client.ended()).toMatchObject({ cmd: 'disconnect', reasonCode });
    expect(await world.recordsOf(device)).toEqual([]);
  });

  test('user properties may come twice, an AUTH may not come at all', async () => {
    const client = await signedIn(world, await fresh());
    client.write(withProperties(0x26, 0, 1, 0x61, 0, 1, 0x62, 0x26, 0, 1, 0x61, 0, 1, 0x63));
    expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
    client.write(Buffer.from([0xf0, 0]));
    const last = await client.ended();
    expect(last).toMatchObject({ cmd: 'disconnect' });
    expect([0x81, 0x82]).toContain((last as { reasonCode?: number } | null)?.reasonCode);
  });
});
