import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '#shared/json.ts';
import type { Body } from '../import/body.ts';
import { badRequest } from '../errors.ts';
import { errorCode } from '../disk/errors.ts';

/** Bytes of a JSON body, and of what a device stores in one request. */
export const JSON_LIMIT = 1024 * 1024;
export const INGEST_LIMIT = 64 * 1024 * 1024;

/** ms that a whole JSON body, and the next piece of a streamed one, may take to arrive. */
const WHOLE_BODY_MS = 60_000;
const NEXT_PIECE_MS = 60_000;

/** Requests whose senders hold the body back until they hear that it is wanted (RFC 9110, 10.1.1). */
const heldBack = new WeakMap<IncomingMessage, ServerResponse>();

/** Says "100 Continue" when the body is read, so that a sender who is refused before has nothing to send. */
export function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  heldBack.set(request, response);
}

/** Whether the body was held back and never asked for: no one can tell whether it comes nevertheless. */
export const isHeldBack = (request: IncomingMessage) => heldBack.has(request);

/** Reads a body whole. Throws a 400 Refusal where it is too large, too slow or encoded. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLarge = () => badRequest(`The body must be at most ${limit / 1024 / 1024} MiB (${limit} bytes).`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  const deadline = Date.now() + WHOLE_BODY_MS;
  for await (const piece of arrivals(request, () => deadline - Date.now())) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** Reads a body that must be a JSON object; none at all counts as {}. Throws a 400 Refusal. */
export async function readJsonObject(request: IncomingMessage): Promise<object> {
  const bytes = await readBytes(request, JSON_LIMIT);
  if (bytes.length === 0) return {};
  const value = readJson(bytes);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const got = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw badRequest(`The body must be a JSON object, got ${got}.`);
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw badRequest(`The body must be a JSON object; it cannot be read: ${reason}.`);
  }
}

/** A body of any size, read as its reader asks for it; reading throws a 400 Refusal where it is slow or encoded. */
export function streamedBody(request: IncomingMessage): Body {
  const length = request.headers['content-length'];
  return {
    bytes: arrivals(request, () => NEXT_PIECE_MS),
    size: length === undefined ? null : Number(length),
    type: request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? null,
  };
}

/** The body's pieces; `patience` is how many ms the next one may take. A reader that stops leaves the connection open. */
async function* arrivals(request: IncomingMessage, patience: () => number): AsyncGenerator<Buffer> {
  refuseEncoding(request);
  heldBack.get(request)?.writeContinue();
  heldBack.delete(request);
  // Its own iterator, since ending the default one destroys the socket that the answer still needs.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  for (;;) {
    const { done, value } = await withDeadline(pieces.next(), patience());
    if (done) return;
    yield value;
  }
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(badRequest('The body did not arrive in time.')), Math.max(0, ms));
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    if (errorCode(error) !== 'ECONNRESET') throw error;
    throw badRequest('The connection closed before the body was whole.');
  } finally {
    clearTimeout(timer);
  }
}

function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw badRequest(`The body must come without Content-Encoding, got "${encoding}".`);
}
