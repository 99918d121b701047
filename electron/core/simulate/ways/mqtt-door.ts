import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { generate, parser, type IPubackPacket, type Packet } from 'mqtt-packet';
import { machineClock } from '../../base/machine-clock.ts';
import { PATIENCE_MS, type Door, type DoorAnswer, type DoorPlaces, type Login } from './door.ts';

const MOST_MESSAGE_ID = 65_535;

interface Connection {
  readonly say: (packet: Packet) => void;
  readonly next: () => Promise<Packet>;
  readonly end: (error?: Error) => void;
  readonly isOpen: () => boolean;
}

/** The door of MQTT, or of MQTT over TLS where there is no plain one: version 5, QoS 1, one message after the other. */
export function openMqttDoor(login: Login, places: DoorPlaces): Door {
  let connection: Connection | null = null;
  let messageId = 0;

  async function send(payload: string): Promise<DoorAnswer> {
    if (connection?.isOpen() !== true) {
      const url = places.urls().mqtt_url ?? places.urls().mqtts_url;
      if (url === null)
        return { accepted: false, message: `The service takes no MQTT now. ${places.urls().mqtt_shut}` };
      connection = await connectTo(url, places);
      const refusal = await signIn(connection, login, places);
      if (refusal !== null) return { accepted: false, message: refusal };
    }
    messageId = (messageId % MOST_MESSAGE_ID) + 1;
    connection.say({
      cmd: 'publish',
      topic: login.id,
      payload,
      qos: 1,
      messageId,
      dup: false,
      retain: false,
    });
    const refusal = refusalIn(await pubackOf(connection, messageId));
    return refusal === null
      ? { accepted: true, message: 'Data stored successfully.' }
      : { accepted: false, message: refusal };
  }

  return {
    async send(payload) {
      const late = machineClock.after(PATIENCE_MS, () => connection?.end(new Error('it took too long')));
      try {
        return await send(payload);
      } finally {
        clearTimeout(late);
      }
    },
    close() {
      connection?.say({ cmd: 'disconnect', reasonCode: 0 });
      connection?.end();
    },
  };
}

async function connectTo(url: string, { urls, caCertificate }: DoorPlaces): Promise<Connection> {
  const [, host = '', port = ''] = /^mqtts?:\/\/\[?([^\]]+?)\]?:(\d+)$/.exec(url) ?? [];
  const at = { host, port: Number(port), timeout: PATIENCE_MS };
  const isPlain = url === urls().mqtt_url;
  const ca = caCertificate();
  const socket: Duplex & { setTimeout(ms: number): unknown } = isPlain
    ? connectPlain(at)
    : connectTls({ ...at, ...(ca !== null && { ca }) });
  const late = () => socket.destroy(new Error('it took too long'));
  socket.once('timeout', late);
  await once(socket, isPlain ? 'connect' : 'secureConnect');
  socket.off('timeout', late);
  socket.setTimeout(0);
  return {
    next: answersOn(socket),
    say: (packet) => void (socket.writable && socket.write(generate(packet, { protocolVersion: 5 }))),
    end: (error) => void (error === undefined ? socket.end() : socket.destroy(error)),
    isOpen: () => socket.writable && socket.readable,
  };
}

/** Resolves with why it is refused; null where it is not. */
async function signIn(
  { say, next }: Connection,
  { id, token }: Login,
  { chance }: DoorPlaces,
): Promise<string | null> {
  say({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 5,
    clientId: `fieldbench-test-${chance.of(id).uuid()}`,
    clean: true,
    keepalive: 0,
    username: id,
    password: Buffer.from(token),
  });
  return refusalIn(await next());
}

/** What answers this message: others may answer one that was sent twice. */
async function pubackOf({ next }: Connection, messageId: number): Promise<Packet> {
  for (;;) {
    const packet = await next();
    if (packet.cmd === 'disconnect' || packet.messageId === messageId) return packet;
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
  if (packet.cmd !== 'disconnect' && reasonCode < 0x80) return null;
  return properties?.reasonString ?? `Reason code ${reasonCode}.`;
}
