import type { Config } from '../base/config.ts';
import type { OfferedFiles } from '../bridge/offered-files.ts';
import type { ConnectionLimits } from './connections.ts';
import { createConsole } from './console/console.ts';
import { openListener, type AddMore, type Listener, type ListenerOptions } from './listener.ts';
import { createMqttSockets, MQTT_PATH, type AcceptMqtt } from './mqtt-socket.ts';
import { MovableDoor } from '../net/movable-door.ts';
import type { Readiness } from './readiness.ts';
import type { RouteOptions } from './routes.ts';
import type { TraceSink } from './request-trace.ts';
import type { WindowDoor } from './window-door.ts';
import type { OpenWindow } from './window-sockets.ts';
import type { Tickets } from '../backend/tickets.ts';
import type { OwnNames } from '../tls/names.ts';
import type { TlsFiles } from '../tls/tls.ts';

export interface DoorOptions extends Omit<RouteOptions, 'strict' | 'traces'> {
  /** Requests seen, for all requests. */
  readonly requests: TraceSink['requests'];
  readonly config: Config;
  /** Returns the present names of this machine. */
  readonly names: () => OwnNames;
  readonly connectionLimits?: ConnectionLimits;
  readonly readiness: Readiness;
  /** Connects a window of the owner. */
  readonly openWindow: OpenWindow;
  /** Files that windows save. */
  readonly offered: OfferedFiles;
  /** One-time tickets of the console. */
  readonly tickets: Tickets;
  /** Listener for windows of other machines; null for none. */
  readonly windows: WindowDoor | null;
  /** Takes over an MQTT client over a WebSocket; null where none is allowed. */
  readonly acceptMqtt: AcceptMqtt | null;
  /** Null where config.tls is off. */
  readonly tls: TlsFiles | null;
}

/** One door of HTTP, which may be moved while it is open. */
interface HttpDoor extends Omit<Listener, 'close'> {
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** ms that requests under way get to finish at a door that is moved. */
const MOVE_GRACE_MS = 3000;

/** HTTP listeners of the service. */
export interface Doors {
  /** Without a slash at its end. */
  readonly base_url: string;
  /** Plain HTTP on loopback; null where it is off. */
  readonly http_url: string | null;
  /** Addresses of MQTT over WebSockets. */
  readonly mqtt_websocket_urls: readonly string[];
  /** Listener of the base URL, and the plain one beside it. */
  readonly base: MovableDoor<HttpDoor>;
  readonly beside: MovableDoor<HttpDoor>;
  /**
   * The browser console with a fresh one-time token; null where there is none (strict, or no built renderer). Rejects with
   * StoreError.
   */
  console_url(): Promise<string | null>;
  /** Stops accepting, lets requests under way finish for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens the HTTPS listener and, beside it, plain HTTP on loopback; with tls off one plain door, on the configured port. All
 * have the same routes. Throws StartError: `port-busy`, or `bad-flag` where a host or port cannot be had.
 */
export async function openDoors({
  config,
  openWindow,
  offered,
  tickets,
  windows,
  acceptMqtt,
  tls,
  names,
  requests,
  ...rest
}: DoorOptions): Promise<Doors> {
  const { host, strict, rendererDirectory, publicUrl } = config;
  const common = { ...rest, strict, publicUrl, names, renamed: () => void tls?.renew() };
  const mqttSockets = acceptMqtt && createMqttSockets(acceptMqtt);
  const console =
    strict || rendererDirectory === null
      ? null
      : createConsole({
          directory: rendererDirectory,
          openWindow,
          offered,
          tickets,
          slices: rest.slices,
          log: rest.log,
        });
  const open = async (
    own: Pick<ListenerOptions, 'host' | 'port' | 'portFlag' | 'tls'>,
  ): Promise<HttpDoor> => {
    const addMore: AddMore = (app, upgrades) => {
      if (!strict) rest.readiness.addTo(app);
      console?.addTo(app, upgrades, own.tls ? 'https' : 'http');
      windows?.addTo(upgrades);
      if (mqttSockets) upgrades.add(MQTT_PATH, 'open mqtt', mqttSockets);
    };
    const traces = { requests, door: own.tls ? 'https' : 'http' } as const;
    const listener = await openListener({ ...common, ...own, traces }, addMore);
    return { ...listener, close: () => listener.close(graceMs) };
  };
  /** For requests under way, when a door shuts; a stop says its own. */
  let graceMs = MOVE_GRACE_MS;

  const base = new MovableDoor((place) => open({ ...place, portFlag: '--port', tls }));
  const beside = new MovableDoor((place) => open({ ...place, portFlag: '--http-port', tls: null }));
  await base.move({ host, port: config.port });
  if (tls && config.httpPort !== null)
    try {
      await beside.move({ host: LOOPBACK, port: config.httpPort });
    } catch (error) {
      graceMs = 0;
      await base.close();
      throw error;
    }

  const baseUrl = () => {
    if (base.door === null) throw new Error('The service does not listen.');
    return base.door.url;
  };
  const plainUrl = () => (tls ? (beside.door?.url ?? null) : baseUrl());
  return {
    get base_url() {
      return baseUrl();
    },
    get http_url() {
      return plainUrl();
    },
    get mqtt_websocket_urls() {
      if (!mqttSockets) return [];
      const urls = new Set([baseUrl(), ...(beside.door ? [beside.door.url] : [])]);
      return [...urls].map((url) => url.replace(/^http/, 'ws') + MQTT_PATH);
    },
    base,
    beside,
    async console_url() {
      // The plain door where there is one: browsers trust loopback, and do not know the service's own CA.
      return console && `${publicUrl ?? plainUrl() ?? baseUrl()}${await console.issuePath()}`;
    },
    async close(ms) {
      graceMs = ms;
      console?.close();
      windows?.close();
      await Promise.all([base.close(), beside.close()]);
    },
  };
}
