import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectOf,
  mqttWorld,
  publishOf,
  rawClient,
  signedIn,
  subscribeOf,
  type Device,
  type MqttWorld,
} from './world.ts';

/* How connections end, and what goes with a device (3.1.2.10, 3.12, 3.14; MQTT 5, 4.13). */

let world: MqttWorld;
let device: Device;
// What waits for a device ends a moment after what another service deletes.
beforeAll(async () => void (world = await mqttWorld({}, { isAlone: true })));
afterAll(() => world.stop());

const fresh = async () => (device = await world.makeDevice());
const record = (n: number) => JSON.stringify({ n });
const pathOf = ({ project, id }: Device) => `projects/${project}/devices/${id}`;
const LASTING = { clean: false, properties: { sessionExpiryInterval: 60 } };

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, string>> {
  const { status, envelope } = await world.request(method, path, { body });
  expect(status).toBe(200);
  return envelope.data as unknown as Record<string, string>;
}

/** The end as each version sees it. */
const endOf = (version: 4 | 5, reasonCode: number) =>
  version === 5 ? { cmd: 'disconnect', reasonCode } : null;

describe.each([4, 5] as const)('protocol %i', (version) => {
  const expectEnd = (last: unknown, reasonCode: number) => {
    const end = endOf(version, reasonCode);
    if (end === null) expect(last).toBeNull();
    else expect(last).toMatchObject(end);
  };

  test('[MQTT-3.12.4-1] PINGREQ is answered', async () => {
    const client = await signedIn(world, await fresh(), version);
    client.send({ cmd: 'pingreq' });
    expect(await client.next()).toMatchObject({ cmd: 'pingresp' });
    client.end();
  });

  test('[MQTT-3.1.2-22] who is silent for one and a half times the keep-alive is cut off, who pings is not', async () => {
    await fresh();
    const from = performance.now();
    const silent = await signedIn(world, device, version, { clientId: 'silent', keepalive: 1 });
    const lively = await signedIn(world, device, version, { clientId: 'lively', keepalive: 1 });
    const pings = setInterval(() => lively.send({ cmd: 'pingreq' }), 300);
    expectEnd(await silent.ended(), 0x8d);
    // Timers may be a millisecond early.
    expect(performance.now() - from).toBeGreaterThan(1400);
    clearInterval(pings);
    expect((await lively.before()).every(({ cmd }) => cmd === 'pingresp')).toBe(true);
    lively.end();
  });

  test('[MQTT-3.1.2-22] a packet that takes its time on the way is a sign of life', async () => {
    await fresh();
    const payload = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ n: i })));
    const topic = Buffer.from(device.id);
    const rest = [...(version === 5 ? [0] : []), ...Buffer.from(payload)];
    const length = 2 + topic.length + 2 + rest.length;
    const bytes = Buffer.from([
      0x32,
      (length & 0x7f) | 0x80,
      length >> 7,
      0,
      topic.length,
      ...topic,
      0,
      1,
      ...rest,
    ]);
    /** Sends it in 1.8 s. Returns the answer, and the longest time in which nothing was sent, in ms. */
    const sendSlowly = async () => {
      const client = await signedIn(world, device, version, { keepalive: 1 });
      let longest = 0;
      let last = performance.now();
      for (let i = 0; i < 7; i++) {
        client.write(bytes.subarray((i * bytes.length) / 7, ((i + 1) * bytes.length) / 7));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        if (i < 6) await client.silence(300);
      }
      const answer = await client.next();
      client.end();
      return { answer, longest };
    };
    let sent = await sendSlowly();
    // A machine that kept this process waiting made a client of it that was silent, which is cut off rightly.
    while (sent.answer === null && sent.longest > 1400) sent = await sendSlowly();
    expect(sent.answer, `nothing was sent for ${sent.longest} ms`).toMatchObject({
      cmd: 'puback',
      messageId: 1,
    });
  });

  test('a device that is deleted is sent away at once, and nothing of its sessions is left', async () => {
    await fresh();
    const away = await signedIn(world, device, version, { ...LASTING, clientId: 'away' });
    away.end();
    const client = await signedIn(world, device, version);
    client.send(publishOf(device, record(1), { qos: 1, messageId: 1, retain: true }));
    await client.nextOf('puback');
    await ask('DELETE', `/v2/${pathOf(device)}`);
    expectEnd(await client.ended(), 0x98);
    const again = await rawClient(world.port, version);
    again.send(connectOf(device, version));
    expect(await again.next()).toMatchObject(version === 5 ? { reasonCode: 0x86 } : { returnCode: 4 });
    world = await world.restarted();
    const kept = await readFile(join(world.directory, 'mqtt-sessions.journal'), 'utf8');
    expect(kept).not.toContain(device.id);
  });

  test('so are the devices of a project that is deleted, and no others', async () => {
    const other = await world.makeDevice();
    const client = await signedIn(world, await fresh(), version);
    const untouched = await signedIn(world, other, version);
    await ask('DELETE', `/v2/projects/${device.project}`);
    expectEnd(await client.ended(), 0x98);
    expect(await untouched.before()).toEqual([]);
    untouched.end();
  });

  test('so is one that was moved into that project while it was connected, and not one that was moved out', async () => {
    const [into, out] = [await world.makeDevice(), await fresh()];
    const clients = { in: await signedIn(world, into, version), out: await signedIn(world, out, version) };
    const third = await world.makeDevice();
    await ask('POST', `/_local/v1/${pathOf(into)}/move`, { to: out.project });
    await ask('POST', `/_local/v1/${pathOf(out)}/move`, { to: third.project });
    await ask('DELETE', `/v2/projects/${out.project}`);
    expectEnd(await clients.in.ended(), 0x98);
    expect(await clients.out.before()).toEqual([]);
    clients.out.end();
  });

  test('who signed in with a token that is renewed is sent away at once; the session stays', async () => {
    await fresh();
    const client = await signedIn(world, device, version, LASTING);
    const { device_token: token } = await ask('POST', `/_local/v1/${pathOf(device)}/token`);
    expectEnd(await client.ended(), 0x98);
    const again = await rawClient(world.port, version);
    again.send(connectOf({ ...device, token: token! }, version, LASTING));
    expect(await again.next()).toMatchObject({ cmd: 'connack', sessionPresent: true });
    again.end();
  });

  test('a change of its name sends nobody away', async () => {
    await fresh();
    const client = await signedIn(world, device, version);
    const { status } = await world.request('PATCH', `/_local/v1/${pathOf(device)}`, {
      body: { name: 'Other' },
    });
    expect(status).toBe(200);
    expect(await client.before()).toEqual([]);
    client.send(publishOf(device, record(1), { qos: 1, messageId: 1 }));
    expect(await client.next()).toMatchObject({ cmd: 'puback' });
    client.end();
  });

  test('a purge takes away what is retained and what waits, over a restart, too', async () => {
    await fresh();
    const more = { ...LASTING, clientId: 'away' };
    const away = await signedIn(world, device, version, more);
    away.send(subscribeOf('#', 2));
    await away.nextOf('suback');
    away.end();
    const client = await signedIn(world, device, version);
    for (const [i, qos] of ([1, 2] as const).entries()) {
      client.send(publishOf(device, record(i), { qos, messageId: i + 1, retain: true }));
      await client.nextOf(qos === 1 ? 'puback' : 'pubrec');
    }
    await ask('DELETE', `/v2/${pathOf(device)}/data`);
    client.send(publishOf(device, record(9), { qos: 1, messageId: 9 }));
    await client.nextOf('puback');
    for (const isRestart of [false, true]) {
      if (isRestart) world = await world.restarted();
      const back = await signedIn(world, device, version, more);
      expect(await back.next()).toMatchObject({ cmd: 'publish', payload: Buffer.from(record(9)) });
      back.send(subscribeOf('+', 0));
      await back.nextOf('suback');
      expect(await back.before()).toEqual([]);
      back.end();
      await expect.poll(() => back.closed).toBe(true);
    }
    expect(await world.valuesOf(device)).toEqual([9]);
  });

  test('a stop of the service acknowledges what was sent before it says goodbye', async () => {
    const own = await mqttWorld();
    const of = await own.makeDevice();
    const client = await signedIn(own, of, version);
    const batch = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ n: i })));
    client.send(
      publishOf(of, batch, { qos: 1, messageId: 1 }),
      publishOf(of, record(1), { qos: 2, messageId: 2 }),
      { cmd: 'pingreq' },
    );
    expect(await client.next()).toMatchObject({ cmd: 'pingresp' });
    const stopped = own.service.close();
    expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 2 });
    expectEnd(await client.ended(), 0x8b);
    await stopped;
    const again = await own.restarted();
    expect(await again.recordsOf(of)).toHaveLength(5001);
    await again.stop();
  });

  test('[MQTT-3.14.4-1] nothing behind a DISCONNECT counts', async () => {
    await fresh();
    const client = await signedIn(world, device, version, LASTING);
    client.send(
      publishOf(device, record(1), { qos: 1, messageId: 1 }),
      version === 5
        ? { cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 30 } }
        : { cmd: 'disconnect' },
      publishOf(device, record(2), { qos: 1, messageId: 2 }),
    );
    await client.ended();
    await expect.poll(() => world.valuesOf(device)).toEqual([1]);
    const other = await signedIn(world, device, version, { clientId: 'other' });
    other.send(publishOf(device, record(3), { qos: 1, messageId: 1 }));
    await other.nextOf('puback');
    expect(await world.valuesOf(device)).toEqual([1, 3]);
    other.end();
  });
});
