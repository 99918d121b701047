import type { Config } from '../config.ts';
import { createBodies } from './bodies.ts';
import type { ConnectionLimits } from './connections.ts';
import { createConsole } from './console/console.ts';
import type { OpenWindow } from './console/socket.ts';
import { openListener, type AddMore, type Listener, type ListenerOptions } from './listener.ts';
import type { RouteOptions } from './routes.ts';
import type { OwnNames } from '../tls/names.ts';
import type { TlsFiles } from '../tls/tls.ts';

export interface DoorOptions extends Omit<RouteOptions, 'strict' | 'bodies'> {
  readonly config: Config;
  /** What this machine is called at the moment. */
  readonly names: () => OwnNames;
  readonly connectionLimits?: ConnectionLimits;
  /** Connects a window of the owner. */
  readonly openWindow: OpenWindow;
  /** Null where config.tls is off. */
  readonly tls: TlsFiles | null;
}

/** Where the service answers HTTP. */
export interface Doors {
  /** Without a slash at its end. */
  readonly base_url: string;
  /** Plain HTTP on loopback; null where it is off. */
  readonly http_url: string | null;
  /** The browser console with a fresh one-time token; null where there is none (strict, or no built renderer). */
  console_url(): string | null;
  /** Stops accepting, lets requests under way finish for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens HTTPS and, beside it, plain HTTP on loopback; with tls off one plain door, on the configured port. All have the
 * same routes. Throws StartError: `port-busy`, or `bad-flag` where a host or port cannot be had.
 */
export async function openDoors({ config, openWindow, tls, names, ...rest }: DoorOptions): Promise<Doors> {
  const { host, strict, rendererDirectory } = config;
  const common = { ...rest, strict, names, renamed: () => void tls?.renew(), bodies: createBodies() };
  const console =
    strict || rendererDirectory === null
      ? null
      : createConsole({ directory: rendererDirectory, openWindow, log: rest.log });
  const open = (own: Pick<ListenerOptions, 'host' | 'port' | 'portFlag' | 'tls'>): Promise<Listener> => {
    const addMore: AddMore = (...door) => console?.addTo(...door, own.tls ? 'https' : 'http');
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
    // The plain door where there is one: browsers trust loopback, and do not know the service's own CA.
    console_url: () => console && `${plain?.url ?? base.url}${console.issuePath()}`,
    async close(graceMs) {
      console?.close();
      await Promise.all([base.close(graceMs), plain !== base && plain?.close(graceMs)]);
    },
  };
}
