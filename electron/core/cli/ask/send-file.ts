import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { UnreachableError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { readInPieces } from '../../disk/whole-file.ts';
import { request } from '../../net/node-http.ts';

/**
 * Sends a file to the service of a data directory, over its socket (docs/running.md, "Control socket"). Resolves with the
 * envelope; rejects with UnreachableError where none can be asked.
 */
export async function sendFile(
  directory: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  file: string,
): Promise<Envelope> {
  const socket = await reachHolder(directory);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      method: 'POST',
      path: `${path}?${new URLSearchParams(fields).toString()}`,
      createConnection: () => socket,
      headers: { host: 'control', connection: 'close' },
    },
    resolve,
  );
  asking.once('error', reject);
  const sent = pipeline(readInPieces(nodeFiles, file), asking);
  try {
    // Who refuses it may not read it to its end.
    const answer = await Promise.race([promise, sent.then(() => promise)]);
    return parseJson(await text(answer)) as Envelope;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreachableError(
      `The Fieldbench that uses ${directory} does not answer (${reason}): it starts, stops, or is being checked. Try again.`,
      { cause },
    );
  } finally {
    sent.catch(() => {});
    socket.destroy();
  }
}
