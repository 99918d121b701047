import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBackend, type BackendOptions } from '#core/service/open-backend.ts';
import type { RecordStore } from '#core/store/store.ts';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  RawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
} from '../world.ts';

/* Wills (3.1.2.5; MQTT 5, 3.1.3.2.2). */

let world: MqttWorld;
let device: Device;
let watcher: RawClient;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const GONE = '{"n":"gone"}';
const MARK = '{"n":"mark"}';

/** A device with one who watches it. */
async function fresh(): Promise<void> {
  device = await world.makeDevice();
  watcher = await signedIn(world, device, 5, { clientId: 'watcher' });
  watcher.send(subscribeOf('#', 2));
  await watcher.nextOf('suback');
}

const withWill = (more: Record<string, unknown> = {}) => ({
  clientId: 'mortal',
  will: { topic: device.id, payload: Buffer.from(GONE), qos: 1, retain: false, ...more },
});

/** A client that signs in and then neither hears anything nor closes, as a device that has lost its power. */
async function deadLine(version: 4 | 5, more: Record<string, unknown>): Promise<RawClient> {
  const client = new RawClient(
    connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true }),
    version,
  );
  client.send(connectOf(device, version, more));
  await client.nextOf('connack');
  return client;
}

/** What the watcher hears until a mark that is published now. */
async function heardUntilNow(): Promise<string[]> {
  watcher.send(publishOf(device, MARK, { qos: 1, messageId: 99 }));
  const heard: string[] = [];
  for (;;) {
    const payload = String((await watcher.nextOf('publish')).payload);
    if (payload === MARK) return heard;
    heard.push(payload);
  }
}

describe.each([4, 5] as const)('protocol %i', (version) => {
  test('[MQTT-3.1.2-8] is published, and stored, when its client is gone without a word', async () => {
    await fresh();
    (await signedIn(world, device, version, withWill())).end();
    expect(await watcher.nextOf('publish')).toMatchObject({
      payload: Buffer.from(GONE),
      qos: 1,
      retain: false,
    });
    expect(await world.valuesOf(device)).toEqual(['gone']);
  });

  test('[MQTT-3.1.2-10] is not when it says goodbye', async () => {
    await fresh();
    const client = await signedIn(world, device, version, withWill());
    client.send({ cmd: 'disconnect', reasonCode: 0 });
    expect(await client.ended()).toBeNull();
    expect(await heardUntilNow()).toEqual([]);
  });

  test('[MQTT-3.14.4-3] is not when it says goodbye and closes in the same moment', async () => {
    await fresh();
    const client = await signedIn(world, device, version, withWill());
    client.send(publishOf(device, '{"n":"last"}'), { cmd: 'disconnect', reasonCode: 0 });
    client.stream.end();
    expect(String((await watcher.nextOf('publish')).payload)).toBe('{"n":"last"}');
    await client.ended();
    expect(await heardUntilNow()).toEqual([]);
  });

  test('is published when its client breaks the protocol', async () => {
    await fresh();
    const client = await signedIn(world, device, version, withWill());
    client.write(Buffer.from([0x00, 0x00]));
    await client.ended();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
  });

  test('is published when its client is taken over', async () => {
    await fresh();
    const client = await signedIn(world, device, version, withWill());
    const other = await signedIn(world, device, version, { clientId: 'mortal' });
    await client.ended();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
    other.end();
  });

  test.each([false, true])(
    'is stored, handed on and retained before what the client says that takes over from one whose line is dead (clean: %s)',
    async (clean) => {
      await fresh();
      const more = { ...withWill({ retain: true }), clean };
      const dead = await deadLine(version, more);
      const back = await rawClient(world.port, version);
      const record = publishOf(device, '{"n":"back"}', { qos: 1, messageId: 1, retain: true });
      back.send(connectOf(device, version, more), record);
      await back.nextOf('puback');
      expect(await heardUntilNow()).toEqual([GONE, '{"n":"back"}']);
      expect(await world.valuesOf(device)).toEqual(['gone', 'back', 'mark']);
      const late = await signedIn(world, device, version, { clientId: 'late' });
      late.send(subscribeOf('#', 0));
      expect(String((await late.nextOf('publish')).payload)).toBe('{"n":"back"}');
      for (const each of [dead, back, late]) each.end();
    },
  );

  test('of a connection that is taken over is stored before its client is let in, however slow the disk is', async () => {
    const goOn = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const open = async (options: BackendOptions) => {
      const backend = await openBackend(options);
      const append = backend.records.append.bind(backend.records);
      const slowly: RecordStore['append'] = async (id, rows, given) => {
        if (JSON.stringify(rows).includes('gone')) {
          held.resolve();
          await goOn.promise;
        }
        return append(id, rows, given);
      };
      Object.assign(backend.records, { append: slowly });
      return backend;
    };
    const slow = await mqttWorld({}, { open });
    try {
      const own = await slow.makeDevice();
      const will = { topic: own.id, payload: Buffer.from(GONE), qos: 1, retain: false };
      const dead = await signedIn(slow, own, version, { clientId: 'mortal', will });
      const back = await rawClient(slow.port, version);
      back.send(
        connectOf(own, version, { clientId: 'mortal' }),
        publishOf(own, '{"n":"back"}', { qos: 1, messageId: 1 }),
      );
      await held.promise;
      expect(await back.silence(300)).toEqual([]);
      goOn.resolve();
      await back.nextOf('puback');
      expect(await slow.valuesOf(own)).toEqual(['gone', 'back']);
      for (const each of [dead, back]) each.end();
    } finally {
      goOn.resolve();
      await slow.stop();
    }
  });

  test('[MQTT-3.1.2-17] is retained where it asks for that', async () => {
    await fresh();
    (await signedIn(world, device, version, withWill({ retain: true }))).end();
    await watcher.nextOf('publish');
    const late = await signedIn(world, device, version, { clientId: 'late' });
    late.send(subscribeOf('#', 0));
    expect(await late.nextOf('publish')).toMatchObject({ payload: Buffer.from(GONE), retain: true });
    late.end();
  });

  test('one whose payload is none is said to be none when its client signs in', async () => {
    await fresh();
    const before = await world.refused();
    const client = await rawClient(world.port, version);
    client.send(connectOf(device, version, withWill({ payload: Buffer.from('offline') })));
    const isLetIn = version === 4;
    expect(await client.next()).toMatchObject(isLetIn ? { returnCode: 0 } : { reasonCode: 0x99 });
    expect(await world.atDoor(`/_local/v1/requests?device_id=${device.id}&limit=1`)).toMatchObject([
      { method: isLetIn ? 'PUBLISH' : 'CONNECT', status: 0x99, message: expect.stringMatching(/will.*JSON/) },
    ]);
    if (!isLetIn) return;
    client.end();
    expect(await world.refused()).toBe(before + 1);
    expect(world.logged.filter((line) => line.includes(device.id))).toEqual([expect.stringMatching(/will/i)]);
    expect(await heardUntilNow()).toEqual([]);
  });
});

describe('in 5', () => {
  test.each([0x04, 0x80, 0x83, 0x93])(
    '[MQTT-3.1.2-10] a goodbye with any reason but 0 leaves it to be published: %i',
    async (reasonCode) => {
      await fresh();
      const client = await signedIn(world, device, 5, withWill());
      client.send({ cmd: 'disconnect', reasonCode });
      await client.ended();
      expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
    },
  );

  const delayed = (willDelayInterval: number, sessionExpiryInterval: number) => ({
    ...withWill({ properties: { willDelayInterval } }),
    clean: false,
    properties: { sessionExpiryInterval },
  });

  test('[MQTT-3.1.3-9] waits for its delay, and is not published where the client is back before', async () => {
    /** Goes and comes back. Resolves with what was heard meanwhile, and how long that took in ms. */
    const leave = async () => {
      await fresh();
      const gone = await signedIn(world, device, 5, delayed(1, 60));
      const from = performance.now();
      gone.end();
      const heard = await heardUntilNow();
      const client = await signedIn(world, device, 5, delayed(1, 60));
      return { heard, client, took: performance.now() - from };
    };
    let back = await leave();
    // A machine that kept this process waiting made a client of it that was back too late.
    for (; back.took >= 1000; back = await leave()) back.client.end();
    expect(back.heard).toEqual([]);
    await watcher.silence(1100);
    expect(await heardUntilNow()).toEqual([]);
    back.client.end();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
  });

  test('does not wait longer than its session, nor beyond the end of it (3.1.2.5)', async () => {
    await fresh();
    (await signedIn(world, device, 5, delayed(60, 0))).end();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
    (await signedIn(world, device, 5, delayed(60, 1))).end();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
    (await signedIn(world, device, 5, delayed(60, 60))).end();
    expect(await heardUntilNow()).toEqual([]);
    (await signedIn(world, device, 5, { clientId: 'mortal', clean: true })).end();
    expect(String((await watcher.nextOf('publish')).payload)).toBe(GONE);
  });

  test('expires as any message, and takes its properties along', async () => {
    await fresh();
    const properties = {
      messageExpiryInterval: 100,
      contentType: 'application/json',
      userProperties: { a: 'b' },
    };
    (await signedIn(world, device, 5, withWill({ properties }))).end();
    const { properties: got } = await watcher.nextOf('publish');
    expect(got).toMatchObject({ contentType: 'application/json', userProperties: { a: 'b' } });
    expect(got?.messageExpiryInterval).toBeGreaterThan(90);
  });

  test('the will of a client whose will was to wait is stored, where the service stops', async () => {
    await fresh();
    (await signedIn(world, device, 5, delayed(60, 60))).end();
    await signedIn(world, device, 5, { ...delayed(60, 60), clientId: 'another' });
    await signedIn(world, device, 4, { ...withWill(), clientId: 'a third' });
    await heardUntilNow();
    world = await world.restarted();
    expect(await world.valuesOf(device)).toEqual(['mark', 'gone', 'gone', 'gone']);
    expect(world.logged.filter((line) => line.includes('MQTT'))).toEqual([]);
  });
});

test('the will of a device that was deleted stores nothing', async () => {
  await fresh();
  await signedIn(world, device, 5, withWill());
  const { status } = await world.request('DELETE', `/v2/projects/${device.project}/devices/${device.id}`);
  expect(status).toBe(200);
  await watcher.ended();
  const other = await world.makeDevice();
  expect(await world.recordsOf(other)).toEqual([]);
  expect(world.logged.filter((line) => line.includes('failed'))).toEqual([]);
});

test('MQTT 5, 3.1.3.2.2: a will does not wait longer than its session, which others that are away have ended', async () => {
  await fresh();
  for (let n = 0; n < 18; n++) {
    const payload = Buffer.from(`{"n":${n}}`);
    const will = {
      topic: device.id,
      payload,
      qos: 1,
      retain: false,
      properties: { willDelayInterval: 3600 },
    };
    const more = { clientId: `away ${n}`, properties: { sessionExpiryInterval: 3600 }, will };
    (await signedIn(world, device, 5, more)).end();
    await watcher.before();
  }
  await expect.poll(() => world.valuesOf(device)).toEqual([0, 1]);
});
