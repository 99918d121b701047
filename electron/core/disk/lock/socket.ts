import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { errorCode } from '../errors.ts';
import type { Listening } from './claim.ts';
import { NAME, placesOf, reachable } from './places.ts';

export interface FolderSocket {
  readonly where: Listening;
  /** Why it is not in the folder; null where it is. */
  readonly problem: string | null;
  /** Hands over who connects, those who came before included. */
  serve(listener: (socket: Socket) => void): void;
  /** Removes the socket; returns a function that cuts its connections, which so learn of the end. */
  close(): () => void;
  /** Lets go without removing what may be another's by now. */
  abandon(): void;
}

/** Listens for the single holder of a folder. Never throws: without a socket the folder can be used. */
export async function listenIn(folder: string): Promise<FolderSocket> {
  let problem: string | null = null;
  for (const { address, where } of placesOf(folder)) {
    try {
      return { ...(await listenAt(address)), where, problem };
    } catch (error) {
      problem ??= errorCode(error) ?? String(error);
    }
  }
  return { where: 'nowhere', problem, serve: () => {}, close: () => () => {}, abandon: () => {} };
}

async function listenAt(address: string): Promise<Omit<FolderSocket, 'where' | 'problem'>> {
  const isPipe = address.startsWith('\\\\');
  if (!isPipe) prepare(address);
  const sockets = new Set<Socket>();
  let serve: ((socket: Socket) => void) | null = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve?.(socket);
  });
  const near = reachable(address);
  try {
    await listening(server, near.path);
    if (!isPipe) chmodSync(near.path, 0o600);
  } catch (error) {
    near.release();
    throw error;
  }
  // One that could not be accepted (descriptors used up) is its asker's trouble, who asks again, and never the service's.
  server.on('error', () => {});
  server.unref();
  return {
    serve(listener) {
      serve = listener;
      for (const socket of sockets) listener(socket);
    },
    close() {
      // Closing also removes the socket's file, by the path it was bound to.
      server.close();
      near.release();
      return () => {
        for (const socket of sockets) socket.destroy();
      };
    },
    abandon() {
      for (const socket of sockets) socket.destroy();
      server.removeAllListeners('connection').on('connection', (socket) => socket.destroy());
    },
  };
}

/** Binds at once, within this call: no other user can open the socket between its making and its mode. */
async function listening(server: Server, path: string): Promise<void> {
  const before = isMainThread && process.platform !== 'win32' ? process.umask(0o177) : null;
  const done = Promise.withResolvers<void>();
  server.once('error', done.reject);
  try {
    server.listen(path, () => done.resolve());
  } finally {
    if (before !== null) process.umask(before);
  }
  await done.promise;
  server.off('error', done.reject);
}

/** Removes what a killed holder left, and makes the user's own folder. Throws Node's errors, or why that is not safe. */
function prepare(address: string): void {
  const folder = join(address, '..');
  if (!address.endsWith(NAME)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    // In /tmp anyone may have made it first.
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new Error(`${folder} is not this user's alone`);
  }
  rmSync(address, { force: true });
}
