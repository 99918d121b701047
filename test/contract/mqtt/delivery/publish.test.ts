import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, type Device, type MqttWorld } from '../world.ts';

/* PUBLISH and its acknowledgements (3.3 to 3.7, 4.3). */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const record = (n: number) => JSON.stringify({ n });

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('[MQTT-4.3.1-1] QoS 0 is stored without an answer', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, record(1)));
    expect(await client.before()).toEqual([]);
    await expect.poll(() => world.valuesOf(device)).toEqual([1]);
    client.end();
  });

  test('[MQTT-4.3.2-4] QoS 1 is stored when PUBACK comes', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, record(1), { qos: 1, messageId: 7 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 7 });
    expect(await world.valuesOf(device)).toEqual([1]);
    client.end();
  });

  test('[MQTT-4.3.3-8] QoS 2 is stored when PUBREC comes, and ends with PUBCOMP', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, record(1), { qos: 2, messageId: 7 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    expect(await world.valuesOf(device)).toEqual([1]);
    client.send({ cmd: 'pubrel', messageId: 7 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 7 });
    client.end();
  });

  test('[MQTT-4.6.0-2] answers in the order in which messages came, a batch among single ones', async () => {
    const client = await signedIn(world, await fresh(), version);
    const batch = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ batch: i })));
    const ids = [1, 2, 3, 4, 5, 6];
    client.send(
      ...ids.map((messageId) =>
        publishOf(device, messageId === 2 ? batch : record(messageId), { qos: 1, messageId }),
      ),
    );
    for (const messageId of ids) expect(await client.next()).toMatchObject({ cmd: 'puback', messageId });
    expect(await world.recordsOf(device)).toHaveLength(5005);
    client.end();
  });

  test('[MQTT-4.3.3-10] QoS 2 that is sent again before PUBREL is stored once', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, record(1), { qos: 2, messageId: 7 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    client.send(publishOf(device, record(1), { qos: 2, messageId: 7, dup: true }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    client.send({ cmd: 'pubrel', messageId: 7 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 7 });
    expect(await world.valuesOf(device)).toEqual([1]);
    client.send(publishOf(device, record(2), { qos: 2, messageId: 7 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    expect(await world.valuesOf(device)).toEqual([1, 2]);
    client.end();
  });

  test('[MQTT-4.3.3-10] and handed on once, even where the first is still on its way to the disk', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: device.id, qos: 0 }] });
    expect(await client.next()).toMatchObject({ cmd: 'suback' });
    const packet = publishOf(device, record(1), { qos: 2, messageId: 7 });
    client.send(packet, { ...packet, dup: true }, publishOf(device, record(2), { qos: 1, messageId: 8 }));
    await client.nextOf('puback');
    const rest = await client.before();
    expect(await world.valuesOf(device)).toEqual([1, 2]);
    expect(rest).toEqual([]);
    const again = await signedIn(world, device, version, { clientId: 'other' });
    again.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: device.id, qos: 0 }] });
    expect(await again.next()).toMatchObject({ cmd: 'suback' });
    client.send({ cmd: 'pubrel', messageId: 7 });
    await client.nextOf('pubcomp');
    client.send(packet, { ...packet, dup: true }, publishOf(device, record(2), { qos: 1, messageId: 8 }));
    await client.nextOf('puback');
    const heard = (await again.before()).map((one) => one.cmd === 'publish' && String(one.payload));
    expect(heard).toEqual([record(1), record(2)]);
    client.end();
    again.end();
  });

  test('[MQTT-4.3.3-10] QoS 2 that is sent again with a session that was kept is stored once', async () => {
    const more = { clean: false, properties: { sessionExpiryInterval: 60 } };
    const client = await signedIn(world, await fresh(), version, more);
    client.send(publishOf(device, record(1), { qos: 2, messageId: 7 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    client.end();
    const again = await signedIn(world, device, version, more);
    again.send(publishOf(device, record(1), { qos: 2, messageId: 7, dup: true }));
    expect(await again.next()).toMatchObject({ cmd: 'pubrec', messageId: 7 });
    again.send({ cmd: 'pubrel', messageId: 7 });
    expect(await again.next()).toMatchObject({ cmd: 'pubcomp', messageId: 7 });
    expect(await world.valuesOf(device)).toEqual([1]);
    again.end();
  });

  test('a batch is one message, and stored as so many records', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, '[{"n":1},{"n":2},{"n":3}]', { qos: 1, messageId: 1 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback' });
    expect(await world.valuesOf(device)).toEqual([1, 2, 3]);
    client.end();
  });

  test('[MQTT-2.2.1-3] an identifier is never 0', async () => {
    const client = await signedIn(world, await fresh(), version);
    const bytes = generate(publishOf(device, record(1), { qos: 1, messageId: 0x0101 }), {
      protocolVersion: version,
    });
    bytes.fill(
      0,
      bytes.indexOf(device.id) + device.id.length,
      bytes.indexOf(device.id) + device.id.length + 2,
    );
    client.write(bytes);
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x81 });
    else expect(last).toBeNull();
    expect(await world.recordsOf(device)).toEqual([]);
  });

  test('[MQTT-3.3.1-4] QoS 3 is malformed', async () => {
    const client = await signedIn(world, await fresh(), version);
    const bytes = generate(publishOf(device, record(1), { qos: 2, messageId: 1 }), {
      protocolVersion: version,
    });
    bytes[0]! |= 0x06;
    client.write(bytes);
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x81 });
    else expect(last).toBeNull();
    expect(await world.recordsOf(device)).toEqual([]);
  });

  test.each(['+', '#', 'a/+/b', 'a/#'])('[MQTT-3.3.2-2] a topic has no wildcards: %s', async (topic) => {
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf({ id: topic }, record(1), { qos: 1, messageId: 1 }));
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x90 });
    else expect(last).toBeNull();
  });

  test('[MQTT-3.14.4-3] what came before DISCONNECT is stored, all in one piece with the end', async () => {
    const client = await signedIn(world, await fresh(), version, { clientId: 'hasty' });
    const many = Array.from({ length: 600 }, (_, i) => publishOf(device, record(i)));
    client.send(...many, { cmd: 'disconnect' });
    client.stream.end();
    await expect.poll(async () => (await world.recordsOf(device)).length).toBe(600);
  });
});
