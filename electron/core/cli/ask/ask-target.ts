import { Readable } from 'node:stream';
import { operationOf, type OperationId, type OutputOf } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { addressOf, withQuery } from '#shared/schema/path-parameters.ts';
import { UnreachableError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { JobProgress } from '../../control/messages.ts';
import { RemoteError } from '../../remote/failure.ts';
import type { DoorPlaces } from '../../remote/device-door/door.ts';
import { NO_MORE, type AskOptions, type Target } from '../../remote/target.ts';
import type { SentFields } from './send-file.ts';
import { restHeaders, type Beginning, type ComingFile } from './ask-file.ts';

/* Operations of a service that is reached over HTTP. */

/** Runs one. Rejects with UnreachableError where nobody answers. */
export function askTarget(target: Target, id: OperationId, input: object): Promise<Envelope> {
  const { body, reply, path: template } = operationOf(id);
  const { path, rest } = addressOf(template, input);
  const isBare = reply === 'bare';
  if (body === 'json') return asked(target, id, path, { body: rest, isBare });
  return asked(target, id, withQuery(path, rest), { isBare });
}

/** The same of one that takes a file; rejects as its bytes do, too. */
export async function sendToTarget(
  target: Target,
  id: OperationId,
  input: object,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Envelope> {
  const { path: template, headers: headerOf = {} } = operationOf(id);
  const { path, rest } = addressOf(template, input);
  const { fields, headers } = besideFile(rest, headerOf);
  let unread: unknown = null;
  async function* file() {
    try {
      yield* bytes;
    } catch (error) {
      unread = error;
      throw error;
    }
  }
  try {
    return await asked(target, id, withQuery(path, fields), { file: file(), headers });
  } catch (error) {
    throw unread ?? error;
  }
}

/** Fields of an operation that takes a file, as they go along: some in headers, percent-encoded. */
export function besideFile(
  input: object,
  headerOf: Readonly<Record<string, string>>,
): SentFields & Required<Pick<SentFields, 'headers'>> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined) as [string, string][];
  return {
    fields: Object.fromEntries(given.filter(([field]) => headerOf[field] === undefined)),
    headers: Object.fromEntries(
      given.flatMap(([field, value]) => {
        const header = headerOf[field];
        return header === undefined ? [] : [[header, encodeURIComponent(value)] as const];
      }),
    ),
  };
}

async function asked(target: Target, id: OperationId, path: string, options: AskOptions): Promise<Envelope> {
  return (await reached(target.ask(operationOf(id).method, path, options))).envelope;
}

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RemoteError) throw new UnreachableError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Asks for a file, or its rest. Resolves with the envelope where it is refused; rejects with UnreachableError where nobody answers, or
 * not as a Fieldbench does.
 */
export async function downloadFrom(
  target: Target,
  id: OperationId,
  input: object,
  beginning: Beginning | null,
  silenceMs?: number,
): Promise<ComingFile | Envelope> {
  const { method, path: template, body } = operationOf(id);
  const { path, rest } = addressOf(template, input);
  const options = { headers: restHeaders(beginning), ...(silenceMs !== undefined && { silenceMs }) };
  const answer = await reached(
    body === 'json'
      ? target.download(method, path, { ...options, body: rest })
      : target.download(method, withQuery(path, rest), options),
  );
  if ('success' in answer) return answer;
  const { headers, statusCode } = answer;
  const [, from = '0', total = null] =
    /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (statusCode === NO_MORE) {
    answer.resume();
    const bytes = Number(total);
    // A file that is there already as a whole.
    return { bytes: Readable.from([]), name: '', state: beginning?.state ?? '', from: bytes, total: bytes };
  }
  const [, name = null] = /filename\*=UTF-8''([^;]+)/.exec(headers['content-disposition'] ?? '') ?? [];
  if (name === null) {
    answer.destroy();
    throw new UnreachableError(`${target.url} answers, but not with a file: check the address.`);
  }
  return {
    bytes: answer,
    name: decodeURIComponent(name),
    state: headers.etag?.slice(1, -1) ?? '',
    from: Number(from),
    total: total === null ? null : Number(total),
  };
}

/** How often it is asked how far it is. */
const PROGRESS_MS = 1000;

/**
 * Has it check its records, however long that takes; whether it is still there, its list of jobs says. Rejects with UnreachableError
 * where nobody answers.
 */
export async function checkAt(target: Target, progress: (now: JobProgress) => void): Promise<Envelope> {
  const over = new AbortController();
  const { signal } = over;
  const { path } = operationOf('storage.check');
  const checked = asked(target, 'storage.check', path, { body: {}, silenceMs: 0, signal });
  async function watched(): Promise<never> {
    for (;;) {
      await machineClock.delay(PROGRESS_MS, { signal });
      const { success, data } = await askTarget(target, 'jobs.list', {});
      const job = success && (data as OutputOf<'jobs.list'>).find(({ kind }) => kind === 'check');
      if (job) progress(job);
    }
  }
  const watching = watched();
  try {
    return await Promise.race([checked, watching]);
  } finally {
    over.abort();
    await Promise.allSettled([checked, watching]);
  }
}

/** Where devices of it store: at the same host, which knows itself by another name. */
export function doorsAt(
  { url, trust }: Target,
  { mqtt_url, mqtts_url, mqtt_shut }: OutputOf<'status.get'>,
): DoorPlaces {
  const { hostname, protocol } = new URL(url);
  // The plain door is shut to other machines.
  const own = (protocol === 'http:' ? mqtt_url : null) ?? mqtts_url;
  return {
    http: url,
    mqtt: own === null ? null : own.replace(/\/\/.+(?=:\d+$)/, `//${hostname}`),
    shut: mqtt_shut ?? 'Its door with TLS is shut (serve --mqtts-port).',
    trust,
  };
}
