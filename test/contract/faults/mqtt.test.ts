import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
} from '../mqtt/world.ts';
import { dataOf } from '../world.ts';
import { clearFaults, countsOf, faultsNow, seenBy, setFaults } from './faulty.ts';

/* docs/rigs.md, "Faults": what rules do to packets of MQTT. */

let world: MqttWorld;
let device: Device;

beforeAll(async () => {
  world = await mqttWorld({}, { isAlone: true });
});
afterAll(() => world.stop());
beforeEach(async () => {
  device = await world.makeDevice();
  await dataOf(world, 'POST', '/_local/v1/requests/clear', {});
});
afterEach(async () => {
  await clearFaults(world);
});

const values = () => world.valuesOf(device);
const publish = (n: number, qos: 0 | 1 | 2, messageId: number, dup = false) =>
  publishOf(device, `{"n":${n}}`, { qos, dup, ...(qos > 0 && { messageId }) });
const faultsSeen = async () =>
  (await seenBy(world)).filter(({ door }) => door === 'mqtt').map(({ method, fault }) => [method, fault]);

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('no-ack: a message is neither stored nor acknowledged, and those behind it are', async () => {
    const client = await signedIn(world, device, version);
    await setFaults(world, [{ name: 'deaf', match: { first: 1 }, do: { mqtt: 'no-ack' } }]);
    client.send(publish(1, 1, 1), publish(2, 1, 2));
    expect(await client.nextOf('puback')).toMatchObject({ messageId: 2 });
    expect(await client.before()).toEqual([]);
    expect(await values()).toEqual([2]);
    client.send(publish(1, 1, 1, true));
    expect(await client.nextOf('puback')).toMatchObject({ messageId: 1 });
    expect(await values()).toEqual([2, 1]);
    expect(countsOf(await faultsNow(world))).toEqual([[3, 1]]);
    expect(await faultsSeen()).toEqual([
      ['PUBLISH', null],
      ['PUBLISH', null],
      ['PUBLISH', 'deaf'],
      ['CONNECT', null],
    ]);
    client.end();
  });

  test.each([1, 2] as const)(
    'no-ack behind the store, QoS %i: it is stored, and sent again by its client; of QoS 2 it is there once',
    async (qos) => {
      const client = await signedIn(world, device, version, {
        clean: false,
        properties: { sessionExpiryInterval: 600 },
      });
      await setFaults(world, [{ match: { first: 1 }, do: { mqtt: 'no-ack', after_store: true } }]);
      client.send(publish(1, qos, 1));
      await expect.poll(values).toEqual([1]);
      expect(await client.before()).toEqual([]);
      client.end();
      const again = await signedIn(world, device, version, {
        clean: false,
        properties: { sessionExpiryInterval: 600 },
      });
      again.send(publish(1, qos, 1, true));
      expect(await again.nextOf(qos === 1 ? 'puback' : 'pubrec')).toMatchObject({ messageId: 1 });
      expect(await values()).toEqual(qos === 1 ? [1, 1] : [1]);
      again.end();
    },
  );

  test('drop does the same to messages, and leaves a CONNECT without an answer until its client or the rule ends', async () => {
    const client = await signedIn(world, device, version);
    await setFaults(world, [{ match: { door: 'mqtt' }, do: { drop: true } }]);
    client.send(publish(1, 1, 1));
    expect(await client.before()).toEqual([]);
    expect(await values()).toEqual([]);
    const kept = await rawClient(world.port, version);
    const left = await rawClient(world.port, version);
    kept.send(connectOf(device, version, { clientId: 'kept' }));
    left.send(connectOf(device, version, { clientId: 'left' }));
    await expect.poll(async () => (await faultsNow(world)).rules[0]?.done).toBeGreaterThanOrEqual(3);
    left.end();
    expect([kept.closed, await kept.silence(50)]).toEqual([false, []]);
    await clearFaults(world);
    expect(await kept.next()).toBeNull();
    client.send(publish(2, 1, 2));
    expect(await client.nextOf('puback')).toMatchObject({ messageId: 2 });
    client.end();
  });

  test('disconnect ends the connection, and stores nothing', async () => {
    const client = await signedIn(world, device, version);
    await setFaults(world, [{ name: 'out', match: { first: 1 }, do: { mqtt: 'disconnect' } }]);
    client.send(publish(1, 1, 1), publish(2, 1, 2));
    const last = await client.ended();
    if (version === 5)
      expect(last).toMatchObject({
        cmd: 'disconnect',
        reasonCode: 0x80,
        properties: { reasonString: 'The fault "out" is switched on: the message is not stored.' },
      });
    else expect(last).toBeNull();
    expect(await values()).not.toContain(1);
    await signedIn(world, device, version).then((next) => next.end());
  });

  test('refuse ends it without a word, at a CONNECT, too', async () => {
    const client = await signedIn(world, device, version);
    await setFaults(world, [{ match: { door: 'mqtt' }, do: { refuse: true } }]);
    client.send(publish(1, 1, 1));
    expect(await client.ended()).toBeNull();
    const next = await rawClient(world.port, version);
    next.send(connectOf(device, version));
    expect(await next.ended()).toBeNull();
    expect(await values()).toEqual([]);
  });

  test.each([0, 1, 2] as const)(
    'duplicate: a message of QoS %i comes twice, of QoS 2 it is stored once',
    async (qos) => {
      const client = await signedIn(world, device, version);
      const watcher = await signedIn(world, device, version, { clientId: 'watcher' });
      watcher.send(subscribeOf(device.id, 0));
      await watcher.nextOf('suback');
      await setFaults(world, [{ match: { first: 1 }, do: { mqtt: 'duplicate' } }]);
      client.send(publish(1, qos, 1));
      const answers = (await client.before()).map(({ cmd }) => cmd);
      await expect.poll(values).toEqual(qos === 2 ? [1] : [1, 1]);
      const got = await client.silence(20).then((more) => [...answers, ...more.map(({ cmd }) => cmd)]);
      expect(got).toEqual({ 0: [], 1: ['puback', 'puback'], 2: ['pubrec', 'pubrec'] }[qos]);
      expect((await watcher.before()).filter(({ cmd }) => cmd === 'publish')).toHaveLength(qos === 2 ? 1 : 2);
      client.end();
      watcher.end();
    },
  );

  test('a delay keeps a message waiting, and those behind it are acknowledged in their order', async () => {
    const client = await signedIn(world, device, version);
    await setFaults(world, [{ match: { door: 'mqtt', first: 1 }, do: { delay_ms: 600_000 } }]);
    client.send(publish(1, 1, 1), publish(2, 1, 2));
    await expect.poll(values).toEqual([2]);
    expect(await client.before()).toEqual([]);
    await clearFaults(world);
    expect([await client.next(), await client.next()]).toMatchObject([{ messageId: 1 }, { messageId: 2 }]);
    expect(await values()).toEqual([2, 1]);
    client.end();
  });

  test('what MQTT has alone is done to a CONNECT where the match names that', async () => {
    await setFaults(world, [{ match: { method: 'CONNECT', first: 1 }, do: { mqtt: 'disconnect' } }]);
    const client = await rawClient(world.port, version);
    client.send(connectOf(device, version));
    expect(await client.ended()).toBeNull();
    (await signedIn(world, device, version)).end();
    expect(countsOf(await faultsNow(world))).toEqual([[2, 1]]);
  });
});

describe('a reason code', () => {
  const rules = [{ name: 'quota', do: { mqtt: { reason_code: 0x97 } } }];

  test.each([1, 2] as const)(
    'answers a message of QoS %i in version 5, which is not stored and may be sent again',
    async (qos) => {
      const client = await signedIn(world, device, 5);
      await setFaults(world, rules);
      client.send(publish(1, qos, 1));
      const cmd = qos === 1 ? 'puback' : 'pubrec';
      expect(await client.nextOf(cmd)).toMatchObject({
        messageId: 1,
        reasonCode: 0x97,
        properties: { reasonString: 'The fault "quota" is switched on: the message is not stored.' },
      });
      expect(await values()).toEqual([]);
      await clearFaults(world);
      client.send(publish(1, qos, 1));
      expect(await client.nextOf(cmd)).toMatchObject({ messageId: 1 });
      expect(await values()).toEqual([1]);
      client.end();
    },
  );

  test('is none in 3.1.1: the message is acknowledged and not stored, as any that is refused there', async () => {
    const client = await signedIn(world, device, 4);
    await setFaults(world, rules);
    client.send(publish(1, 1, 1));
    expect(await client.nextOf('puback')).toMatchObject({ messageId: 1 });
    expect(await values()).toEqual([]);
    client.end();
  });

  test('is that of the CONNACK where the match names CONNECT; in 3.1.1 the return code that it has', async () => {
    const answers: unknown[] = [];
    for (const reason_code of [0x89, 0x97, 0xa0])
      for (const version of [4, 5] as const) {
        await setFaults(world, [{ match: { method: 'CONNECT' }, do: { mqtt: { reason_code } } }]);
        const client = await rawClient(world.port, version);
        client.send(connectOf(device, version));
        const answer = await client.next();
        answers.push(answer?.cmd === 'connack' ? (answer.reasonCode ?? answer.returnCode) : answer);
        expect(await client.next()).toBeNull();
      }
    expect(answers).toEqual([3, 0x89, 3, 0x97, null, 0xa0]);
  });
});

test('clients and messages of another account meet none of it, and those that are not let in the default one’s', async () => {
  const made = await dataOf(world, 'POST', '/_local/v1/accounts', { name: 'Suite' });
  const key = made['api_key'] as string;
  const theirs = {
    request: (method: string, path: string, more = {}) => world.request(method, path, { ...more, key }),
  };
  await setFaults(theirs, [{ do: { refuse: true } }]);
  const client = await signedIn(world, device, 5);
  client.send(publish(1, 1, 1));
  expect(await client.nextOf('puback')).toMatchObject({ messageId: 1 });
  client.end();
  expect(countsOf(await faultsNow(theirs))).toEqual([[0, 0]]);
  await setFaults(world, [{ match: { method: 'CONNECT' }, do: { mqtt: { reason_code: 0x89 } } }]);
  const stranger = await rawClient(world.port, 5);
  stranger.send(connectOf(device, 5, { password: Buffer.from('wrong') }));
  expect(await stranger.next()).toMatchObject({ cmd: 'connack', reasonCode: 0x89 });
  await clearFaults(theirs);
});

test('doors, topics and devices are matched as over HTTP', async () => {
  const other = await world.makeDevice();
  await setFaults(world, [
    { match: { door: 'ws' }, do: { mqtt: 'no-ack' } },
    {
      match: { door: 'mqtt', operation: 'ingest', device_id: device.id, path: device.id.slice(0, 8) },
      do: { mqtt: 'no-ack' },
    },
  ]);
  const [client, another] = [await signedIn(world, device, 5), await signedIn(world, other, 5)];
  client.send(publish(1, 1, 1));
  another.send(publishOf(other, '{"n":1}', { qos: 1, messageId: 1 }));
  expect(await another.nextOf('puback')).toMatchObject({ messageId: 1 });
  expect(await client.before()).toEqual([]);
  expect(countsOf(await faultsNow(world))).toEqual([
    [0, 0],
    [1, 1],
  ]);
  client.end();
  another.end();
});
