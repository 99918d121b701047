import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectOf, mqttWorld, rawClient, signedIn, type Device, type MqttWorld } from './world.ts';

/* CONNECT and CONNACK (3.1, 3.2). */

let world: MqttWorld;
let device: Device;
beforeAll(async () => {
  world = await mqttWorld();
  device = await world.makeDevice();
});
afterAll(() => world.stop());

/** The answer to a CONNECT, and whether the connection was ended behind it. */
async function answerTo(version: 4 | 5, more: Record<string, unknown> = {}, of: Device = device) {
  const client = await rawClient(world.port, version);
  client.send(connectOf(of, version, more));
  const answer = await client.next();
  if (answer?.cmd !== 'connack') return { code: null, properties: null };
  const code = version === 5 ? answer.reasonCode : answer.returnCode;
  if (code !== 0) expect(await client.next()).toBeNull();
  client.end();
  return { code, properties: answer.properties ?? null, sessionPresent: answer.sessionPresent };
}

/** A CONNECT as bytes, altered. */
function connectBytes(version: 4 | 5, alter: (bytes: Buffer) => void): Buffer {
  const bytes = generate(connectOf(device, version));
  alter(bytes);
  return bytes;
}

/** Where the protocol's name ends; its version and the flags follow. */
const versionAt = (bytes: Buffer) => bytes.indexOf('MQTT') + 4;

describe('the first packet', () => {
  test.each([4, 5] as const)('[MQTT-3.1.0-1] is a CONNECT, or it ends (%i)', async (version) => {
    const client = await rawClient(world.port, version);
    client.send({ cmd: 'pingreq' });
    expect(await client.next()).toBeNull();
  });

  test('[MQTT-3.1.0-1] ends before it is whole where it is none: nobody keeps megabytes of a stranger', async () => {
    const client = await rawClient(world.port);
    // A PUBLISH of 3 MiB, of which nothing more comes.
    client.write(Buffer.from([0x30, 0x80, 0x80, 0xc0, 0x01]));
    expect(await client.next()).toBeNull();
  });

  test.each([4, 5] as const)('[MQTT-3.1.0-2] is the only CONNECT (%i)', async (version) => {
    const client = await signedIn(world, device, version);
    client.send(connectOf(device, version));
    const last = await client.ended();
    if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
    else expect(last).toBeNull();
  });

  test('may have others behind it in the same piece (3.1.4)', async () => {
    const client = await rawClient(world.port);
    client.send(connectOf(device), { cmd: 'pingreq' });
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 });
    expect(await client.next()).toMatchObject({ cmd: 'pingresp' });
    client.end();
  });
});

describe('protocol names and versions', () => {
  test.each([
    [
      'MQTT 3.1',
      (): Buffer => generate({ ...connectOf(device, 4), protocolId: 'MQIsdp', protocolVersion: 3 }),
    ],
    ['version 6', () => connectBytes(4, (bytes) => (bytes[versionAt(bytes)] = 6))],
    ['version 3 by the name of MQTT', () => connectBytes(4, (bytes) => (bytes[versionAt(bytes)] = 3))],
    ['the mark of a bridge', () => connectBytes(4, (bytes) => (bytes[versionAt(bytes)] = 0x84))],
    ['version 4 by the name of 3.1', () => generate({ ...connectOf(device, 4), protocolId: 'MQIsdp' })],
  ])('[MQTT-3.1.2-2] refuses %s with return code 1', async (_what, bytes) => {
    const client = await rawClient(world.port, 4);
    client.write(bytes());
    expect(await client.next()).toMatchObject({ cmd: 'connack', returnCode: 1, sessionPresent: false });
    expect(await client.next()).toBeNull();
  });

  test('[MQTT-3.1.2-1] does not go on under another name', async () => {
    const client = await rawClient(world.port, 4);
    client.write(connectBytes(4, (bytes) => bytes.write('HTTP', bytes.indexOf('MQTT'))));
    const answer = await client.next();
    if (answer !== null) expect(answer).toMatchObject({ cmd: 'connack', returnCode: 1 });
  });

  test.each([4, 5] as const)('[MQTT-3.1.2-3] ends where the reserved flag is set (%i)', async (version) => {
    const client = await rawClient(world.port, version);
    client.write(connectBytes(version, (bytes) => (bytes[versionAt(bytes) + 1]! |= 1)));
    const answer = await client.next();
    if (answer !== null) expect(answer).not.toMatchObject({ reasonCode: 0 });
    expect(await client.ended()).toBeNull();
  });
});

describe('client ids', () => {
  test('[MQTT-3.1.3-6] one is assigned in silence where a clean 3.1.1 session has none', async () => {
    expect(await answerTo(4, { clientId: '' })).toMatchObject({ code: 0, sessionPresent: false });
  });

  test('[MQTT-3.1.3-8] 3.1.1 without one and not clean gets return code 2', async () => {
    const client = await rawClient(world.port, 4);
    const bytes = generate(connectOf(device, 4, { clientId: '' }));
    bytes[versionAt(bytes) + 1]! &= ~0x02;
    client.write(bytes);
    expect(await client.next()).toMatchObject({ cmd: 'connack', returnCode: 2 });
    expect(await client.next()).toBeNull();
  });

  test('[MQTT-3.2.2-16] 5 is told the one that was assigned, and can come back with it', async () => {
    const properties = { sessionExpiryInterval: 60 };
    const { code, properties: got } = await answerTo(5, { clientId: '', properties });
    expect(code).toBe(0);
    expect(got).toMatchObject({ assignedClientIdentifier: expect.stringMatching(/^[\w-]{8,}$/) });
    const clientId = got?.assignedClientIdentifier;
    expect(await answerTo(5, { clientId, clean: false, properties })).toMatchObject({
      code: 0,
      sessionPresent: true,
    });
  });

  test('[MQTT-3.1.3-5] has room for 256 characters, and says so where there are more', async () => {
    expect(await answerTo(5, { clientId: 'é'.repeat(256) })).toMatchObject({ code: 0 });
    expect(await answerTo(5, { clientId: 'e'.repeat(257) })).toMatchObject({ code: 0x85 });
    expect(await answerTo(4, { clientId: 'e'.repeat(257) })).toMatchObject({ code: 2 });
  });

  test.each([4, 5] as const)('[MQTT-3.1.3-4] are well-formed UTF-8 (%i)', async (version) => {
    const client = await rawClient(world.port, version);
    client.write(connectBytes(version, (bytes) => (bytes[bytes.indexOf('client-of-')] = 0xff)));
    expect(await client.next()).not.toMatchObject({ [version === 5 ? 'reasonCode' : 'returnCode']: 0 });
    expect(await client.ended()).toBeNull();
  });

  test('of two devices are no matter: neither takes the other over', async () => {
    const other = await world.makeDevice();
    const one = await signedIn(world, device, 5, { clientId: 'same' });
    const two = await signedIn(world, other, 5, { clientId: 'same' });
    expect(await one.before()).toEqual([]);
    one.end();
    two.end();
  });
});

describe('what CONNECT asks for', () => {
  test('[MQTT-4.12.0-1] there is no enhanced authentication', async () => {
    const properties = { authenticationMethod: 'SCRAM-SHA-1', authenticationData: Buffer.from('n,,n=me') };
    expect(await answerTo(5, { properties })).toMatchObject({ code: 0x8c });
  });

  test.each(['receiveMaximum', 'maximumPacketSize'])(
    'a %s of 0 is a protocol error (MQTT 5, 3.1.2.11)',
    async (name) => {
      expect(await answerTo(5, { properties: { [name]: 0 } })).toMatchObject({ code: 0x82 });
    },
  );

  test('a property that comes twice is a protocol error (MQTT 5, 3.1.2.11)', async () => {
    const client = await rawClient(world.port);
    const bytes = generate(connectOf(device, 5, { properties: { sessionExpiryInterval: 5 } }));
    const at = bytes.indexOf(Buffer.from([5, 0x11, 0, 0, 0, 5]));
    const twice = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([10, 0x11, 0, 0, 0, 5, 0x11, 0, 0, 0, 9]),
      bytes.subarray(at + 6),
    ]);
    // The length is one byte or two; with these credentials it is one.
    twice[1]! += 5;
    client.write(twice);
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0x82 });
    expect(await client.next()).toBeNull();
  });

  test('a will goes to the own topic alone', async () => {
    const will = { topic: 'elsewhere', payload: Buffer.from('{"gone":true}') };
    expect(await answerTo(5, { will })).toMatchObject({ code: 0x87 });
    expect(await answerTo(4, { will })).toMatchObject({ code: 5 });
  });

  test('[MQTT-3.1.2-14] a will of QoS 3 is malformed', async () => {
    const client = await rawClient(world.port);
    const will = { topic: device.id, payload: Buffer.from('{}'), qos: 0 };
    const bytes = generate(connectOf(device, 5, { will }));
    bytes[versionAt(bytes) + 1]! |= 0x18;
    client.write(bytes);
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0x81 });
  });

  test('[MQTT-3.2.2-1] CONNACK comes first, and says what is different here (MQTT 5, 3.2.2.3)', async () => {
    const { properties } = await answerTo(5, { properties: { sessionExpiryInterval: 0xffffffff } });
    expect(properties).toEqual({
      sessionExpiryInterval: 7 * 24 * 3600,
      receiveMaximum: 256,
      maximumPacketSize: 4 * 1024 * 1024,
      topicAliasMaximum: 4,
      sharedSubscriptionAvailable: false,
    });
  });
});
