import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { generate, parser, type IPubackPacket, type Packet } from 'mqtt-packet';
import type { Trust } from '../trust.ts';
import { machineClock } from '../../base/machine-clock.ts';
import {
  noAnswer,
  PATIENCE_MS,
  type DevicePayload,
  type Door,
  type DoorAnswer,
  type DoorPlaces,
  type Login,
} from './door.ts';

const MOST_MESSAGE_ID = 65_535;
/** Reason codes from here on refuse. */
const REFUSES = 0x80;
const STORED = 'Data stored successfully.';

interface Connection {
  readonly say: (packet: Packet) => void;
  readonly next: () => Promise<Packet>;
  readonly end: (error?: Error) => void;
  readonly isOpen: () => boolean;
}

/** The door of MQTT, plain or over TLS: version 5, QoS 1, one message after the other. `places`: asked for each connection, as doors move. */
export function openMqttDoor(login: Login, places: () => DoorPlaces): Door {
  let connection: Connection | null = null;
  let messageId = 0;

  async function send({ bytes, type }: DevicePayload): Promise<DoorAnswer> {
    if (connection?.isOpen() !== true) {
      const { mqtt, shut, trust } = places();
      if (mqtt === null) return noAnswer(`The service takes no MQTT now. ${shut}`);
      connection = await connectTo(mqtt, trust);
      const signedIn = answerIn(await signIn(connection, login));
      if (!signedIn.accepted) return signedIn;
    }
    messageId = (messageId % MOST_MESSAGE_ID) + 1;
    connection.say({
      cmd: 'publish',
      topic: login.id,
      payload: typeof bytes === 'string' ? bytes : Buffer.from(bytes),
      qos: 1,
      messageId,
      dup: false,
      retain: false,
      ...(type !== 'application/json' && { properties: { contentType: type } }),
    });
    return answerIn(await pubackOf(connection, messageId));
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

async function connectTo(url: string, trust: Trust): Promise<Connection> {
  const [, scheme, host = '', port = ''] = /^(mqtts?):\/\/\[?([^\]]+?)\]?:(\d+)$/.exec(url) ?? [];
  const at = { host, port: Number(port), timeout: PATIENCE_MS };
  const isPlain = scheme === 'mqtt';
  const socket: Duplex & { setTimeout(ms: number): unknown } = isPlain
    ? connectPlain(at)
    : connectTls({ ...at, ...trust });
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

/** Resolves with the packet that lets in, or does not. */
async function signIn({ say, next }: Connection, { id, token, client }: Login): Promise<Packet> {
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
  return next();
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

function answerIn(packet: Packet): DoorAnswer {
  const { reasonCode: reason_code = 0, properties } = packet as IPubackPacket;
  const reason_string = properties?.reasonString ?? null;
  const accepted = packet.cmd !== 'disconnect' && reason_code < REFUSES;
  return {
    accepted,
    message: reason_string ?? (accepted ? STORED : `Reason code ${reason_code}.`),
    status: null,
    http: null,
    mqtt: { packet: packet.cmd.toUpperCase(), reason_code, reason_string },
  };
}
