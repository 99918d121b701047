import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerTo } from '../api/answer-to.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { Asker } from '../ingest/memory-budget.ts';
import type { Logger } from '../base/logger.ts';
import type { Connections } from './connections.ts';
import type { Guard } from './guard.ts';
import { socketMayFail, writeToSocket } from './reply.ts';

/** Takes over a connection that becomes a WebSocket. Throws, or rejects with, a Refusal. `known` is called with its asker. */
export type TakeOver = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  known: (asker: Asker) => void,
) => Awaitable<void>;

interface Way {
  readonly action: string;
  readonly takeOver: TakeOver;
}

/** The WebSockets of a door, by their paths. */
export interface Upgrades {
  /** `action` names it in the envelope of a refusal. */
  add(path: string, action: string, takeOver: TakeOver): void;
  /** Whether a request asks for one of them: any other is answered as if it asked for none, as curl --http2 does for h2c. */
  takes(request: IncomingMessage): boolean;
  serve(server: Server, connections: Connections): void;
}

/** The path of a request, without its query. */
export const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/\?.*/s, '');

export function createUpgrades(guard: Guard, log: Logger): Upgrades {
  const byPath = new Map<string, Way>();

  async function letIn(
    { action, takeOver }: Way,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    known: (asker: Asker) => void,
  ): Promise<void> {
    try {
      const why = guard(request);
      if (why) throw why;
      await takeOver(request, socket, head, known);
    } catch (error) {
      writeToSocket(socket, answerTo(action, error, log).envelope);
    }
  }

  return {
    add(path, action, takeOver) {
      byPath.set(path, { action, takeOver });
    },
    takes: (request) => request.headers.upgrade?.toLowerCase() === 'websocket' && byPath.has(pathOf(request)),
    serve(server, connections) {
      server.on('upgrade', (request: IncomingMessage, socket, head) => {
        const found = byPath.get(pathOf(request));
        if (found === undefined) return void socket.destroy();
        connections.upgraded(socket);
        socketMayFail(socket);
        void letIn(found, request, socket, head, (asker) => connections.belongs(socket, asker));
      });
    },
  };
}
