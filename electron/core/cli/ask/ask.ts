import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parseJson } from '#shared/values/json.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { request } from '../../net/node-http.ts';
import { noAnswer } from './no-answer.ts';

/** How long a service may take to answer; one that starts answers when it has started. */
const ANSWER_MS = 30_000;

/** An answer of the service that uses a data directory. */
export interface Asked {
  readonly envelope: Envelope;
  /** Resolves when the service has let go of the connection; with `held` answers, when it has stopped. */
  readonly over: Promise<void>;
}

/**
 * Asks the service of a data directory, over its socket (docs/running.md, "Control socket"). Rejects with UnreachableError
 * where none uses it, or it cannot be asked from here or does not answer.
 */
export async function askHolder(
  directory: string,
  method: 'GET' | 'POST',
  path: string,
  { answerMs = ANSWER_MS, body }: { readonly answerMs?: number; readonly body?: string } = {},
): Promise<Asked> {
  const socket = await reachHolder(directory);
  try {
    const answer = await answered(socket, method, path, answerMs, body);
    const { text, over } = read(answer, socket);
    return { envelope: parseJson(await text) as Envelope, over };
  } catch (error) {
    socket.destroy();
    throw noAnswer(directory, error);
  }
}

function answered(
  socket: Socket,
  method: string,
  path: string,
  answerMs: number,
  body: string | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    { method, path, createConnection: () => socket, headers: { host: 'control' } },
    resolve,
  );
  asking.setTimeout(answerMs, () => asking.destroy(new Error(`nothing for ${answerMs / 1000} s`)));
  asking.once('error', reject);
  asking.end(body);
  return promise;
}

/** The first line, which is the envelope, and the end. */
function read(answer: IncomingMessage, socket: Socket): { text: Promise<string>; over: Promise<void> } {
  const text = Promise.withResolvers<string>();
  const over = Promise.withResolvers<void>();
  let received = '';
  answer.setEncoding('utf8').on('data', (piece: string) => {
    received += piece;
    if (received.endsWith('\n')) text.resolve(received);
  });
  // An answer that is held open ends with the connection, which is what is waited for.
  answer.on('error', (error) => text.reject(error));
  socket.once('close', () => {
    text.reject(new Error('it ended'));
    over.resolve();
  });
  return { text: text.promise, over: over.promise };
}
