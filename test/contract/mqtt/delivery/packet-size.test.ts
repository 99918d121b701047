import { generate, type IPublishPacket } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, subscribeOf, type Device, type MqttWorld } from '../world.ts';

/* Maximum Packet Size of a client (MQTT 5, 3.1.2.11.4): what fits comes, whatever it is made of. */

let world: MqttWorld;
let device: Device;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const LIMIT = 512;
type Properties = NonNullable<IPublishPacket['properties']>;

/** As the subscriber gets it. */
const sizeOf = (payload: string, qos: 0 | 1 | 2, properties: Properties) =>
  generate(publishOf(device, payload, { qos, messageId: 1, properties }), { protocolVersion: 5 }).length;

/** A record that makes the packet so many bytes long. */
function payloadFor(bytes: number, n: number, qos: 0 | 1 | 2, properties: Properties): string {
  const record = (pad: number) => JSON.stringify({ n, pad: 'x'.repeat(pad) });
  // From a length on whose own length does not change any more (1.5.5).
  return record(200 + bytes - sizeOf(record(200), qos, properties));
}

test.each<[string, Properties]>([
  ['no property', {}],
  ['a content type', { contentType: 'application/json' }],
  ['bytes of correlation', { correlationData: Buffer.alloc(128, 0xff) }],
  ['a topic for the answer', { responseTopic: 'ä/ö'.repeat(10) }],
  ['user properties', { userProperties: { a: ['1', '2'], 'ü"\\\n': 'ß'.repeat(40) } }],
  ['a time to expire', { messageExpiryInterval: 3600 }],
  ['a payload that says what it is', { payloadFormatIndicator: true }],
])('with %s, limit - 1 and limit come, and limit + 1 does not', async (_what, properties) => {
  for (const qos of [0, 1, 2] as const) {
    device = await world.makeDevice();
    const client = { clientId: 'small', properties: { maximumPacketSize: LIMIT } };
    const small = await signedIn(world, device, 5, client);
    small.send(subscribeOf('#', qos));
    await small.nextOf('suback');
    const sender = await signedIn(world, device);
    for (const [i, bytes] of [LIMIT - 1, LIMIT, LIMIT + 1, LIMIT - 1].entries()) {
      const payload = payloadFor(bytes, i + 1, qos, properties);
      expect(sizeOf(payload, qos, properties)).toBe(bytes);
      sender.send(publishOf(device, payload, { qos: 2, messageId: i + 1, properties }));
      await sender.nextOf('pubrec');
    }
    const got: unknown[] = [];
    while (got.length < 3) {
      const { payload, messageId } = await small.nextOf('publish');
      got.push((JSON.parse(String(payload)) as { n: number }).n);
      if (qos > 0) small.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId });
    }
    expect(got).toEqual([1, 2, 4]);
    expect(world.logged.filter((line) => line.includes(device.id))).toEqual([
      expect.stringContaining(`its packet has ${LIMIT + 1} bytes`),
    ]);
    for (const each of [small, sender]) each.end();
  }
});
