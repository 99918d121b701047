import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { failed } from '#shared/envelope.ts';
import { Refusal } from '../errors.ts';
import type { Connections } from './connections.ts';
import type { Guard } from './guard.ts';
import { socketMayFail, writeToSocket } from './reply.ts';

/** Takes over a connection that becomes a WebSocket. Throws Refusal. */
export type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The WebSockets of a door, by their paths. */
export interface Upgrades {
  /** `action` names it in the envelope of a refusal. */
  add(path: string, action: string, takeOver: TakeOver): void;
  /** Whether a request asks for one of them: any other is answered as if it asked for none, as curl --http2 does for h2c. */
  takes(request: IncomingMessage): boolean;
  serve(server: Server, connections: Connections): void;
}

export function createUpgrades(guard: Guard): Upgrades {
  const byPath = new Map<string, { readonly action: string; readonly takeOver: TakeOver }>();
  return {
    add(path, action, takeOver) {
      byPath.set(path, { action, takeOver });
    },
    takes: ({ headers, url = '' }) => headers.upgrade?.toLowerCase() === 'websocket' && byPath.has(url),
    serve(server, connections) {
      server.on('upgrade', (request: IncomingMessage, socket, head) => {
        const found = byPath.get(request.url ?? '');
        if (found === undefined) return void socket.destroy();
        connections.upgraded(socket);
        socketMayFail(socket);
        try {
          const why = guard(request);
          if (why) throw why;
          found.takeOver(request, socket, head);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          writeToSocket(socket, failed(found.action, error.status, error.message));
        }
      });
    },
  };
}
