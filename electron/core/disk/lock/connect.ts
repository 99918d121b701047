import { connect, type Socket } from 'node:net';
import { errorCode } from '../errors.ts';
import { placesOf, reachable, type Reachable } from './places.ts';

/** Result of connecting to a socket: it has a listener; it has none; there is no socket; unknown. */
export type Probe = 'answered' | 'refused' | 'absent' | 'unclear';

const PROBE_MS = 2000;

/** Connects to the socket of a folder (its real path); resolves with the code of what went wrong where that cannot be. */
export async function connectTo(folder: string): Promise<Socket | string> {
  let why: string | null = null;
  for (const { address } of placesOf(folder)) {
    const socket = await connected(address);
    if (typeof socket !== 'string') return socket;
    why ??= socket;
  }
  return why ?? 'ENOENT';
}

/** Resolves with whether someone listens at the socket of a folder (its real path); `refused` is what one in it says. */
export async function probe(folder: string): Promise<Probe> {
  let answer: Probe = 'absent';
  for (const { address, where } of placesOf(folder)) {
    const socket = await connected(address);
    if (typeof socket !== 'string') socket.destroy();
    if (typeof socket !== 'string' || BUSY.has(socket)) return 'answered';
    if (socket === 'ECONNREFUSED' && where === 'folder') answer = 'refused';
    else if (socket !== 'ENOENT' && answer === 'absent') answer = 'unclear';
  }
  return answer;
}

/** Someone listens and has no time: its queue is full. */
const BUSY = new Set(['EAGAIN', 'ETIMEDOUT']);

/** A connection, or the code of what went wrong. */
async function connected(address: string): Promise<Socket | string> {
  const near = reachableOr(address);
  if (typeof near === 'string') return near;
  const { promise, resolve } = Promise.withResolvers<Socket | string>();
  const socket = connect(near.path);
  socket.setTimeout(PROBE_MS, () => resolve('ETIMEDOUT'));
  socket.once('connect', () => resolve(socket));
  socket.once('error', (error) => resolve(errorCode(error) ?? 'error'));
  const outcome = await promise;
  near.release();
  socket.setTimeout(0);
  if (typeof outcome === 'string') socket.destroy();
  return outcome;
}

function reachableOr(address: string): Reachable | string {
  try {
    return reachable(address);
  } catch (error) {
    return errorCode(error) ?? 'error';
  }
}
