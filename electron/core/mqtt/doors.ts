import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Config } from '../base/config.ts';
import { StartError } from '../base/errors.ts';
import { listenError } from '../net/listen.ts';
import { hostOfAddress } from '../net/address.ts';
import { MovableDoor } from '../net/movable-door.ts';
import { createOwnHosts } from '../net/own-hosts.ts';
import type { PeerLimits } from '../net/peers.ts';
import { urlHost, type OwnNames } from '../tls/names.ts';
import { TLS_OPTIONS } from '../tls/suites.ts';
import type { TlsFiles } from '../tls/tls.ts';
import { CONNECT_MS } from './limits.ts';
import { Handshakes } from './handshakes.ts';
import type { Mqtt } from './mqtt.ts';

/** Configured ports of MQTT. */
export type MqttPorts = Pick<Config, 'mqttPort' | 'mqttsPort' | 'host'>;

/** MQTT listeners of the service. */
export interface MqttDoors {
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  /** Why the plain door is shut, for people to read; null while it is open. */
  readonly mqtt_shut: string | null;
  /** Null with --strict. */
  readonly doors: { readonly plain: MqttDoor; readonly secure: MqttDoor } | null;
  /** Stops accepting. */
  close(): void;
}

/** One of them, which may be moved while it is open. */
export type MqttDoor = MovableDoor<Door>;

const LOOPBACK = '127.0.0.1';
const TCP_KEEP_ALIVE_MS = 60_000;

interface Door {
  readonly host: string;
  readonly port: number;
  close(): void;
}

const NONE: MqttDoors = {
  mqtt_url: null,
  mqtts_url: null,
  mqtt_shut: 'With --strict there is none.',
  doors: null,
  close: () => {},
};

/**
 * Opens the MQTT listeners. Throws StartError where a port cannot be had: `port-busy`, save for the default one, whose door
 * then stays shut; `bad-flag`.
 */
export async function openMqttDoors(
  { mqttPort, mqttsPort, host }: MqttPorts,
  {
    mqtt,
    tls,
    names,
    peers,
  }: {
    readonly mqtt: Mqtt | null;
    readonly tls: TlsFiles | null;
    /** Returns the present names of this machine. */
    readonly names: () => OwnNames;
    readonly peers: PeerLimits;
  },
): Promise<MqttDoors> {
  if (mqtt === null) return NONE;
  const plain = new MovableDoor((place) => openDoor(mqtt, { ...place, portFlag: '--mqtt-port', tls: null }));
  const secure = new MovableDoor((place) =>
    openDoor(mqtt, { ...place, portFlag: '--mqtts-port', tls: tls && { files: tls, names, peers } }),
  );
  const close = () => {
    void plain.close();
    void secure.close();
  };
  let shut: string | null = null;
  try {
    if (mqttPort !== null) shut = await openPlain(mqttPort, plain);
    if (mqttsPort !== null && tls !== null) await secure.move({ host, port: mqttsPort });
  } catch (error) {
    close();
    throw error;
  }
  return {
    get mqtt_url() {
      return plain.door && `mqtt://${LOOPBACK}:${plain.door.port}`;
    },
    get mqtts_url() {
      return secure.door && `mqtts://${urlHost(secure.door.host)}:${secure.door.port}`;
    },
    get mqtt_shut() {
      if (plain.door !== null) return null;
      return shut ?? 'It is switched off (--mqtt-port off, or by Service → Doors).';
    },
    doors: { plain, secure },
    close,
  };
}

/** Opens the plain door; why it stays shut, or null. */
async function openPlain(
  { number: port, isAsked }: NonNullable<MqttPorts['mqttPort']>,
  plain: MqttDoor,
): Promise<string | null> {
  try {
    await plain.move({ host: LOOPBACK, port });
    return null;
  } catch (error) {
    // A broker is often there.
    if (isAsked || !(error instanceof StartError) || error.code !== 'port-busy') throw error;
    return `Port ${port} on ${LOOPBACK} is in use by another program, often another broker. Stop that, or choose a port with --mqtt-port N (0 takes any free one), and start Fieldbench again.`;
  }
}

interface DoorOptions {
  readonly host: string;
  readonly port: number;
  readonly portFlag: string;
  readonly tls: Tls | null;
}

interface Tls {
  readonly files: TlsFiles;
  readonly names: () => OwnNames;
  readonly peers: PeerLimits;
}

async function openDoor(mqtt: Mqtt, { host, port, portFlag, tls }: DoorOptions): Promise<Door> {
  const accept = (socket: Socket) => {
    socket.setNoDelay(true);
    // Of a client that asks for no keep-alive nobody would ever see that it is gone.
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    mqtt.accept(socket, socket.remoteAddress ?? '', tls === null ? 'mqtt' : 'mqtts');
  };
  const { server, release } =
    tls === null
      ? { server: createServer({ allowHalfOpen: true }, accept), release: () => {} }
      : secureServer(tls, accept);
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    release();
    throw listenError(error, host, port, portFlag);
  }
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close() {
      release();
      // It has closed when the last connection has ended, which is another's to see to.
      server.close();
    },
  };
}

/** `release` ends the following of renewed certificates. */
function secureServer(
  { files, names, peers }: Tls,
  accept: (socket: Socket) => void,
): { server: Server; release: () => void } {
  const server = createTlsServer(
    { ...TLS_OPTIONS, allowHalfOpen: true, handshakeTimeout: CONNECT_MS, ...files.current() },
    accept,
  );
  // Who checks certificates sends nothing at an address that this one lacks: the connection itself has to tell of it.
  const isOwn = createOwnHosts(names, () => void files.renew());
  const handshakes = new Handshakes(peers);
  server.on('connection', (socket: Socket) => {
    handshakes.begin(socket);
    if (socket.localAddress !== undefined) isOwn(hostOfAddress(socket.localAddress));
  });
  server.prependListener('secureConnection', (socket) => handshakes.end(socket));
  // Whoever fails to shake hands is gone already.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const release = files.onRenewed(() => server.setSecureContext({ ...TLS_OPTIONS, ...files.current() }));
  return { server, release };
}
