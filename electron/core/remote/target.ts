import type { IncomingMessage } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Envelope, Status } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { Agent as PlainAgent, request as plainRequest } from '../net/node-http.ts';
import { readAddress } from './address.ts';
import { answerText } from './answer-text.ts';
import { RemoteError, remoteError } from './failure.ts';
import { trustOf, type Trust } from './trust.ts';

/** A service elsewhere, and how it is asked. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  readonly authorization: string;
  readonly trust: Trust;
  /** Runs one request. A refusal is an envelope; rejects with RemoteError where nobody answers, or as the signal's reason. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answered>;
  /**
   * Asks for a file: resolves with the answer that has its bytes, one that says that there are no more (416), or the envelope of a refusal.
   * Rejects as `ask` does.
   */
  download(method: string, path: string, options: DownloadOptions): Promise<IncomingMessage | Envelope>;
  /** Lets go of its connections. */
  close(): void;
}

export interface AskOptions {
  /** Beside those that each request has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of `body`. */
  readonly file?: AsyncIterable<Uint8Array>;
  /** Whether success is the data alone (Operation.reply); it is put into an envelope then. */
  readonly isBare?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** ms without a byte after which the peer counts as dead, in place of half a minute; 0 for never. */
  readonly silenceMs?: number;
}

type DownloadOptions = Pick<AskOptions, 'headers' | 'body' | 'silenceMs'>;

export interface Answered {
  readonly envelope: Envelope;
  /** Of all pages, as X-Total-Count says; null where it does not. */
  readonly total: number | null;
}

/** ms without a byte after which the peer counts as dead. */
const SILENCE_MS = 30_000;
/** The same where a file is read through before the answer: one that is sent there, or a backup from there. */
export const FILE_SILENCE_MS = 600_000;
/** Status of a file that ends where its rest was asked for. */
export const NO_MORE = 416;
/** Connections at once: other people ask there, too. */
const MOST_CONNECTIONS = 6;

/** Required fields of an envelope; other implementations may send more. */
const envelope = z.object({
  success: z.boolean(),
  action: z.string().default(''),
  status: z.int().optional(),
  message: z.string().default(''),
  data: z.unknown().transform((data) => data ?? null),
});

/** Makes the way to a service. `certificate`: PEM, or null for what this machine trusts anyway. Throws a 400 Refusal. */
export function openTarget(given: {
  readonly address: string;
  readonly certificate: string | null;
  readonly api_key: string;
}): Target {
  const address = readAddress(given.address);
  const trust = address.isPlain ? {} : trustOf(address, given.certificate);
  const authorization = `Bearer ${given.api_key}`;
  const pool = { keepAlive: true, maxSockets: MOST_CONNECTIONS };
  const agent = address.isPlain ? new PlainAgent(pool) : new Agent({ ...pool, ...trust });
  const request = address.isPlain ? plainRequest : secureRequest;

  function send(
    method: string,
    path: string,
    {
      body,
      file,
      headers,
      signal,
      silenceMs = file === undefined ? SILENCE_MS : FILE_SILENCE_MS,
    }: AskOptions,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${address.url}${path}`,
        {
          method,
          agent,
          timeout: silenceMs,
          ...(signal && { signal }),
          headers: {
            authorization,
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        resolve,
      );
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
      sent.on('error', reject);
      if (file === undefined) sent.end(body === undefined ? undefined : JSON.stringify(body));
      // What goes wrong ends the request, which says so; who refuses a file may not read it to its end.
      else pipeline(file, sent).catch((error: Error) => void sent.destroy(error));
    });
  }

  return {
    url: address.url,
    authorization,
    trust,
    async ask(method, path, options = {}) {
      try {
        const response = await send(method, path, options);
        return read(address.url, response, await answerText(response), options);
      } catch (error) {
        options.signal?.throwIfAborted();
        throw remoteError(address.url, error);
      }
    },
    async download(method, path, options) {
      try {
        const response = await send(method, path, options);
        const { statusCode = 0 } = response;
        if (statusCode < 300 || statusCode === NO_MORE) return response;
        return read(address.url, response, await answerText(response), {}).envelope;
      } catch (error) {
        throw remoteError(address.url, error);
      }
    },
    close: () => agent.destroy(),
  };
}

function read(
  url: string,
  { statusCode = 0, headers }: IncomingMessage,
  body: string,
  { isBare = false }: AskOptions,
): Answered {
  const json = jsonIn(body);
  const parsed = envelope.safeParse(isBare && statusCode === 200 ? { success: true, data: json } : json);
  if (!parsed.success)
    throw new RemoteError(
      `${url} answers, but not as a /v2 service does (status ${statusCode}, no envelope): check the address.`,
    );
  const total = headers['x-total-count'];
  return {
    // Whatever status it is, the one that was sent counts.
    envelope: { ...parsed.data, status: statusCode as Status },
    total: typeof total === 'string' && /^\d{1,15}$/.test(total) ? Number(total) : null,
  };
}

function jsonIn(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
