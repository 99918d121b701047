import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  encodeMessage,
  decodeMessage,
  SUBPROTOCOL,
  WINDOW_PATH,
  type ClientMessage,
  type ServerMessage,
} from '#shared/bridge/wire.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { inputOf, type World } from '../../../contract/world.ts';
import { largestInput } from './largest.ts';

const WINDOWS = 8;
/** Requests of each. */
const REQUESTS = 150;
/** Bytes of each, about. */
const BYTES = 8 * 1024 * 1024;
const LAST = 1_000_000;
const CHUNK = new Uint8Array(256 * 1024).fill(10);

/** What a window may send beside requests, as many as there are of them. */
const OTHERS: Readonly<Record<string, (n: number) => ClientMessage>> = {
  subscribe: (n) => ({
    type: 'subscribe',
    topic: 'records.stored',
    filter: { device_id: String(n).repeat(50) },
  }),
  more: (n) => ({ type: 'more', n: n + 1 }),
  cancel: (n) => ({ type: 'cancel', n: n + 1 }),
  chunk: (n) => ({ type: 'chunk', n: n + 1, bytes: CHUNK }),
};
export const FRAMES = Object.keys(OTHERS);

/** Asks for an operation by windows, many times in each; every other window reads nothing. */
export function floodWindows(
  url: string,
  id: OperationId,
  keys: readonly string[],
  world: World,
): Promise<void> {
  const { body, reply } = operationOf(id);
  const right = () => inputOf(id as 'projects.list', world);
  const sent = (n: number): ClientMessage[] => {
    const input = n % 3 === 1 ? largestInput(id, right()) : right();
    if (body === 'stream') {
      const size = CHUNK.length;
      return [
        { type: 'upload', n, id, input, size },
        { type: 'chunk', n, bytes: CHUNK },
        { type: 'end', n },
      ];
    }
    const type = ({ envelope: 'call', bare: 'call', stream: 'download', arrays: 'stream' } as const)[reply];
    return [{ type, n, id, input }];
  };
  return flood(url, keys, sent);
}

/** Sends messages of one kind that ask for nothing. */
export function floodFrames(url: string, kind: string, keys: readonly string[]): Promise<void> {
  const message = OTHERS[kind];
  if (!message) throw new RangeError(`There is no message ${kind}.`);
  return flood(url, keys, (n) => [message(n)]);
}

async function flood(
  url: string,
  keys: readonly string[],
  sent: (n: number) => readonly ClientMessage[],
): Promise<void> {
  const windows = await Promise.all(
    Array.from({ length: WINDOWS }, (_, at) => open(url, keys[at % keys.length] ?? '', at % 2 === 0)),
  );
  const ended = windows.map(async (window) => {
    if (!window) return;
    for (let n = 1, bytes = 0; n <= REQUESTS && bytes < BYTES; n++)
      for (const message of sent(n)) {
        const frame = encodeMessage(message);
        bytes += frame.length;
        window.socket.send(frame);
        // Whoever else asks is in this process, too.
        await setImmediate();
      }
    window.socket.send(encodeMessage({ type: 'call', n: LAST, id: 'access.get', input: {} }));
    if (window.reads) await heard(window.socket, LAST);
  });
  await Promise.all(ended);
  for (const window of windows) window?.socket.terminate();
}

/** Null where it is not let in. */
async function open(url: string, key: string, reads: boolean) {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + WINDOW_PATH, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${key}` },
  });
  await new Promise<void>((resolve) => {
    // Who is refused is told so by an error.
    socket
      .on('error', () => resolve())
      .on('open', () => resolve())
      .on('close', () => resolve());
  });
  if (socket.readyState !== socket.OPEN) return null;
  if (!reads) socket.pause();
  return { socket, reads };
}

/** Resolves with the answer to a request, or the end. */
function heard(socket: WebSocket, n: number): Promise<void> {
  return new Promise((resolve) => {
    socket.on('close', () => resolve());
    if (socket.readyState !== socket.OPEN) resolve();
    socket.on('message', (data) => {
      const message = decodeMessage(new Uint8Array(data as Buffer)) as ServerMessage;
      if (message.type === 'reply' && message.n === n) resolve();
    });
  });
}
