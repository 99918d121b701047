import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Asker } from '../ingest/memory-budget.ts';
import { endsOf } from '../net/address.ts';
import { createPeerLimits, type PeerLimits } from '../net/peers.ts';

/** Limits of the connections of a listener (docs/running.md, "Limits"). */
export interface ConnectionLimits extends PeerLimits {
  readonly most: number;
}

/** Returns the limits of a listener; `peers`: those of a peer. */
export const connectionLimits = (peers: PeerLimits = createPeerLimits()): ConnectionLimits => ({
  most: 4096,
  ...peers,
});

/** Registry of connections, which Node's server lacks. */
export interface Connections {
  /** A request arrived: `response` will answer it. */
  asked(socket: Duplex, response: ServerResponse): void;
  /** The connection belongs to a WebSocket now. */
  upgraded(socket: Duplex): void;
  /** Assigns a connection to its asker. */
  belongs(socket: Duplex, asker: Asker): void;
  /** Whether an answer is half out, so that nothing else may be written. */
  isHalfOut(socket: Duplex): boolean;
  /** Closes those that have asked nothing yet: browsers open some ahead, and Node does not count them as idle. */
  closeSilent(): void;
}

/** One connection. The outer socket is the TLS one, once there is one. */
interface Connection {
  readonly peer: string | null;
  socket: Duplex;
  /** Requests under way. */
  busy: number;
  hasAsked: boolean;
  /** The last asker. */
  asker: Asker | null;
}

/**
 * Follows a server's connections and keeps their number within limits: a new one takes the place of the one that has been
 * idle longest, of its peer or of all; where none is idle, that of the latest one of whose project, or account, has more
 * than half of all, and there of whose key or device has the most. Otherwise it is dropped.
 */
export function followConnections(
  server: Server,
  scheme: 'http' | 'https',
  { most, mostOfPeer, peerOf }: ConnectionLimits = connectionLimits(),
): Connections {
  const all = new Set<Connection>();
  const ofPeers = new Map<string, Set<Connection>>();
  /** Without a request under way, the one that has been so longest first. */
  const idle = new Set<Connection>();
  const bySocket = new WeakMap<Duplex, Connection>();
  const answering = new WeakMap<Duplex, ServerResponse>();

  function forget(connection: Connection): void {
    all.delete(connection);
    idle.delete(connection);
    const { peer } = connection;
    const ofPeer = peer === null ? undefined : ofPeers.get(peer);
    ofPeer?.delete(connection);
    if (peer !== null && ofPeer?.size === 0) ofPeers.delete(peer);
  }

  /** Returns whether there was one. */
  function closeLongestIdle(isMeant: (connection: Connection) => boolean): boolean {
    for (const connection of idle) {
      if (!isMeant(connection)) continue;
      forget(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  /** Returns whether somebody had so many. */
  function closeOneOfMost(): boolean {
    const ofGroup = mostOf(all, ({ group }) => group);
    const last = mostOf(ofGroup, ({ id }) => id).at(-1);
    if (last === undefined || ofGroup.length <= most / 2) return false;
    forget(last);
    last.socket.destroy();
    return true;
  }

  /** Returns whether there is room for one more. */
  function makeRoom(peer: string | null): boolean {
    const isFull = (peer === null ? 0 : (ofPeers.get(peer)?.size ?? 0)) >= mostOfPeer;
    if (isFull && !closeLongestIdle((one) => one.peer === peer)) return false;
    return all.size < most || closeLongestIdle(() => true) || closeOneOfMost();
  }

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress ?? '');
    if (!makeRoom(peer)) {
      socket.destroy();
      return;
    }
    const connection: Connection = { peer, socket, busy: 0, hasAsked: false, asker: null };
    all.add(connection);
    idle.add(connection);
    bySocket.set(socket, connection);
    if (peer !== null) {
      const ofPeer = ofPeers.get(peer) ?? new Set();
      ofPeers.set(peer, ofPeer.add(connection));
    }
    socket.once('close', () => forget(connection));
  });
  if (scheme === 'https') followHandshakes(server, all, bySocket);

  return {
    asked(socket, response) {
      answering.set(socket, response);
      const connection = bySocket.get(socket);
      if (!connection) return;
      connection.hasAsked = true;
      connection.busy++;
      idle.delete(connection);
      response.once('close', () => {
        if (--connection.busy === 0 && all.has(connection)) idle.add(connection);
      });
    },
    upgraded(socket) {
      const connection = bySocket.get(socket);
      if (!connection) return;
      connection.hasAsked = true;
      idle.delete(connection);
    },
    belongs(socket, asker) {
      const connection = bySocket.get(socket);
      if (connection) connection.asker = asker;
    },
    isHalfOut(socket) {
      const response = answering.get(socket);
      return response?.headersSent === true && !response.writableFinished;
    },
    closeSilent() {
      for (const { socket, hasAsked } of all) if (!hasAsked) socket.destroy();
    },
  };
}

/** The most connections, in their order, of which the same is said of their askers. */
function mostOf(connections: Iterable<Connection>, said: (asker: Asker) => string): readonly Connection[] {
  const bySaid = new Map<string, Connection[]>();
  for (const connection of connections) {
    if (connection.asker === null) continue;
    const of = said(connection.asker);
    const others = bySaid.get(of);
    if (others) others.push(connection);
    else bySaid.set(of, [connection]);
  }
  let found: readonly Connection[] = [];
  for (const these of bySaid.values()) if (these.length > found.length) found = these;
  return found;
}

/** Requests come with the TLS socket: it takes the place of the one below, which has the same two ends. */
function followHandshakes(
  server: Server,
  all: ReadonlySet<Connection>,
  bySocket: WeakMap<Duplex, Connection>,
): void {
  const shaking = new Map<string, Connection>();
  server.on('connection', (socket: Socket) => {
    const connection = bySocket.get(socket);
    if (!connection || !all.has(connection)) return;
    const ends = endsOf(socket);
    shaking.set(ends, connection);
    socket.once('close', () => {
      if (shaking.get(ends) === connection) shaking.delete(ends);
    });
  });
  server.on('secureConnection', (socket: Socket) => {
    const ends = endsOf(socket);
    const connection = shaking.get(ends);
    shaking.delete(ends);
    if (!connection) return;
    connection.socket = socket;
    bySocket.set(socket, connection);
  });
}
