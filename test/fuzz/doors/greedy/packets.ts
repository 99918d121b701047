import { connect, type Socket } from 'node:net';
import type { Packet } from 'mqtt-packet';
import { createWebSocketStream, WebSocket } from 'ws';
import type { Duplex } from 'node:stream';
import { WINDOW_PATH } from '#shared/bridge/wire.ts';
import { bytesOfPacket, type Login } from '../mqtt/mqtt-packets.ts';
import { BINARY, frameOf } from '../http/web-socket.ts';

const CONNECTIONS = 32;
/** Packets of each, and bytes of them: as many as a service reads at once of several. */
const PACKETS = 300;
const BYTES = 8 * 1024 * 1024;
/** ms after which who hears and sends nothing more gives up. */
const PATIENCE_MS = 2000;
/** What is sent but for its last byte: as large as a frame or packet may be. */
const LARGE = 4 * 1024 * 1024 - 1024;

const SIXTY_KB = 'x'.repeat(60_000);
const userProperties = { [SIXTY_KB.slice(0, 30_000)]: SIXTY_KB.slice(0, 30_000) };
const LARGE_PAYLOAD = JSON.stringify(
  Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, SIXTY_KB])),
);
const subscription = { topic: '$device', qos: 1, nl: false, rap: true, rh: 0 } as const;

/** What a client may send, at its limits. */
const PACKETS_SENT = {
  connect: (n) => connection(n),
  publish: (n) => ({
    cmd: 'publish',
    topic: '$device',
    qos: (n % 3) as 0 | 1 | 2,
    messageId: n + 1,
    dup: false,
    retain: n % 2 === 0,
    payload: n % 4 === 0 ? LARGE_PAYLOAD : `{"a":${n}}`,
    properties: { userProperties },
  }),
  puback: (n) => ({ cmd: 'puback', messageId: n + 1, reasonCode: 0, properties: { userProperties } }),
  pubrec: (n) => ({ cmd: 'pubrec', messageId: n + 1, reasonCode: 0, properties: { userProperties } }),
  pubrel: (n) => ({ cmd: 'pubrel', messageId: n + 1, reasonCode: 0, properties: { userProperties } }),
  pubcomp: (n) => ({ cmd: 'pubcomp', messageId: n + 1, reasonCode: 0, properties: { userProperties } }),
  subscribe: (n) => ({
    cmd: 'subscribe',
    messageId: n + 1,
    properties: { userProperties },
    subscriptions: Array.from({ length: 500 }, () => subscription),
  }),
  unsubscribe: (n) => ({
    cmd: 'unsubscribe',
    messageId: n + 1,
    properties: { userProperties },
    unsubscriptions: Array.from({ length: 500 }, () => '$device'),
  }),
  pingreq: () => ({ cmd: 'pingreq' }),
  disconnect: () => ({ cmd: 'disconnect', reasonCode: 4, properties: { userProperties } }),
  auth: () => ({ cmd: 'auth', reasonCode: 0x18, properties: { authenticationMethod: SIXTY_KB } }),
} as const satisfies Partial<Record<NonNullable<Packet['cmd']>, (n: number) => unknown>>;

export type SentPacket = keyof typeof PACKETS_SENT;
export const PACKETS_OF_CLIENTS = Object.keys(PACKETS_SENT) as SentPacket[];

/** A session of its own that is kept, with a will. */
const connection = (n: number) => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 5,
  clientId: `greedy-${n}`,
  clean: false,
  keepalive: 0,
  username: '$device',
  password: Buffer.from('$token'),
  properties: { sessionExpiryInterval: 3600 },
  will: {
    topic: '$device',
    payload: Buffer.from(`{"a":"${SIXTY_KB}"}`),
    qos: 1,
    retain: true,
    properties: { willDelayInterval: 3600 },
  },
});

const bytesOf = (packet: unknown, login: Login) => bytesOfPacket(packet as Packet, 5, login);

/** Signs in and sends a packet again and again, over TCP and WebSockets; every other client reads nothing. */
export async function floodPackets(
  { mqttPort, port }: { readonly mqttPort: number; readonly port: number },
  kind: SentPacket,
  login: Login,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, at) => {
      const stream = at % 4 === 3 ? overWebSocket(port) : connect(mqttPort, '127.0.0.1');
      const first = bytesOf({ ...connection(at), password: Buffer.from(login.token) }, login);
      const packets: Buffer[] = [first];
      for (let n = 0, bytes = 0; n < PACKETS && bytes < BYTES; n++) {
        const packet = bytesOf(PACKETS_SENT[kind](n), login);
        packets.push(packet);
        bytes += packet.length;
      }
      await said(stream, packets, at % 2 === 0);
    }),
  );
}

function overWebSocket(port: number): Duplex {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt');
  socket.on('error', () => undefined);
  return createWebSocketStream(socket);
}

/** Sends them, and ends once nothing more comes or goes. */
function said(stream: Duplex, packets: readonly Buffer[], reads: boolean): Promise<void> {
  return new Promise((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(quiet);
      stream.destroy();
      resolve();
    };
    const moved = () => {
      clearTimeout(quiet);
      quiet = setTimeout(end, PATIENCE_MS);
    };
    stream.on('error', end).on('close', end);
    if (reads) stream.on('data', moved);
    for (const packet of packets) stream.write(packet, moved);
    moved();
  });
}

/** Where bytes may come that are no whole frame or packet yet. */
export const HALVES = ['a packet', 'a frame of MQTT', 'a frame of a window', 'a request'] as const;

/** Sends as much as may be of one thing, but for its end, over many connections, and holds them for a while. */
export async function sendHalves(
  { mqttPort, port }: { readonly mqttPort: number; readonly port: number },
  what: (typeof HALVES)[number],
  key: string,
  login: Login,
): Promise<void> {
  const isPacket = what === 'a packet';
  const body = Buffer.alloc(LARGE, 32);
  const frame = frameOf(BINARY, body).subarray(0, -1);
  const publish = Buffer.concat([
    bytesOf({ ...connection(0), password: Buffer.from(login.token) }, login),
    Buffer.from([0x30, 0xff, 0xff, 0xff, 0x01]),
    body,
  ]);
  const upgrade = (path: string, protocol: string) =>
    Buffer.from(
      [
        `GET ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
        `Sec-WebSocket-Protocol: ${protocol}`,
        `Authorization: Bearer ${key}`,
        '\r\n',
      ].join('\r\n'),
    );
  const post = Buffer.from(
    `POST /_local/v1/views HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Length: 1048576\r\n\r\n`,
  );
  const pieces: Record<(typeof HALVES)[number], readonly Buffer[]> = {
    'a packet': [publish],
    'a frame of MQTT': [upgrade('/mqtt', 'mqtt'), frame],
    'a frame of a window': [upgrade(WINDOW_PATH, 'fieldbench'), frame],
    'a request': [post, body.subarray(0, 1_048_575)],
  };
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: 4 * CONNECTIONS }, async () => {
      const socket = connect(isPacket ? mqttPort : port, '127.0.0.1');
      sockets.push(socket);
      await said(socket, pieces[what], true);
    }),
  );
}
