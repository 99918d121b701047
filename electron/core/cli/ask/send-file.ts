import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { nodeFiles } from '../../disk/files.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { readInPieces } from '../../disk/whole-file.ts';
import { request } from '../../net/node-http.ts';
import { CommandError } from '../refusal.ts';
import { noAnswer } from './no-answer.ts';

/**
 * Sends a file to the service of a data directory, over its socket (docs/running.md, "Control socket"). Resolves with the
 * envelope; rejects with UnreachableError where none can be asked, and with CommandError where the file cannot be read.
 */
export async function sendFile(
  directory: string,
  path: string,
  { fields, headers }: Record<'fields' | 'headers', Readonly<Record<string, string>>>,
  file: string,
): Promise<Envelope> {
  const socket = await reachHolder(directory);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      method: 'POST',
      path: `${path}?${new URLSearchParams(fields).toString()}`,
      createConnection: () => socket,
      // A service that closes the connection as soon as it has refused the file would reset what is still sent, and its answer.
      headers: { host: 'control', connection: 'keep-alive', ...headers },
    },
    resolve,
  );
  asking.once('error', reject);
  const sent = pipeline(() => piecesOf(file), asking);
  try {
    // Who refuses it may not read it to its end.
    const answer = await Promise.race([promise, sent.then(() => promise)]);
    return parseJson(await text(answer)) as Envelope;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw noAnswer(directory, cause);
  } finally {
    sent.catch(() => {});
    socket.destroy();
  }
}

/** Yields the bytes of a file. Rejects with CommandError where it cannot be read. */
export async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readInPieces(nodeFiles, file);
  } catch (error) {
    throw new CommandError(
      1,
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
