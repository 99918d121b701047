import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, type Device, type MqttWorld } from './world.ts';

/* Messages that are not stored: what 5 says, what 3.1.1 leaves unsaid, and what people can read of it. */

let world: MqttWorld;
let device: Device;
// What was not stored is counted by the service that it was sent to.
beforeAll(async () => void (world = await mqttWorld({}, { isAlone: true })));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const GOOD = '{"n":1}';
const BAD = '[{"n":1},{"n":[]},{"a,b":2}]';

const linesOf = ({ id }: Device) => world.logged.filter((line) => line.includes(id));

describe('protocol 5', () => {
  test('a foreign topic is answered 0x87 (3.4.2.1, 3.5.2.1), and PUBREC with it ends QoS 2', async () => {
    const other = await world.makeDevice();
    const client = await signedIn(world, await fresh());
    client.send(publishOf(other, GOOD, { qos: 1, messageId: 1 }));
    expect(await client.next()).toMatchObject({
      cmd: 'puback',
      messageId: 1,
      reasonCode: 0x87,
      properties: { reasonString: expect.stringContaining(device.id) },
    });
    client.send(publishOf(other, GOOD, { qos: 2, messageId: 2 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 2, reasonCode: 0x87 });
    client.send({ cmd: 'pubrel', messageId: 2 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 2, reasonCode: 0x92 });
    expect(await world.recordsOf(other)).toEqual([]);
    client.end();
  });

  test.each([1, 2] as const)('a payload that is none is answered 0x99 and says why, QoS %i', async (qos) => {
    const client = await signedIn(world, await fresh());
    client.send(publishOf(device, BAD, { qos, messageId: 1 }));
    const answer = await client.next();
    expect(answer).toMatchObject({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId: 1, reasonCode: 0x99 });
    expect(answer).toMatchObject({ properties: { reasonString: expect.stringMatching(/^record [23]\b/) } });
    // Free for another message at once.
    client.send(publishOf(device, GOOD, { qos, messageId: 1 }));
    expect(await client.next()).toMatchObject({ messageId: 1, reasonCode: 0 });
    expect(await world.valuesOf(device)).toEqual([1]);
    client.end();
  });

  test('[MQTT-3.1.2-29] gives no reason in words where none is wanted', async () => {
    const properties = { requestProblemInformation: false };
    const client = await signedIn(world, await fresh(), 5, { properties });
    client.send(publishOf(device, BAD, { qos: 1, messageId: 1 }));
    const answer = await client.next();
    expect(answer).toMatchObject({ cmd: 'puback', reasonCode: 0x99 });
    expect(answer).not.toHaveProperty('properties');
    client.end();
  });

  test('[MQTT-3.4.2-2] gives none that makes the answer larger than the client takes', async () => {
    const client = await signedIn(world, await fresh(), 5, { properties: { maximumPacketSize: 64 } });
    client.send(publishOf({ id: 'elsewhere' }, GOOD, { qos: 1, messageId: 1 }));
    const answer = await client.next();
    expect(answer).toMatchObject({ cmd: 'puback', reasonCode: 0x87 });
    expect(answer).not.toHaveProperty('properties');
    client.end();
  });

  test('PUBREL of an identifier that nobody has is answered 0x92 (3.7.2.1)', async () => {
    const client = await signedIn(world, await fresh());
    client.send({ cmd: 'pubrel', messageId: 99 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 99, reasonCode: 0x92 });
    client.end();
  });
});

describe('protocol 3.1.1', () => {
  test.each([
    ['a foreign topic', (): string => 'elsewhere', GOOD],
    ['a payload that is none', () => device.id, BAD],
  ])('%s is acknowledged and dropped: there is no word for it [3.3.5]', async (_what, topicOf, payload) => {
    const client = await signedIn(world, await fresh(), 4);
    const topic = topicOf();
    client.send(publishOf({ id: topic }, payload, { qos: 1, messageId: 1 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
    const packet = publishOf({ id: topic }, payload, { qos: 2, messageId: 2 });
    client.send(packet);
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 2 });
    client.send({ ...packet, dup: true });
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 2 });
    client.send({ cmd: 'pubrel', messageId: 2 });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 2 });
    expect(await world.recordsOf(device)).toEqual([]);
    client.end();
  });
});

describe.each([4, 5] as const)('what people see of it, protocol %i', (version) => {
  test.each([0, 1, 2] as const)('one of QoS %i is counted, and the log says why', async (qos) => {
    const before = await world.refused();
    const client = await signedIn(world, await fresh(), version);
    client.send(publishOf(device, BAD, { qos, ...(qos > 0 && { messageId: 1 }) }));
    if (qos > 0) await client.next();
    await expect.poll(() => world.refused()).toBe(before + 1);
    expect(linesOf(device)).toEqual([expect.stringMatching(/was not stored: record [23]\b/)]);
    expect(linesOf(device).join('')).not.toContain(device.token);
    client.end();
  });

  test('a hundred more are counted, and are one line', async () => {
    const before = await world.refused();
    const client = await signedIn(world, await fresh(), version);
    for (let i = 0; i < 100; i++) client.send(publishOf({ id: 'elsewhere' }, GOOD));
    await expect.poll(() => world.refused()).toBe(before + 100);
    expect(linesOf(device)).toHaveLength(1);
    client.end();
  });
});
