import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { generate, parser, type IPubackPacket, type Packet } from 'mqtt-packet';
import type { Source } from '#shared/domain/sources.ts';
import { parseJson } from '#shared/values/json.ts';
import { machineClock } from '../base/machine-clock.ts';
import { request as httpRequest } from '../net/node-http.ts';
import type { Context } from './context.ts';

/** The same reading as in the examples that people paste. */
const READING = '{"temperature": 21.5}';
/** ms that a door may take to answer. */
const PATIENCE_MS = 10_000;

interface Login {
  readonly id: string;
  readonly source: Source;
  readonly token: string;
}

/** Answer of the door. */
export interface TestAnswer {
  readonly accepted: boolean;
  readonly message: string;
}

/**
 * Sends a reading as the device would: to the door of its source, over the network stack, with its token. A door that is
 * shut or does not answer is an answer, too.
 */
export async function sendTestReading(
  device: Login,
  context: Pick<Context, 'urls' | 'caCertificate' | 'chance'>,
): Promise<TestAnswer> {
  const ca = context.caCertificate();
  try {
    return await OVER[device.source](device, context, ca);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { accepted: false, message: `The door of the device did not answer: ${code ?? message}.` };
  }
}

type Asked = Pick<Context, 'urls' | 'chance'>;
type Send = (login: Login, asked: Asked, ca: string | null) => Promise<TestAnswer>;

const OVER: Readonly<Record<Source, Send>> = {
  http: overHttp,
  mqtt: overMqtt,
};

async function overHttp({ token }: Login, asked: Asked, ca: string | null): Promise<TestAnswer> {
  const urls = asked.urls();
  const url = `${urls.http_url ?? urls.base_url}/integrations/http`;
  const options = {
    method: 'POST',
    agent: false,
    timeout: PATIENCE_MS,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  };
  const request = url.startsWith('https:')
    ? httpsRequest(url, { ...options, ...(ca !== null && { ca }) })
    : httpRequest(url, options);
  request.once('timeout', () => request.destroy(new Error('it took too long')));
  request.end(READING);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { success, message } = parseJson(await text(response)) as { success: boolean; message: string };
  return { accepted: success, message };
}

async function overMqtt({ id, token }: Login, asked: Asked, ca: string | null): Promise<TestAnswer> {
  const urls = asked.urls();
  const url = urls.mqtt_url ?? urls.mqtts_url;
  if (url === null) return { accepted: false, message: `The service takes no MQTT now. ${urls.mqtt_shut}` };
  const [, host = '', port = ''] = /^mqtts?:\/\/\[?([^\]]+?)\]?:(\d+)$/.exec(url) ?? [];
  const at = { host, port: Number(port) };
  const isPlain = url === urls.mqtt_url;
  const socket: Duplex = isPlain ? connectPlain(at) : connectTls({ ...at, ...(ca !== null && { ca }) });
  const late = machineClock.after(PATIENCE_MS, () => socket.destroy(new Error('it took too long')));
  try {
    await once(socket, isPlain ? 'connect' : 'secureConnect');
    const next = answersOn(socket);
    const say = (packet: Packet) => socket.write(generate(packet, { protocolVersion: 5 }));
    say({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clientId: `fieldbench-test-${asked.chance.of(id).uuid()}`,
      clean: true,
      keepalive: 0,
      username: id,
      password: Buffer.from(token),
    });
    const connack = refusalIn(await next());
    if (connack !== null) return { accepted: false, message: connack };
    say({
      cmd: 'publish',
      topic: id,
      payload: READING,
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    });
    const puback = refusalIn(await next());
    say({ cmd: 'disconnect', reasonCode: 0 });
    return puback === null
      ? { accepted: true, message: 'Data stored successfully.' }
      : { accepted: false, message: puback };
  } finally {
    clearTimeout(late);
    socket.end();
  }
}

/** The packets that come, one after the other; rejects where the connection ends instead. */
function answersOn(socket: Duplex): () => Promise<Packet> {
  const reader = parser({ protocolVersion: 5 });
  const waiting: ((packet: Packet) => void)[] = [];
  const came: Packet[] = [];
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  reader.on('packet', (packet) => {
    const take = waiting.shift();
    if (take === undefined) came.push(packet);
    else take(packet);
  });
  socket.on('data', (piece: Buffer) => void reader.parse(piece));
  socket.on('error', (error) => ended.reject(error));
  socket.once('close', () => ended.reject(new Error('it closed the connection')));
  return () => {
    const packet = came.shift();
    if (packet !== undefined) return Promise.resolve(packet);
    return Promise.race([new Promise<Packet>((resolve) => waiting.push(resolve)), ended.promise]);
  };
}

/** Why a packet says no; null where it says yes. */
function refusalIn(packet: Packet): string | null {
  const { reasonCode = 0, properties } = packet as IPubackPacket;
  if (reasonCode < 0x80) return null;
  return properties?.reasonString ?? `Reason code ${reasonCode}.`;
}
