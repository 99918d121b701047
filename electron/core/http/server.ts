import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import type { ConnectionLimits } from './connections.ts';
import { createConsole } from './console/console.ts';
import type { OpenWindow } from './console/socket.ts';
import { openListener, type AddMore, type Listener, type ListenerOptions } from './listener.ts';
import { createMqttSockets, MQTT_PATH } from './mqtt-socket.ts';
import type { RouteOptions } from './routes.ts';
import type { OwnNames } from '../tls/names.ts';
import type { TlsFiles } from '../tls/tls.ts';

export interface DoorOptions extends Omit<RouteOptions, 'strict'> {
  readonly config: Config;
  /** What this machine is called at the moment. */
  readonly names: () => OwnNames;
  readonly connectionLimits?: ConnectionLimits;
  /** Connects a window of the owner. */
  readonly openWindow: OpenWindow;
  /** Takes over who speaks MQTT over a WebSocket; null where nobody may. */
  readonly acceptMqtt: ((stream: Duplex, address: string) => void) | null;
  /** Null where config.tls is off. */
  readonly tls: TlsFiles | null;
}

/** Where the service answers HTTP. */
export interface Doors {
  /** Without a slash at its end. */
  readonly base_url: string;
  /** Plain HTTP on loopback; null where it is off. */
  readonly http_url: string | null;
  /** Where MQTT is spoken over WebSockets. */
  readonly mqtt_websocket_urls: readonly string[];
  /** The browser console with a fresh one-time token; null where there is none (strict, or no built renderer). */
  console_url(): string | null;
  /** Stops accepting, lets requests under way finish for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens HTTPS and, beside it, plain HTTP on loopback; with tls off one plain door, on the configured port. All have the
 * same routes. Throws StartError: `port-busy`, or `bad-flag` where a host or port cannot be had.
 */
export async function openDoors({
  config,
  openWindow,
  acceptMqtt,
  tls,
  names,
  ...rest
}: DoorOptions): Promise<Doors> {
  const { host, strict, rendererDirectory } = config;
  const common = { ...rest, strict, names, renamed: () => void tls?.renew() };
  const mqttSockets = acceptMqtt && createMqttSockets(acceptMqtt);
  const console =
    strict || rendererDirectory === null
      ? null
      : createConsole({ directory: rendererDirectory, openWindow, log: rest.log });
  const open = (own: Pick<ListenerOptions, 'host' | 'port' | 'portFlag' | 'tls'>): Promise<Listener> => {
    const addMore: AddMore = (app, upgrades) => {
      console?.addTo(app, upgrades, own.tls ? 'https' : 'http');
      if (mqttSockets) upgrades.add(MQTT_PATH, 'open mqtt', mqttSockets);
    };
    return openListener({ ...common, ...own }, addMore);
  };

  const base = await open({ host, port: config.port, portFlag: '--port', tls });
  const plain = tls && config.httpPort !== null ? await openPlain(base, config.httpPort) : tls ? null : base;

  async function openPlain(first: Listener, port: number): Promise<Listener> {
    try {
      return await open({ host: '127.0.0.1', port, portFlag: '--http-port', tls: null });
    } catch (error) {
      await first.close(0);
      throw error;
    }
  }

  return {
    base_url: base.url,
    http_url: plain?.url ?? null,
    mqtt_websocket_urls: mqttSockets
      ? [...new Set([base.url, ...(plain ? [plain.url] : [])])].map(
          (url) => url.replace(/^http/, 'ws') + MQTT_PATH,
        )
      : [],
    // The plain door where there is one: browsers trust loopback, and do not know the service's own CA.
    console_url: () => console && `${plain?.url ?? base.url}${console.issuePath()}`,
    async close(graceMs) {
      console?.close();
      await Promise.all([base.close(graceMs), plain !== base && plain?.close(graceMs)]);
    },
  };
}
