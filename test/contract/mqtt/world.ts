import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  generate,
  parser,
  type IConnackPacket,
  type IPublishPacket,
  type ISubscribePacket,
  type Packet,
} from 'mqtt-packet';
import type { Config } from '#core/base/config.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/** How long an answer may take before a test calls it missing: what comes at last ends the wait at once. */
const ANSWER_MS = PATIENTLY.timeout;

export interface Device {
  readonly id: string;
  readonly token: string;
  readonly project: string;
}

/** A service with an MQTT door on a free port, and whoever makes devices in it. */
export interface MqttWorld extends RunningService {
  readonly port: number;
  makeDevice(source?: 'mqtt' | 'http'): Promise<Device>;
  /** Records of a device, newest first. */
  recordsOf(device: Device): Promise<Record<string, unknown>[]>;
  /** Values of a key, in the order in which they arrived. */
  valuesOf(device: Device, key?: string): Promise<unknown[]>;
  /** What a GET says at the service that has this door, of several the first one: status and requests are each service's own. */
  atDoor<T>(path: string): Promise<T>;
  /** Messages that were not stored, as the status says. */
  refused(): Promise<number>;
  /** Stops the service and starts another in its folder. */
  restarted(): Promise<MqttWorld>;
}

/** `isAlone`, `open`, `clock`: as of runService. */
export async function mqttWorld(
  overrides: Partial<Config> = {},
  parts: Pick<NonNullable<Parameters<typeof runService>[1]>, 'isAlone' | 'open' | 'clock'> = {},
): Promise<MqttWorld> {
  const running = await runService({ mqttPort: { number: 0, isAsked: true }, ...overrides }, parts);
  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { envelope, status } = await running.request(method, path, { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${envelope.message}`);
    return envelope.data as T;
  };
  const atDoor = async <T>(path: string): Promise<T> => {
    const { http_url, base_url, api_key } = running.service;
    const headers = { authorization: `Bearer ${api_key}` };
    const answer = await fetch(`${http_url ?? base_url}${path}`, { headers });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  };
  let made = 0;
  const recordsOf = ({ project, id }: Device) =>
    data<Record<string, unknown>[]>(
      'GET',
      `/v2/projects/${project}/devices/${id}/data?page=1&limit=10000&range=all`,
    );
  return {
    ...running,
    port: portOf(running.service.mqtt_url),
    async makeDevice(source = 'mqtt') {
      const { id: project } = await data<{ id: string }>('POST', '/_local/v1/projects', {
        name: `Project ${++made}`,
      });
      const { metadata: of } = await data<{ metadata: { device_id: string; device_token: string } }>(
        'POST',
        `/v2/projects/${project}/devices`,
        { name: `Device ${made}`, source },
      );
      return { id: of.device_id, token: of.device_token, project };
    },
    recordsOf,
    valuesOf: async (device, key = 'n') =>
      (await recordsOf(device)).map((record) => record[key]).toReversed(),
    atDoor,
    refused: async () => (await atDoor<{ mqtt_refused: number }>('/_local/v1/status')).mqtt_refused,
    async restarted() {
      await running.service.close();
      return mqttWorld({ ...overrides, directory: running.directory }, parts);
    },
  };
}

export const portOf = (url: string | null) => Number(new URL(url ?? '').port);

/** A client that says exactly what a test wants it to say, and tells exactly what it got. */
export class RawClient {
  readonly stream: Duplex;
  readonly #version: 4 | 5;
  readonly #got: Packet[] = [];
  #heard = Promise.withResolvers<void>();
  closed = false;
  /** What let it in, once it has signed in. */
  connack: IConnackPacket | null = null;

  constructor(stream: Duplex, version: 4 | 5) {
    this.stream = stream;
    this.#version = version;
    const reader = parser({ protocolVersion: version });
    reader.on('packet', (packet) => {
      this.#got.push(packet);
      this.#tell();
    });
    stream.on('data', (piece: Buffer) => void reader.parse(piece));
    stream.on('error', () => {});
    stream.once('close', () => {
      this.closed = true;
      this.#tell();
    });
  }

  send(...packets: Packet[]): void {
    this.write(Buffer.concat(packets.map((packet) => generate(packet, { protocolVersion: this.#version }))));
  }

  write(bytes: Uint8Array): void {
    this.stream.write(bytes);
  }

  /** The next packet that came; null where the connection ended instead. */
  async next(): Promise<Packet | null> {
    const until = Date.now() + ANSWER_MS;
    for (;;) {
      const packet = this.#got.shift();
      if (packet !== undefined) return packet;
      if (this.closed) return null;
      const left = until - Date.now();
      if (left <= 0) throw new Error('No packet came.');
      await Promise.race([this.#heard.promise, delay(left)]);
    }
  }

  /** The next packet of a kind; those before it are left out. */
  async nextOf<Cmd extends Packet['cmd']>(cmd: Cmd): Promise<Extract<Packet, { cmd: Cmd }>> {
    for (let packet = await this.next(); packet !== null; packet = await this.next())
      if (packet.cmd === cmd) return packet as Extract<Packet, { cmd: Cmd }>;
    throw new Error(`The connection ended before a ${cmd.toUpperCase()} came.`);
  }

  /** What came before the answer to a PINGREQ that is sent now. */
  async before(): Promise<readonly Packet[]> {
    this.send({ cmd: 'pingreq' });
    const got: Packet[] = [];
    for (let packet = await this.next(); packet?.cmd !== 'pingresp'; packet = await this.next()) {
      if (packet === null) throw new Error('The connection ended before a PINGRESP came.');
      got.push(packet);
    }
    return got;
  }

  /** The end of the connection, and the last packet before it. */
  async ended(): Promise<Packet | null> {
    let last: Packet | null = null;
    for (let packet = await this.next(); packet !== null; packet = await this.next()) last = packet;
    return last;
  }

  /** What came within a while without being asked for. */
  async silence(ms: number): Promise<readonly Packet[]> {
    await delay(ms);
    return this.#got.splice(0);
  }

  end(): void {
    this.stream.destroy();
  }

  #tell(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }
}

export async function rawClient(port: number, version: 4 | 5 = 5): Promise<RawClient> {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return new RawClient(socket, version);
}

/** A CONNECT of a device that may sign in. */
export function connectOf(
  { id, token }: Device,
  version: 4 | 5 = 5,
  more: Record<string, unknown> = {},
): Extract<Packet, { cmd: 'connect' }> {
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: `client-of-${id}`,
    clean: true,
    keepalive: 0,
    username: id,
    password: Buffer.from(token),
    ...more,
  };
}

/** A client that has signed in. */
export async function signedIn(
  world: MqttWorld,
  device: Device,
  version: 4 | 5 = 5,
  more: Record<string, unknown> = {},
): Promise<RawClient> {
  const client = await rawClient(world.port, version);
  client.send(connectOf(device, version, more));
  const answer = await client.next();
  if (answer?.cmd !== 'connack' || (answer.returnCode ?? answer.reasonCode) !== 0)
    throw new Error(`Not signed in: ${JSON.stringify(answer)}`);
  client.connack = answer;
  return client;
}

/** A PUBLISH of a payload to a topic. */
export function publishOf(
  { id }: Pick<Device, 'id'>,
  payload: string | Buffer,
  more: Partial<IPublishPacket> = {},
): IPublishPacket {
  return { cmd: 'publish', topic: id, payload, qos: 0, retain: false, dup: false, ...more };
}

/** A SUBSCRIBE to one filter. */
export function subscribeOf(
  topic: string,
  qos: 0 | 1 | 2 = 0,
  {
    messageId = 1,
    nl = false,
    rap = false,
    rh = 0,
    id,
  }: { messageId?: number; nl?: boolean; rap?: boolean; rh?: number; id?: number } = {},
): ISubscribePacket {
  return {
    cmd: 'subscribe',
    messageId,
    subscriptions: [{ topic, qos, nl, rap, rh }],
    ...(id !== undefined && { properties: { subscriptionIdentifier: id } }),
  };
}
