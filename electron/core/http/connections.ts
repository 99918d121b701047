import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What Node's server does not tell of its connections. */
export interface Connections {
  /** A request arrived: `response` will answer it. */
  asked(socket: Duplex, response: ServerResponse): void;
  /** The connection belongs to a WebSocket now. */
  upgraded(socket: Duplex): void;
  /** Whether an answer is half out, so that nothing else may be written. */
  isHalfOut(socket: Duplex): boolean;
  /** Closes those that have asked nothing yet: browsers open some ahead, and Node does not count them as idle. */
  closeSilent(): void;
}

export function followConnections(server: Server, scheme: 'http' | 'https'): Connections {
  const silent = new Set<Duplex>();
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  return {
    asked(socket, response) {
      silent.delete(socket);
      answering.set(socket, response);
    },
    upgraded: (socket) => void silent.delete(socket),
    isHalfOut(socket) {
      const response = answering.get(socket);
      return response?.headersSent === true && !response.writableFinished;
    },
    closeSilent() {
      for (const socket of silent) socket.destroy();
    },
  };
}
