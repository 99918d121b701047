import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { generate, parser, type IPubackPacket, type Packet } from 'mqtt-packet';
import type { Source } from '#shared/domain/sources.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { machineClock } from '../base/machine-clock.ts';
import { request as httpRequest } from '../net/node-http.ts';
import type { Trust } from './trust.ts';

/** ms that a door may take to answer. */
const PATIENCE_MS = 10_000;

/** Who sends: a device, and its token. */
export interface Login {
  readonly id: string;
  readonly source: Source;
  readonly token: string;
}

/** Doors of a service for devices. */
export interface DeviceDoors {
  /** Without a slash at its end. */
  readonly http: string;
  /** `mqtt://` or `mqtts://`; null where it is shut. */
  readonly mqtt: string | null;
  /** Why it is shut, for people to read. */
  readonly shut: string | null;
  /** Of those with TLS. */
  readonly trust: Trust;
}

export interface DevicePayload {
  readonly bytes: string | Uint8Array;
  /** Media type; MQTT has none. */
  readonly type: string;
  /** Client id over MQTT. */
  readonly client: string;
}

/** Answer of a door. */
export interface DeviceAnswer {
  readonly accepted: boolean;
  readonly message: string;
  /** Of HTTP; null over MQTT. */
  readonly status: number | null;
}

/**
 * Sends a payload as a device does: to the door of its source, over the network stack, with its token. A door that is shut is an
 * answer, too. Rejects as the connection does.
 */
export const sendAsDevice = (
  login: Login,
  doors: DeviceDoors,
  payload: DevicePayload,
): Promise<DeviceAnswer> => OVER[login.source](login, doors, payload);

const OVER: Readonly<Record<Source, typeof sendAsDevice>> = { http: overHttp, mqtt: overMqtt };

async function overHttp(
  { token }: Login,
  { http, trust }: DeviceDoors,
  { bytes, type }: DevicePayload,
): Promise<DeviceAnswer> {
  const url = `${http}/integrations/http`;
  const options = {
    method: 'POST',
    agent: false,
    timeout: PATIENCE_MS,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(bytes),
    },
  };
  const request = url.startsWith('https:')
    ? httpsRequest(url, { ...options, ...trust })
    : httpRequest(url, options);
  request.once('timeout', () => request.destroy(new Error('it took too long')));
  request.end(bytes);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { success, message, status } = parseJson(await text(response)) as Envelope;
  return { accepted: success, message, status };
}

async function overMqtt(
  { id, token }: Login,
  { mqtt: url, shut, trust }: DeviceDoors,
  { bytes, client }: DevicePayload,
): Promise<DeviceAnswer> {
  if (url === null)
    return { accepted: false, message: `The service takes no MQTT now. ${shut}`, status: null };
  const [, scheme, host = '', port = ''] = /^(mqtts?):\/\/\[?([^\]]+?)\]?:(\d+)$/.exec(url) ?? [];
  const at = { host, port: Number(port) };
  const isPlain = scheme === 'mqtt';
  const socket: Duplex = isPlain ? connectPlain(at) : connectTls({ ...at, ...trust });
  const late = machineClock.after(PATIENCE_MS, () => socket.destroy(new Error('it took too long')));
  try {
    await once(socket, isPlain ? 'connect' : 'secureConnect');
    const next = answersOn(socket);
    const say = (packet: Packet) => socket.write(generate(packet, { protocolVersion: 5 }));
    say({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clientId: client,
      clean: true,
      keepalive: 0,
      username: id,
      password: Buffer.from(token),
    });
    const connack = refusalIn(await next());
    if (connack !== null) return { accepted: false, message: connack, status: null };
    say({
      cmd: 'publish',
      topic: id,
      payload: typeof bytes === 'string' ? bytes : Buffer.from(bytes),
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    });
    const puback = refusalIn(await next());
    say({ cmd: 'disconnect', reasonCode: 0 });
    return puback === null
      ? { accepted: true, message: 'Data stored successfully.', status: null }
      : { accepted: false, message: puback, status: null };
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
