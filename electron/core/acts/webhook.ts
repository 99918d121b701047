import * as https from 'node:https';
import { machineClock } from '../base/machine-clock.ts';
import { Agent, request as httpRequest } from '../net/node-http.ts';
import { connectionWords } from './connection-words.ts';
import { UnreachedAddress, type Reach } from './reach.ts';

const DEADLINE_MS = 10_000;
const MOST_REDIRECTS = 5;
/** Of an answer, which nobody looks at. */
const MOST_ANSWER = 65_536;
/** Redirects that keep method and body (RFC 9110, 15.4.8, 15.4.9). */
const KEEPS_BODY: ReadonlySet<number> = new Set([307, 308]);
const LOSES_BODY: ReadonlySet<number> = new Set([301, 302, 303]);

/** Request of a webhook. */
export interface Hook {
  readonly url: string;
  /** The same in each try. */
  readonly key: string;
  /** JSON. */
  readonly body: string;
}

/** A webhook was not done; the message is for people. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

interface Sending {
  readonly reach: Pick<Reach, 'check' | 'lookup'>;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number;
  /** Authorities beside those that the system trusts, PEM. */
  readonly ca?: readonly string[];
}

/** Resolves once a webhook has answered 2xx. Rejects with WebhookError, or UnreachedAddress where it may not go there. */
export async function sendWebhook(
  { url, key, body }: Hook,
  { reach, signal, deadlineMs = DEADLINE_MS, ca }: Sending,
): Promise<void> {
  const over = new AbortController();
  const timer = machineClock.after(deadlineMs, () =>
    over.abort(new WebhookError(`It did not answer within ${deadlineMs / 1000} s.`)),
  );
  const either = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  try {
    let address = addressOf(url);
    for (let redirects = 0; ; redirects++) {
      reach.check(address.hostname);
      const { status, location } = await post(address, {
        key,
        body,
        lookup: reach.lookup,
        signal: either,
        ca,
      });
      if (status >= 200 && status < 300) return;
      if (!KEEPS_BODY.has(status) || location === undefined) throw new WebhookError(answered(status));
      if (redirects === MOST_REDIRECTS)
        throw new WebhookError(`It redirects more than ${MOST_REDIRECTS} times.`);
      address = redirected(address, location);
    }
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

const answered = (status: number) =>
  LOSES_BODY.has(status)
    ? `It answered ${status}, by which what is sent would be lost: give the address to which it redirects, or have it answer 307 or 308.`
    : `It answered ${status}; done is what is answered with 2xx.`;

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new WebhookError('Its address is none of http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw new WebhookError('Its address has a user name or a password, which are not sent.');
  return url;
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new WebhookError('It redirects to what is no address.');
  const to = addressOf(new URL(location, from.href).href);
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new WebhookError('It redirects from https:// to http://.');
  return to;
}

interface Posted {
  readonly key: string;
  readonly body: string;
  readonly lookup: Reach['lookup'];
  readonly signal: AbortSignal;
  readonly ca: readonly string[] | undefined;
}

function post(
  address: URL,
  { key, body, lookup, signal, ca }: Posted,
): Promise<{ readonly status: number; readonly location: string | undefined }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof post>>>();
  const bytes = Buffer.from(body);
  const options: https.RequestOptions = {
    method: 'POST',
    lookup,
    signal,
    // A connection of its own, without a proxy: it goes to the address that was judged.
    agent: address.protocol === 'https:' ? new https.Agent({ ca: trusted(ca) }) : new Agent(),
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      'Idempotency-Key': key,
      'User-Agent': 'Fieldbench',
      Connection: 'close',
    },
  };
  const request = (address.protocol === 'https:' ? https.request : httpRequest)(
    address,
    options,
    (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const end = () => {
        resolve({ status, location: headers.location });
        answer.destroy();
      };
      let read = 0;
      answer.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > MOST_ANSWER) end();
      });
      answer.on('end', end);
      answer.on('error', (error) => reject(failure(error)));
    },
  );
  request.on('error', (error) => reject(failure(error)));
  request.end(bytes);
  return promise;
}

const trusted = (ca: readonly string[] | undefined) => (ca === undefined ? undefined : [...ca]);

/** Says a failure of the connection in words for people. */
function failure(error: NodeJS.ErrnoException): Error {
  if (error instanceof UnreachedAddress || error instanceof WebhookError) return error;
  const { code, message } = error;
  const words = connectionWords(code) ?? `It could not be reached: ${message}.`;
  return new WebhookError(words, { cause: error });
}
