import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connectAsync } from 'mqtt';
import { generate, parser, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { runService } from '../../helpers/service/running-service.ts';
import { connectOf, mqttWorld, publishOf, signedIn, type MqttWorld } from './world.ts';

/* MQTT over WebSockets (6), and over TLS. */

let world: MqttWorld;
beforeAll(async () => {
  world = await mqttWorld();
});
afterAll(() => world.stop());

const urlOf = (of: MqttWorld = world) => of.service.mqtt_websocket_urls[0] ?? '';

interface Opening {
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
  readonly url?: string;
}

/** The socket, or the status that it was refused with. */
async function open({ protocols = ['mqtt'], headers = {}, url = urlOf() }: Opening = {}) {
  const socket = new WebSocket(url, [...protocols], { headers });
  const refused = new Promise<number | null>((resolve) => {
    socket.once('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.once('error', () => resolve(null));
  });
  const opened = new Promise<'open'>((resolve) => socket.once('open', () => resolve('open')));
  const outcome = await Promise.race([opened, refused]);
  return { socket, outcome };
}

/** Gathers packets of version 5 from binary frames. */
function packetsOf(socket: WebSocket): Packet[] {
  const got: Packet[] = [];
  const reader = parser({ protocolVersion: 5 });
  reader.on('packet', (packet) => got.push(packet));
  socket.on('message', (data, isBinary) => {
    expect(isBinary).toBe(true);
    reader.parse(data as Buffer);
  });
  return got;
}

const bytesOf = (packet: Packet) => generate(packet, { protocolVersion: 5 });

describe('WebSocket', () => {
  test('the first frame is cut off where it is larger than any CONNECT, before it is whole', async () => {
    const { socket, outcome } = await open();
    expect(outcome).toBe('open');
    const closed = once(socket, 'close');
    // A part of a message, which is never ended.
    for (let i = 0; i < 4; i++) socket.send(Buffer.alloc(100_000), { binary: true, fin: false });
    await closed;
  });

  test('a stranger’s second frame is, too, however small the first one was', async () => {
    const { socket } = await open();
    const closed = once(socket, 'close');
    // Where a CONNECT begins.
    socket.send(Buffer.from([0x10]));
    for (let i = 0; i < 4; i++) socket.send(Buffer.alloc(100_000), { binary: true, fin: false });
    await closed;
  });

  test('pings do not count: who is silent otherwise stays', async () => {
    const own = await world.makeDevice();
    const { socket } = await open();
    let pongs = 0;
    socket.on('pong', () => pongs++);
    // As many at once as are answered; together more than a stranger may send otherwise.
    for (let sent = 0; sent < 1500; sent += 30) {
      for (let i = 0; i < 30; i++) socket.ping(Buffer.alloc(120));
      await expect.poll(() => pongs, { interval: 1 }).toBe(sent + 30);
    }
    const got = packetsOf(socket);
    socket.send(bytesOf(connectOf(own)));
    await expect.poll(() => got.length).toBe(1);
    socket.close();
  });

  test('frames that are not whole share the memory of all bodies: one too many is told so, and gives it back', async () => {
    const own = await world.makeDevice();
    const part = Buffer.alloc(3_900_000);
    const sockets = await Promise.all(
      Array.from({ length: 36 }, async (_, i) => {
        const { socket } = await open();
        const got = packetsOf(socket);
        socket.send(bytesOf(connectOf(own, 5, { clientId: `client ${i}` })));
        await expect.poll(() => got.length).toBe(1);
        return { socket, got };
      }),
    );
    for (const { socket } of sockets) socket.send(part, { binary: true, fin: false });
    const refused = () => sockets.filter(({ got }) => got.length > 1);
    await expect.poll(() => refused().length).toBeGreaterThan(0);
    expect(refused()[0]?.got[1]).toMatchObject({ cmd: 'disconnect', reasonCode: 0x97 });
    for (const { socket } of sockets) socket.terminate();
    const later = await signedIn(world, own);
    const large = JSON.stringify(Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })));
    await expect
      .poll(async () => {
        later.send(publishOf(own, large, { qos: 1, messageId: 1 }));
        return (await later.next())?.cmd;
      })
      .toBe('puback');
    later.end();
  }, 180_000);

  test('later frames may be larger', async () => {
    const own = await world.makeDevice();
    const { socket } = await open();
    const got = packetsOf(socket);
    socket.send(bytesOf(connectOf(own)));
    await expect.poll(() => got.length).toBe(1);
    const payload = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(40) })));
    socket.send(bytesOf(publishOf(own, payload, { qos: 1, messageId: 1 })));
    await expect.poll(() => got[1]).toMatchObject({ cmd: 'puback', messageId: 1 });
    socket.close();
  });

  test.each([4, 5] as const)('mqtt.js stores and hears over it (%i)', async (protocolVersion) => {
    const own = await world.makeDevice();
    expect(urlOf()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/mqtt$/);
    const client = await connectAsync(urlOf(), {
      protocolVersion,
      username: own.id,
      password: own.token,
      reconnectPeriod: 0,
    });
    const heard: string[] = [];
    client.on('message', (_topic, payload) => heard.push(payload.toString()));
    await client.subscribeAsync('#', { qos: 2 });
    await client.publishAsync(own.id, '{"n":1}', { qos: 2 });
    const large = JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })));
    await client.publishAsync(own.id, large, { qos: 1 });
    await expect.poll(() => heard).toEqual(['{"n":1}', large]);
    expect(await world.recordsOf(own)).toHaveLength(2001);
    await client.endAsync();
  });

  test('[MQTT-6.0.0-4] the subprotocol is mqtt, also where others are offered', async () => {
    const { socket, outcome } = await open({ protocols: ['mqttv3.1', 'mqtt'] });
    expect(outcome).toBe('open');
    expect(socket.protocol).toBe('mqtt');
    socket.terminate();
  });

  test.each([
    ['[MQTT-6.0.0-3] without a subprotocol', { protocols: [] }, 400],
    ['[MQTT-6.0.0-3] with another alone', { protocols: ['mqttv3.1'] }, 400],
    ['of a page from elsewhere', { headers: { origin: 'https://elsewhere.example' } }, 403],
    ['of a page that is nowhere', { headers: { origin: 'null' } }, 403],
    ['by the name of another machine', { headers: { host: 'elsewhere.example' } }, 403],
  ])('one %s is refused', async (_what, opening: Opening, status) => {
    const { socket, outcome } = await open(opening);
    expect(outcome).toBe(status);
    socket.terminate();
  });

  test('with a query behind its path is one as well: there is nothing that it could ask for', async () => {
    const { socket, outcome } = await open({ url: `${urlOf()}?client=esp32` });
    expect(outcome).toBe('open');
    socket.terminate();
  });

  test('of a page of its own is not', async () => {
    const { socket, outcome } = await open({
      headers: { origin: new URL(urlOf().replace('ws', 'http')).origin },
    });
    expect(outcome).toBe('open');
    socket.terminate();
  });

  test('[MQTT-6.0.0-1] a text frame closes it, and nothing that is in it counts', async () => {
    const own = await world.makeDevice();
    const { socket } = await open();
    const got = packetsOf(socket);
    const closed = once(socket, 'close');
    // The flags of a user's name and password, and the keep-alive behind them, are one character.
    const connect = connectOf(own, 5, { clientId: 'c', keepalive: 0x8000 });
    const bytes = Buffer.concat([bytesOf(connect), bytesOf(publishOf(own, '{"n":1}'))]);
    expect(isUtf8(bytes)).toBe(true);
    socket.send(bytes.toString('utf8'));
    await closed;
    expect(got).toEqual([]);
    const later = await signedIn(world, own);
    later.send(publishOf(own, '{"n":2}', { qos: 1, messageId: 1 }));
    await later.nextOf('puback');
    expect(await world.valuesOf(own)).toEqual([2]);
    later.end();
  });

  test('[MQTT-6.0.0-2] packets may be cut anywhere, and several may come in one frame', async () => {
    const own = await world.makeDevice();
    const { socket } = await open();
    const got = packetsOf(socket);
    const bytes = Buffer.concat([
      bytesOf(connectOf(own)),
      bytesOf(publishOf(own, '{"n":1}', { qos: 1, messageId: 1 })),
      bytesOf(publishOf(own, '{"n":2}', { qos: 1, messageId: 2 })),
    ]);
    for (let i = 0; i < bytes.length; i += 7) socket.send(bytes.subarray(i, i + 7));
    await expect.poll(() => got.map(({ cmd }) => cmd)).toEqual(['connack', 'puback', 'puback']);
    socket.send(
      Buffer.concat([
        bytesOf({ cmd: 'pingreq' }),
        bytesOf(publishOf(own, '{"n":3}', { qos: 1, messageId: 3 })),
      ]),
    );
    await expect
      .poll(() =>
        got
          .map(({ cmd }) => cmd)
          .slice(3)
          .toSorted(),
      )
      .toEqual(['pingresp', 'puback']);
    expect(await world.valuesOf(own)).toEqual([1, 2, 3]);
    socket.terminate();
  });

  test('its connections end with the service', async () => {
    const own = await mqttWorld();
    const of = await own.makeDevice();
    const { socket } = await open({ url: urlOf(own) });
    const got = packetsOf(socket);
    socket.send(bytesOf(connectOf(of)));
    await expect.poll(() => got.length).toBe(1);
    const closed = once(socket, 'close');
    await own.stop();
    await closed;
    expect(got.at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8b });
  });

  test('a strict service has no MQTT at all', async () => {
    const strict = await runService({ strict: true });
    expect(strict.service).toMatchObject({ mqtt_url: null, mqtts_url: null, mqtt_websocket_urls: [] });
    expect(strict.service.mqtt_shut).toContain('--strict');
    const url = `${(strict.service.http_url ?? strict.service.base_url).replace('http', 'ws')}/mqtt`;
    const { outcome, socket } = await open({ url });
    expect(outcome).not.toBe('open');
    socket.terminate();
    await strict.stop();
  });
});

describe('TLS', () => {
  test('mqtts and wss carry it, for who trusts the CA of the service, and nobody else', async () => {
    const secure = await mqttWorld({ tls: true, mqttsPort: 0 });
    const own = await secure.makeDevice();
    const { mqtts_url, mqtt_websocket_urls, ca_file } = secure.service;
    const ca = await readFile(ca_file ?? '', 'utf8');
    const wss = mqtt_websocket_urls.find((url) => url.startsWith('wss:'));
    for (const [i, url] of [mqtts_url ?? '', wss ?? ''].entries()) {
      const options = {
        username: own.id,
        password: own.token,
        reconnectPeriod: 0,
        protocolVersion: 5,
      } as const;
      const wsOptions = { ca };
      const client = await connectAsync(url, { ...options, ca, wsOptions });
      await client.publishAsync(own.id, JSON.stringify({ n: i }), { qos: 1 });
      await client.endAsync();
      await expect(connectAsync(url, options, false)).rejects.toThrow(/certificate|issuer|verify/i);
    }
    expect(await secure.valuesOf(own)).toEqual([0, 1]);
    await secure.stop();
  });
});
