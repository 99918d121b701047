import type { IncomingMessage } from 'node:http';
import { pipeline, Transform, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { BROKE_OFF, EXPORT_HEADERS, type AskedFile, type CONTROL_PATHS } from '../../control/messages.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { request } from '../../net/node-http.ts';
import { noAnswer } from './no-answer.ts';

/** A file on its way, or its rest. */
export interface ComingFile {
  readonly bytes: Readable;
  /** A name that every file system takes. */
  readonly name: string;
  /** Names the bytes of the whole. */
  readonly state: string;
  /** Where the bytes begin in it. */
  readonly from: number;
  /** Bytes of the whole; null where unknown before its end. */
  readonly total: number | null;
}

/** The beginning of a file that is there already. */
export interface Beginning {
  readonly bytes: number;
  readonly state: string;
}

type AskedPath = AskedFile | typeof CONTROL_PATHS.handover;
/** Lists only by POST. */
type Fields = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Headers that ask for the rest of a file; none for all of it. */
export const restHeaders = (beginning: Beginning | null): Readonly<Record<string, string>> =>
  beginning === null ? {} : { range: `bytes=${beginning.bytes}-`, 'if-range': `"${beginning.state}"` };

/**
 * Asks the service of a data directory for a file, over its socket (docs/running.md, "Control socket"). Resolves with the
 * envelope where it is refused; rejects with UnreachableError where none can be asked. A POST has its fields as JSON.
 */
export async function askFile(
  directory: string,
  path: AskedPath,
  fields: Fields,
  beginning: Beginning | null,
  method: 'GET' | 'POST' = 'GET',
): Promise<ComingFile | Envelope> {
  const answer = await answered(directory, path, fields, beginning, method);
  const { headers, statusCode = 0 } = answer;
  const name = headers[EXPORT_HEADERS.name];
  if (statusCode >= 300 || typeof name !== 'string') return parseJson(await text(answer)) as Envelope;
  const total = headers[EXPORT_HEADERS.total];
  return {
    bytes: unlessBroken(answer),
    name: decodeURIComponent(name),
    state: headers.etag?.slice(1, -1) ?? '',
    from: Number(headers[EXPORT_HEADERS.from]),
    total: typeof total === 'string' ? Number(total) : null,
  };
}

/** The bytes of a file; they end with an error where it broke off, which says why. */
function unlessBroken(answer: IncomingMessage): Readable {
  const bytes = new Transform({
    transform: (piece, _encoding, done) => done(null, piece),
    flush(done) {
      const told = answer.trailers[BROKE_OFF];
      done(told === undefined ? null : new Error(decodeURIComponent(told)));
    },
  });
  // Errors reach the reader of the bytes.
  return pipeline(answer, bytes, () => {});
}

/** Waits as long as it takes: a rest begins once the whole was written, and other exports may be before it. */
async function answered(
  directory: string,
  path: AskedPath,
  fields: Fields,
  beginning: Beginning | null,
  method: 'GET' | 'POST',
): Promise<IncomingMessage> {
  const socket = await reachHolder(directory);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      method,
      path:
        method === 'GET'
          ? `${path}?${new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])).toString()}`
          : path,
      createConnection: () => socket,
      headers: {
        host: 'control',
        connection: 'close',
        ...restHeaders(beginning),
      },
    },
    resolve,
  );
  asking.once('error', (cause) => reject(noAnswer(directory, cause)));
  asking.end(method === 'GET' ? undefined : JSON.stringify(fields));
  return promise;
}
