import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Envelope } from '#shared/schema/envelope.ts';
import { withQuery } from '#shared/schema/path-parameters.ts';
import { parseJson } from '#shared/values/json.ts';
import type { TakenFile } from '../../control/messages.ts';
import { nodeFiles } from '../../disk/files.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { readInPieces } from '../../disk/whole-file.ts';
import { request } from '../../net/node-http.ts';
import { CommandError } from '../refusal.ts';
import { noAnswer } from './no-answer.ts';

/** Fields of an operation beside its file: those of its query and of its headers. */
export interface SentFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a file to the service of a data directory, over its socket (docs/running.md, "Control socket"). Resolves with the
 * envelope; rejects with UnreachableError where none can be asked, and with CommandError where the file cannot be read.
 */
export async function sendFile(
  directory: string,
  path: TakenFile,
  { fields, headers = {} }: SentFields,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Envelope> {
  const socket = await reachHolder(directory);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      method: 'POST',
      path: withQuery(path, fields),
      createConnection: () => socket,
      // A service that closes the connection as soon as it has refused the file would reset what is still sent, and its answer.
      headers: { host: 'control', connection: 'keep-alive', ...headers },
    },
    resolve,
  );
  asking.once('error', reject);
  const sent = pipeline(bytes, asking);
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

/** Yields the bytes of a file; `read` gets how many so far. Rejects with CommandError where it cannot be read. */
export async function* piecesOf(file: string, read?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of readInPieces(nodeFiles, file)) {
      bytes += piece.length;
      yield piece;
      read?.(bytes);
    }
  } catch (error) {
    throw new CommandError(
      1,
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
