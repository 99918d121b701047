import { generate, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectOf, mqttWorld, rawClient, signedIn, type Device, type MqttWorld } from '../world.ts';

/*
 * Packets that are none, as suites for brokers send them, byte by byte: the connection ends, on 5 with a reason, nothing is
 * stored, and nobody else notices. docs/mqtt.md says which cases of such suites are left out.
 */

let world: MqttWorld;
let device: Device;
beforeAll(async () => {
  world = await mqttWorld();
  device = await world.makeDevice();
});
afterAll(() => world.stop());

const MALFORMED = 0x81;
const PROTOCOL_ERROR = 0x82;

const short = (value: number) => [value >> 8, value & 0xff];
const text = (value: string) => [...short(Buffer.byteLength(value)), ...Buffer.from(value)];
/** A packet with this first byte; fewer than 128 bytes follow. */
const packet = (first: number, ...rest: number[]) => Buffer.from([first, rest.length, ...rest]);
const topic = () => text(device.id);

interface Case {
  readonly what: string;
  readonly bytes: () => Buffer;
  /** Of 5; others of 5 are as good: suites do not agree on which it is. */
  readonly reasons?: readonly number[];
}

const EITHER = [MALFORMED, PROTOCOL_ERROR];

/** What is wrong in both versions alike; `none` are the properties of 5, none of them. */
const inBoth = (none: readonly number[]): readonly Case[] => [
  { what: 'a packet of type 0', bytes: () => packet(0x00) },
  ...[0x30, 0x32].map((first) => ({
    what: `a PUBLISH ${first.toString(16)} that ends before its topic`,
    bytes: () => packet(first, 0),
  })),
  { what: 'a PUBLISH whose topic is longer than it', bytes: () => packet(0x30, 0, 99, 0x61) },
  { what: 'a PUBLISH with QoS 3', bytes: () => packet(0x36, ...topic(), 0, 1, ...none) },
  { what: 'a PUBLISH with QoS 1 and no identifier', bytes: () => packet(0x32, ...topic()) },
  { what: 'a PUBLISH with identifier 0', bytes: () => packet(0x32, ...topic(), 0, 0, ...none) },
  { what: 'a PUBLISH with QoS 0 and DUP', bytes: () => packet(0x38, ...topic(), ...none) },
  {
    what: 'a PUBLISH to a topic that is no UTF-8',
    bytes: () => packet(0x30, 0, 2, 0xc3, 0x28, ...none),
  },
  { what: 'a PUBLISH to a topic with U+0000', bytes: () => packet(0x30, 0, 1, 0, ...none) },
  ...[0x40, 0x50, 0x62, 0x70].flatMap((first) => [
    { what: `${first.toString(16)} without an identifier`, bytes: () => packet(first) },
    { what: `${first.toString(16)} with half of one`, bytes: () => packet(first, 1) },
    { what: `${first.toString(16)} with identifier 0`, bytes: () => packet(first, 0, 0) },
    { what: `${first.toString(16)} with a wrong flag`, bytes: () => packet(first ^ 0x01, 0, 1) },
  ]),
  { what: 'a PUBREL with the flags of an answer', bytes: () => packet(0x60, 0, 1) },
  ...[0x80, 0x83, 0x8a].map((first) => ({
    what: `a SUBSCRIBE with flags ${first.toString(16)}`,
    bytes: () => packet(first, 0, 1, ...none, ...topic(), 0),
  })),
  { what: 'a SUBSCRIBE with identifier 0', bytes: () => packet(0x82, 0, 0, ...none, ...topic(), 0) },
  { what: 'a SUBSCRIBE without filters', bytes: () => packet(0x82, 0, 1, ...none) },
  { what: 'a SUBSCRIBE without options', bytes: () => packet(0x82, 0, 1, ...none, ...topic()) },
  { what: 'a SUBSCRIBE with QoS 3', bytes: () => packet(0x82, 0, 1, ...none, ...topic(), 3) },
  { what: 'a SUBSCRIBE with reserved options', bytes: () => packet(0x82, 0, 1, ...none, ...topic(), 0xc0) },
  {
    what: 'a SUBSCRIBE whose filter is no UTF-8',
    bytes: () => packet(0x82, 0, 1, ...none, 0, 2, 0xc3, 0x28, 0),
  },
  ...[0xa0, 0xa3].map((first) => ({
    what: `an UNSUBSCRIBE with flags ${first.toString(16)}`,
    bytes: () => packet(first, 0, 1, ...none, ...topic()),
  })),
  { what: 'an UNSUBSCRIBE with identifier 0', bytes: () => packet(0xa2, 0, 0, ...none, ...topic()) },
  { what: 'an UNSUBSCRIBE without filters', bytes: () => packet(0xa2, 0, 1, ...none) },
  { what: 'an UNSUBSCRIBE with an empty filter', bytes: () => packet(0xa2, 0, 1, ...none, 0, 0) },
  { what: 'a PINGREQ with a body', bytes: () => packet(0xc0, 0) },
  { what: 'a PINGREQ with flags', bytes: () => packet(0xc1) },
  { what: 'a DISCONNECT with flags', bytes: () => packet(0xe1) },
  { what: 'a CONNACK', bytes: () => packet(0x20, 0, 0, ...none) },
  { what: 'a SUBACK', bytes: () => packet(0x90, 0, 1, ...none, 0) },
  { what: 'an UNSUBACK', bytes: () => packet(0xb0, 0, 1, ...none) },
  { what: 'a PINGRESP', bytes: () => packet(0xd0) },
  { what: 'a length of five bytes', bytes: () => Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 1]) },
];

const IN_4: readonly Case[] = [
  { what: 'a DISCONNECT with a body', bytes: () => packet(0xe0, 0) },
  { what: 'a PUBACK with a reason', bytes: () => packet(0x40, 0, 1, 0) },
  { what: 'an AUTH', bytes: () => packet(0xf0) },
  { what: 'options of 5 in a SUBSCRIBE', bytes: () => packet(0x82, 0, 1, ...topic(), 0x04) },
];

const IN_5: readonly Case[] = [
  { what: 'a length of more bytes than it needs', bytes: () => Buffer.from([0xc0, 0x80, 0]) },
  {
    what: 'a record whose length has more bytes than it needs',
    bytes: () => Buffer.from([0x30, 0x80 | 46, 0, ...topic(), 0, ...Buffer.from('{"n":1}')]),
  },
  {
    what: 'a record the length of whose properties has',
    bytes: () => packet(0x30, ...topic(), 0x80, 0, ...Buffer.from('{"n":1}')),
  },
  {
    what: 'a Subscription Identifier that has',
    bytes: () => packet(0x82, 0, 1, 3, 0x0b, 0x81, 0, ...topic(), 0),
  },
  {
    what: 'a Response Topic with a wildcard',
    bytes: () => packet(0x30, ...topic(), 6, 8, ...text('a/#')),
  },
  {
    what: 'No Local on a shared subscription',
    bytes: () => packet(0x82, 0, 1, 0, ...text('$share/a/#'), 0x04),
    reasons: [PROTOCOL_ERROR],
  },
  { what: 'Retain Handling 3', bytes: () => packet(0x82, 0, 1, 0, ...topic(), 0x30) },
  {
    what: 'a property twice',
    bytes: () => packet(0x30, ...topic(), 4, 1, 0, 1, 0),
    reasons: [PROTOCOL_ERROR],
  },
  { what: 'properties that are longer than the packet', bytes: () => packet(0x30, ...topic(), 99, 1, 0) },
  { what: 'a Topic Alias of 0', bytes: () => packet(0x30, ...topic(), 3, 0x23, 0, 0), reasons: [0x94] },
  { what: 'a Subscription Identifier in a PUBLISH', bytes: () => packet(0x30, ...topic(), 2, 0x0b, 1) },
  { what: 'a Subscription Identifier of 0', bytes: () => packet(0x82, 0, 1, 2, 0x0b, 0, ...topic(), 0) },
  { what: 'a PUBACK with a foreign property', bytes: () => packet(0x40, 0, 1, 0, 2, 1, 0) },
  { what: 'a PUBACK with something behind it', bytes: () => packet(0x40, 0, 1, 0, 0, 7) },
  { what: 'a DISCONNECT with something behind it', bytes: () => packet(0xe0, 0, 0, 7) },
  { what: 'a Server Reference from a client', bytes: () => packet(0xe0, 0, 4, 0x1c, ...text('a')) },
  { what: 'an AUTH that nobody asked for', bytes: () => packet(0xf0, 0x18, 0) },
];

describe.each([
  [4, [...inBoth([]), ...IN_4]],
  [5, [...inBoth([0]), ...IN_5]],
] as const)('protocol %i ends at', (version, cases) => {
  test.each(cases)('$what', async ({ bytes, reasons = EITHER }) => {
    const witness = await signedIn(world, device, version, { clientId: 'witness' });
    const client = await signedIn(world, device, version);
    client.write(bytes());
    const last = await client.ended();
    if (version === 4) expect(last).toBeNull();
    else {
      expect(last).toMatchObject({ cmd: 'disconnect' });
      expect(reasons).toContain((last as { reasonCode?: number }).reasonCode);
    }
    expect(await witness.before()).toEqual([]);
    expect(await world.recordsOf(device)).toEqual([]);
    witness.end();
  });
});

test('over 3.1.1 a length may have more bytes than it needs: it does not say otherwise', async () => {
  const client = await signedIn(world, device, 4);
  client.write(Buffer.from([0xc0, 0x80, 0x80, 0]));
  expect(await client.next()).toMatchObject({ cmd: 'pingresp' });
  client.end();
});

test('a CONNECT of 5 with Authentication Data and no method is a protocol error (3.1.2.11.10)', async () => {
  const client = await rawClient(world.port, 5);
  client.send(connectOf(device, 5, { properties: { authenticationData: Buffer.from('x') } }));
  expect(await client.ended()).toMatchObject({ cmd: 'connack', reasonCode: PROTOCOL_ERROR });
});

describe.each([4, 5] as const)('a CONNECT of protocol %i is not accepted', (version) => {
  const bytesOf = (more: Record<string, unknown> = {}) =>
    Buffer.from(generate(connectOf(device, version, more) as Packet, { protocolVersion: version }));
  /** One whose flags, which stand behind the name and the version, are changed. */
  const withFlags = (change: (flags: number) => number, more = {}) => {
    const bytes = bytesOf(more);
    const at = bytes.indexOf('MQTT') + 5;
    bytes[at] = change(bytes[at]!);
    return bytes;
  };

  test.each([
    ['with the reserved flag', () => withFlags((flags) => flags | 0x01)],
    ['with the QoS of a will and no will', () => withFlags((flags) => flags | 0x08)],
    ['with a retained will and no will', () => withFlags((flags) => flags | 0x20)],
    ['that says it has no user, whose name follows', () => withFlags((flags) => flags & 0x7f)],
    ['with flags in its first byte', () => Buffer.concat([Buffer.from([0x11]), bytesOf().subarray(1)])],
    ['that is cut short', () => Buffer.concat([Buffer.from([0x10, 4]), bytesOf().subarray(2, 6)])],
    [
      'of another protocol',
      () => Buffer.from(bytesOf().toString('latin1').replace('MQTT', 'MQTS'), 'latin1'),
    ],
  ])('%s', async (_what, bytes) => {
    const client = await rawClient(world.port, version);
    client.write(bytes());
    const last = await client.ended();
    if (last !== null) {
      expect(last).toMatchObject({ cmd: 'connack' });
      expect((last as { reasonCode?: number; returnCode?: number }).reasonCode ?? last).not.toBe(0);
      expect(last).not.toMatchObject({ returnCode: 0 });
    }
  });
});
