import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import {
  CHUNK_BYTES,
  decodeMessage,
  encodeMessage,
  SUBPROTOCOL,
  WINDOW_PATH,
  type ClientMessage,
  type ServerMessage,
} from '#shared/bridge/wire.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { answerText, MOST_OF_ANSWER } from '../../remote/answer-text.ts';
import { RemoteError, remoteError } from '../../remote/failure.ts';
import { KeptOut } from '../../remote/read-access.ts';
import type { Target } from '../../remote/target.ts';

/** A window's connection to a service elsewhere that has windows. */
export interface Link {
  post(message: ClientMessage): void;
  close(): void;
}

export interface LinkOptions {
  readonly target: Target;
  readonly listener: (message: ServerMessage) => void;
  /** Called once with the reason when the link ends, unless it was closed from here. */
  readonly lost: (why: RemoteError) => void;
}

const PATIENCE_MS = 10_000;
/** ms between two pings (heartbeat); one without an answer until the next means a dead peer. */
const PING_MS = 15_000;
const POLICY_VIOLATION = 1008;

/** Types of messages that are read; others, of a newer service, are left out. */
const HEARD = new Set<string>([
  'reply',
  'bytes',
  'arrays',
  'more',
  'event',
  'resync',
] satisfies ServerMessage['type'][]);
const shape = z.looseObject({ type: z.string() });
const refused = z.object({ message: z.string() });

/** Opens a connection. Rejects with KeptOut or RemoteError. */
export async function openLink({ target, listener, lost }: LinkOptions): Promise<Link> {
  const socket = new WebSocket(target.url.replace(/^http/, 'ws') + WINDOW_PATH, SUBPROTOCOL, {
    ...target.trust,
    headers: { authorization: target.authorization },
    handshakeTimeout: PATIENCE_MS,
    maxPayload: MOST_OF_ANSWER + CHUNK_BYTES,
    perMessageDeflate: false,
  });
  await opened(socket, target.url);
  let isClosed = false;
  let problem: unknown = null;
  let isAnswered = true;
  const pings = machineClock.every(PING_MS, () => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  });
  socket.on('pong', () => (isAnswered = true));
  socket.on('error', (error) => (problem = error));
  socket.on('message', (data) => {
    const message = readMessage(data as Buffer);
    if (message) listener(message);
  });
  socket.once('close', (code, reason) => {
    clearInterval(pings);
    if (isClosed) return;
    if (code === POLICY_VIOLATION) lost(new KeptOut(reason.toString()));
    else if (problem !== null) lost(remoteError(target.url, problem));
    else lost(new RemoteError(`The connection to ${target.url} was lost.`));
  });
  return {
    post: (message) => socket.send(encodeMessage(message)),
    close() {
      isClosed = true;
      clearInterval(pings);
      socket.close();
    },
  };
}

function opened(socket: WebSocket, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(remoteError(url, error));
    socket.once('error', fail);
    socket.once('unexpected-response', (_request, response) => {
      whyRefused(url, response).then(reject, fail);
      // Without this listener's having taken it, ws would have closed it.
      response.once('close', () => socket.terminate());
    });
    socket.once('open', () => {
      socket.off('error', fail);
      resolve();
    });
  });
}

async function whyRefused(url: string, response: IncomingMessage): Promise<RemoteError> {
  const { statusCode = 0 } = response;
  const read = refused.safeParse(parseJson(await answerText(response)));
  const words = read.success ? read.data.message : `It opens no window (status ${statusCode}).`;
  return statusCode === 401 ? new KeptOut(words) : new RemoteError(`${url}: ${words}`);
}

/** A frame as a message; null where it is none that is known here. */
function readMessage({ buffer, byteOffset, byteLength }: Buffer): ServerMessage | null {
  try {
    const message = decodeMessage(new Uint8Array(buffer, byteOffset, byteLength));
    const read = shape.safeParse(message);
    return read.success && HEARD.has(read.data.type) ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}
