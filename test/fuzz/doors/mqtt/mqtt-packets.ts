import * as fc from 'fast-check';
import { generate, type Packet } from 'mqtt-packet';
import { mutated, mutations, type Mutation } from '../mutate.ts';

/* Packets of MQTT: right ones of either version, damaged ones, and bytes that are none. */

/** Who signs in with them, and where they publish. */
export interface Login {
  readonly id: string;
  readonly token: string;
}

export type Input =
  | { readonly kind: 'packet'; readonly packet: Packet; readonly changes: readonly Mutation[] }
  /** A packet whose length is said to be another. */
  | { readonly kind: 'lie'; readonly packet: Packet; readonly length: readonly number[] }
  | { readonly kind: 'flood'; readonly packet: Packet; readonly times: number }
  /** A PUBLISH of MQTT 5 with so many bytes of one property, again and again. */
  | {
      readonly kind: 'properties';
      readonly first: number;
      readonly property: Uint8Array;
      readonly times: number;
      readonly said: number | null;
    }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array };

const messageId = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 20 }), weight: 9 }, fc.constant(65_535));
const qos = fc.constantFrom<0 | 1 | 2>(0, 1, 2);
const text = fc.oneof(fc.constantFrom('', 'x', '$SYS', 'a/b'), fc.string({ unit: 'binary', maxLength: 20 }));
const topic = fc.oneof(
  { arbitrary: fc.constant('$device'), weight: 8 },
  fc.constantFrom('#', '+', '$device/#', '$share/g/#', '+/+/+', '#/x', '/'.repeat(2000)),
  text,
);
const userProperties = fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 40 })), { maxKeys: 5 });
const properties = fc.record(
  {
    userProperties,
    topicAlias: fc.integer({ min: 0, max: 6 }),
    contentType: fc.oneof(fc.constantFrom('application/json', 'application/x-ndjson'), text),
    messageExpiryInterval: fc.constantFrom(0, 1, 0xffffffff),
    correlationData: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    payloadFormatIndicator: fc.boolean(),
    responseTopic: text,
  },
  { requiredKeys: [] },
);
const payload = fc.oneof(
  { arbitrary: fc.constantFrom('{"a":1}', '[{"a":1},{"a":2}]', '{"timestamp":1,"b":"x"}'), weight: 5 },
  fc.constantFrom('', '{', '[[[[', '{"a":1}\n{"a":2}\n', `[${'{"a":1},'.repeat(3000)}{"a":1}]`),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constant('x'.repeat(70_000)),
);
const subscription = fc.record({
  topic,
  qos,
  nl: fc.boolean(),
  rap: fc.boolean(),
  rh: fc.constantFrom(0, 1, 2),
});

export const connect = (more: object = {}) =>
  fc.record({
    cmd: fc.constant('connect' as const),
    protocolId: fc.constant('MQTT'),
    protocolVersion: fc.constantFrom(4, 5),
    clientId: fc.constantFrom('a', 'b', 'c', '', 'x'.repeat(300)),
    clean: fc.boolean(),
    keepalive: fc.constantFrom(0, 60, 65_535),
    username: fc.oneof({ arbitrary: fc.constant('$device'), weight: 9 }, text),
    password: fc.oneof({ arbitrary: fc.constant('$token'), weight: 9 }, text),
    properties: fc.record(
      {
        sessionExpiryInterval: fc.constantFrom(0, 60, 0xffffffff),
        receiveMaximum: fc.constantFrom(1, 65_535),
        maximumPacketSize: fc.constantFrom(1, 100, 1e6),
        requestProblemInformation: fc.boolean(),
        userProperties,
      },
      { requiredKeys: [] },
    ),
    will: fc.option(fc.record({ topic, payload, qos, retain: fc.boolean() }), { nil: undefined, freq: 3 }),
    ...more,
  });

const packet = fc.oneof(
  {
    arbitrary: fc.record({
      cmd: fc.constant('publish'),
      topic,
      payload,
      qos,
      messageId,
      dup: fc.boolean(),
      retain: fc.boolean(),
      properties,
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      cmd: fc.constant('subscribe'),
      messageId,
      subscriptions: fc.array(subscription, { maxLength: 6 }),
      properties: fc.record(
        { subscriptionIdentifier: fc.integer({ min: 1, max: 268_435_455 }), userProperties },
        { requiredKeys: [] },
      ),
    }),
    weight: 2,
  },
  fc.record({
    cmd: fc.constant('unsubscribe'),
    messageId,
    unsubscriptions: fc.array(topic, { maxLength: 6 }),
  }),
  {
    arbitrary: fc.record({
      cmd: fc.constantFrom('puback', 'pubrec', 'pubrel', 'pubcomp'),
      messageId,
      reasonCode: fc.constantFrom(0, 0x80, 0x92),
    }),
    weight: 3,
  },
  fc.record({ cmd: fc.constantFrom('pingreq', 'pingresp') }),
  fc.record({
    cmd: fc.constant('disconnect'),
    reasonCode: fc.constantFrom(0, 4, 0x81),
    properties: fc.record(
      { sessionExpiryInterval: fc.constantFrom(0, 60, 0xffffffff) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    cmd: fc.constant('suback'),
    messageId,
    granted: fc.array(fc.constantFrom(0, 128), { maxLength: 3 }),
  }),
  fc.record({ cmd: fc.constant('connack'), sessionPresent: fc.boolean(), returnCode: fc.constantFrom(0, 5) }),
  fc.record({ cmd: fc.constant('auth'), reasonCode: fc.constantFrom(0, 0x18, 0x19) }),
  connect(),
) as fc.Arbitrary<Packet>;

export const input: fc.Arbitrary<Input> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant('packet' as const), packet, changes: fc.constant([]) }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('packet' as const), packet, changes: mutations(4) }),
    weight: 12,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('lie' as const),
      packet,
      length: fc.oneof(
        fc.constantFrom([0], [1], [0xff, 0xff, 0xff, 0x7f], [0xff, 0xff, 0xff, 0xff], [0x80, 0x00]),
        fc.array(fc.nat(255), { minLength: 1, maxLength: 4 }),
      ),
    }),
    weight: 2,
  },
  fc.record({ kind: fc.constant('raw' as const), bytes: fc.uint8Array({ maxLength: 60 }) }),
);

/** What costs more: thousands of tiny packets at once, and thousands of properties in one. */
export const costly: fc.Arbitrary<Input> = fc.oneof(
  fc.record({
    kind: fc.constant('flood' as const),
    packet: fc.constantFrom<Packet>(
      { cmd: 'pingreq' },
      { cmd: 'publish', topic: '$device', payload: '{"a":1}', qos: 0, dup: false, retain: false },
      { cmd: 'pubrel', messageId: 1 },
      { cmd: 'puback', messageId: 1 },
    ),
    times: fc.constantFrom(50, 500, 5000),
  }),
  fc.record({
    kind: fc.constant('properties' as const),
    first: fc.constantFrom(0x30, 0x32, 0x34, 0x10, 0x82, 0xc0),
    property: fc.constantFrom<Uint8Array>(
      new Uint8Array([0x26, 0, 0, 0, 0]),
      new Uint8Array([0x0b, 1]),
      new Uint8Array([0x01, 1]),
      new Uint8Array([0x7e]),
    ),
    times: fc.constantFrom(1, 1000, 12_000, 60_000),
    said: fc.option(fc.constantFrom(0, 1, 127, 65_536, 268_435_455)),
  }),
);

const filled = (value: unknown, { id, token }: Login): unknown => {
  if (typeof value === 'string') return value.replaceAll('$device', id).replaceAll('$token', token);
  if (Array.isArray(value)) return value.map((one) => filled(one, { id, token }));
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, { id, token })]));
};

/** The bytes of a packet; none where the library writes none of it. */
export function bytesOfPacket(one: Packet, version: 4 | 5, login: Login): Buffer {
  try {
    return generate(filled(one, login) as Packet, { protocolVersion: version });
  } catch {
    return Buffer.alloc(0);
  }
}

const lengthBytes = (length: number): number[] =>
  length < 128 ? [length] : [(length & 127) | 128, ...lengthBytes(length >> 7)];

/** The bytes of an input, and of how many packets they are. */
export function bytesOf(one: Input, version: 4 | 5, login: Login): { bytes: Buffer; packets: number } {
  if (one.kind === 'raw') return { bytes: Buffer.from(one.bytes), packets: 1 };
  if (one.kind === 'properties') {
    const list = Buffer.concat(Array.from({ length: one.times }, () => one.property));
    const said = lengthBytes(one.said ?? list.length);
    const topicBytes = Buffer.from(login.id);
    const identifier = (one.first & 6) === 0 ? [] : [0, 1];
    const rest = Buffer.concat([
      Buffer.from([0, topicBytes.length]),
      topicBytes,
      Buffer.from([...identifier, ...said]),
      list,
      Buffer.from('{"a":1}'),
    ]);
    return {
      bytes: Buffer.concat([Buffer.from([one.first, ...lengthBytes(rest.length)]), rest]),
      packets: 1,
    };
  }
  const bytes = bytesOfPacket(one.packet, version, login);
  if (one.kind === 'packet') return { bytes: mutated(bytes, one.changes), packets: 1 };
  if (one.kind === 'flood')
    return { bytes: Buffer.concat(Array.from({ length: one.times }, () => bytes)), packets: one.times };
  let at = 1;
  while (bytes[at]! >= 0x80) at++;
  return {
    bytes: Buffer.concat([bytes.subarray(0, 1), Buffer.from(one.length), bytes.subarray(at + 1)]),
    packets: 1,
  };
}
