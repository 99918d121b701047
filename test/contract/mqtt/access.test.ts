import type { Packet } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
  type RawClient,
} from './world.ts';

/* Everyone who must not get through, with everything that a client may send (docs/api.md, "Access"). */

let world: MqttWorld;
let device: Device;
let other: Device;
let http: Device;
let watcher: RawClient;

beforeAll(async () => {
  world = await mqttWorld();
  device = await world.makeDevice();
  other = await world.makeDevice();
  http = await world.makeDevice('http');
  watcher = await signedIn(world, device, 5, { clientId: 'watcher' });
  watcher.send(subscribeOf('#', 2));
  await watcher.nextOf('suback');
});
afterAll(async () => {
  watcher.end();
  await world.stop();
});

const RECORD = '{"n":1}';

/** Every packet that a client may send. */
function packets(version: 4 | 5, { id }: Device): Packet[] {
  const auth: Packet[] = version === 5 ? [{ cmd: 'auth', reasonCode: 0x18 }] : [];
  return [
    publishOf({ id }, RECORD),
    publishOf({ id }, RECORD, { retain: true }),
    publishOf({ id }, RECORD, { qos: 1, messageId: 1 }),
    publishOf({ id }, RECORD, { qos: 2, messageId: 2 }),
    { cmd: 'puback', messageId: 3 },
    { cmd: 'pubrec', messageId: 4 },
    { cmd: 'pubrel', messageId: 2 },
    { cmd: 'pubcomp', messageId: 5 },
    subscribeOf(id, 2),
    subscribeOf('#', 2),
    { cmd: 'unsubscribe', messageId: 6, unsubscriptions: ['#'] },
    { cmd: 'pingreq' },
    ...auth,
    { cmd: 'disconnect' },
  ];
}

async function expectNothingHappened(): Promise<void> {
  expect(await watcher.before()).toEqual([]);
  for (const each of [device, other, http]) expect(await world.recordsOf(each)).toEqual([]);
}

type Credentials = (world: MqttWorld) => Record<string, unknown>;
const none = { username: undefined, password: undefined };
const wrong: readonly [string, Credentials, 4 | 5][] = [
  ['no credentials', () => none, 4],
  ['an empty user name', () => ({ username: '', password: Buffer.from(device.token) }), 4],
  ['an empty password', () => ({ password: Buffer.from('') }), 4],
  ['a wrong token', () => ({ password: Buffer.from('0'.repeat(40)) }), 4],
  ['the token in other letters', () => ({ password: Buffer.from(device.token.toLowerCase() + 'x') }), 4],
  ['the token of another MQTT device', () => ({ password: Buffer.from(other.token) }), 4],
  ['the id of another MQTT device', () => ({ username: other.id }), 4],
  ['an HTTP device, which it is', () => ({ username: http.id, password: Buffer.from(http.token) }), 5],
  ['the token of an HTTP device', () => ({ password: Buffer.from(http.token) }), 4],
  ['an API key', ({ service }) => ({ password: Buffer.from(service.api_key) }), 4],
  ['an API key alone', ({ service }) => ({ username: service.api_key, password: undefined }), 4],
  [
    'a token alone, for another client id',
    () => ({ username: device.token, password: undefined, clientId: 'me' }),
    4,
  ],
  [
    'a token alone, for the id of another device',
    () => ({ username: device.token, password: undefined, clientId: other.id }),
    4,
  ],
];

describe.each([4, 5] as const)('protocol %i', (version) => {
  const refusal = (returnCode: 4 | 5) =>
    version === 4
      ? { cmd: 'connack', returnCode, sessionPresent: false }
      : { cmd: 'connack', reasonCode: returnCode === 4 ? 0x86 : 0x87, sessionPresent: false };

  describe.each(wrong)('%s', (_what, credentials, returnCode) => {
    test('is refused, whatever comes behind it', async () => {
      const will = { topic: device.id, payload: Buffer.from(RECORD), qos: 2, retain: true };
      for (const packet of packets(version, device)) {
        const client = await rawClient(world.port, version);
        client.send(connectOf(device, version, { will, ...credentials(world) }), packet);
        expect(await client.next()).toMatchObject(refusal(returnCode));
        expect(await client.next()).toBeNull();
      }
      await expectNothingHappened();
    });
  });

  test('before a CONNECT there is no answer to anything', async () => {
    for (const packet of packets(version, device)) {
      const client = await rawClient(world.port, version);
      client.send(packet, connectOf(device, version));
      expect(await client.next()).toBeNull();
    }
    await expectNothingHappened();
  });

  test('the right id and token get through, and so does the token alone with the id as client id', async () => {
    for (const more of [{}, { username: device.token, password: undefined, clientId: device.id }]) {
      const client = await signedIn(world, device, version, more);
      client.end();
    }
  });

  test('one device reaches nothing of another', async () => {
    const client = await signedIn(world, other, version);
    for (const packet of packets(version, device))
      if (packet.cmd === 'publish' || (packet.cmd === 'subscribe' && packet.subscriptions[0]?.topic !== '#'))
        client.send(packet);
    const reasons: unknown[] = [];
    while (reasons.length < 3) {
      const answer = await client.next();
      if (answer?.cmd === 'suback') reasons.push(...answer.granted);
      else if (answer?.cmd === 'puback' || answer?.cmd === 'pubrec') reasons.push(answer.reasonCode);
      else throw new Error(`Got ${JSON.stringify(answer)}.`);
    }
    // 3.1.1 acknowledges what it drops.
    expect(reasons).toHaveLength(3);
    expect(new Set(reasons)).toEqual(new Set(version === 5 ? [0x87] : [0x80, undefined]));
    client.end();
    await expectNothingHappened();
  });

  // A service over a database hears of it a moment later: the connection ends then, which is what this looks at.
  test.runIf(inFolder).each(['its token is renewed', 'it is deleted'])(
    'nothing more of a device gets through once %s',
    async (what) => {
      for (const packet of packets(version, device)) {
        const own = await world.makeDevice();
        const client = await signedIn(world, own, version);
        const path = `projects/${own.project}/devices/${own.id}`;
        const [method, address] = what.includes('renewed')
          ? ['POST', `/_local/v1/${path}/token`]
          : ['DELETE', `/v2/${path}`];
        const asked = world.request(method, address);
        const { status } = await asked;
        expect(status).toBe(200);
        client.send(packet.cmd === 'publish' ? { ...packet, topic: own.id } : packet);
        const last = await client.ended();
        if (version === 5) expect(last).toMatchObject({ cmd: 'disconnect', reasonCode: 0x98 });
        else expect(last).toBeNull();
        if (method === 'POST') expect(await world.recordsOf(own)).toEqual([]);
      }
    },
  );

  test('and so before anybody has heard of it', async () => {
    const own = await world.makeDevice();
    const client = await signedIn(world, own, version);
    const renewed = world.request('POST', `/_local/v1/projects/${own.project}/devices/${own.id}/token`);
    let n = 0;
    const sending = setInterval(() => client.send(publishOf(own, JSON.stringify({ n: ++n }))), 0);
    await renewed;
    const last = n;
    await client.ended();
    clearInterval(sending);
    // What was under way when the answer came may still be stored; nothing is that was sent behind it.
    for (const record of await world.recordsOf(own)) expect(record['n']).toBeLessThanOrEqual(last);
  });
});

test('a device of MQTT stores nothing over HTTP', async () => {
  const { status, envelope } = await world.request('POST', '/integrations/http', {
    key: device.token,
    body: { n: 1 },
  });
  expect(status).toBe(403);
  expect(envelope.message).toContain('MQTT');
  await expectNothingHappened();
});

test('secrets are in no line of the log', () => {
  const log = world.logged.join('');
  for (const secret of [device.token, other.token, http.token, world.service.api_key])
    expect(log).not.toContain(secret);
});
