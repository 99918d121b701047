import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '#shared/values/json.ts';
import type { Body } from '../import/body.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { errorCode } from '../disk/errors.ts';
import type { Slices } from '../turns/slices.ts';
import { within } from '../turns/within.ts';
import { BYTES_OF_VALUE, valuesIn } from './json/json-values.ts';

/** Bytes of a JSON body, and of what a device stores in one request. */
export const JSON_LIMIT = 1024 * 1024;
/** Values of a JSON body: some milliseconds of everybody's time. */
const MOST_VALUES = 65_536;
/** Bytes of JSON that are read at once. */
const AT_ONCE = 4096;
const INGEST_LIMIT = 64 * 1024 * 1024;

/** ms that a whole JSON body, and the next piece of a streamed one, may take to arrive. */
const WHOLE_BODY_MS = 60_000;
const NEXT_PIECE_MS = 60_000;

/** Requests whose senders hold the body back until they hear that it is wanted (RFC 9110, 10.1.1). */
const heldBack = new WeakMap<IncomingMessage, ServerResponse>();

/** Sends "100 Continue" when the body is read, so that a sender refused before sends nothing. */
export function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  heldBack.set(request, response);
}

function askFor(response: ServerResponse | undefined): void {
  if (!response) return;
  // Behind an earlier answer it has no connection yet, and Node would put "100 Continue" between its head and its body.
  if (response.socket) response.writeContinue();
  else response.once('socket', () => void (response.headersSent || response.writeContinue()));
}

/** Whether the body was held back and never asked for: no one can tell whether it comes nevertheless. */
export const isHeldBack = (request: IncomingMessage) => heldBack.has(request);

/** Requests whose bodies were read at once. */
const taken = new WeakSet<IncomingMessage>();

/** Whether all of the body has come, read or not: Node calls it complete only a moment after its last byte is here. */
export const hasArrived = (request: IncomingMessage) =>
  request.complete || taken.has(request) || isUnreadHere(request);

const isUnreadHere = (request: IncomingMessage) => request.readableLength === lengthOf(request);

/** Bytes of the body as its sender announces them; null where that is not said. */
export function lengthOf({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** Body of a device's request, piece by piece. Throws a 413 Refusal where it is too large, a 400 one as `arrivals`. */
export function payloadBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  return limited(request, INGEST_LIMIT);
}

/**
 * A body that has arrived with the head of its request, as the short ones of devices do; null where some is still to come,
 * and where its sender waits to be asked. Nothing arrives before the handler of the request has waited once. `room` is
 * told its bytes before anything else is looked at. Throws as `payloadBody` and `room` do.
 */
export function arrivedBody(request: IncomingMessage, room: (bytes: number) => void): Buffer | null {
  if (!isUnreadHere(request) || request.destroyed || isHeldBack(request)) return null;
  room(request.readableLength);
  refuseEncoding(request);
  const bytes = request.read() as Buffer | null;
  taken.add(request);
  // What follows is its end, after which Node lets go of the request.
  request.resume();
  return bytes ?? Buffer.alloc(0);
}

/** Throws at once where the announced length is too large: whether there is room for it now is no question then. */
function limited(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new Refusal(
      // Under /v2 docs/api.md, "Statuses", has no status of its own for it.
      request.url?.startsWith('/v2/') ? 400 : 413,
      `The body must be at most ${limit / 1024 / 1024} MiB (${limit} bytes).`,
    );
  if ((lengthOf(request) ?? 0) > limit) throw tooLarge();
  return upTo(limit, tooLarge, request);
}

async function* upTo(
  limit: number,
  tooLarge: () => Refusal,
  request: IncomingMessage,
): AsyncGenerator<Buffer> {
  let size = 0;
  let waited = 0;
  const patience = () => {
    const since = machineClock.monotonicMs();
    return { left: WHOLE_BODY_MS - waited, over: () => (waited += machineClock.monotonicMs() - since) };
  };
  for await (const piece of arrivals(request, patience)) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    yield piece;
  }
}

/** Reads a body whole. Throws a 400 or 413 Refusal where it is too large, too slow or encoded. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of limited(request, limit)) pieces.push(piece);
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** Bytes of memory that a JSON body of so many bytes takes at most, text and values. */
export function mostOfJson(length: number): number {
  const bytes = Math.min(length, JSON_LIMIT);
  return bytes + BYTES_OF_VALUE * Math.min(MOST_VALUES, Math.ceil(bytes / 2) + 1);
}

/** Steps between a JSON body that has arrived and its values. */
export interface JsonReading {
  /** Gets its bytes. */
  readonly arrived: (bytes: Uint8Array) => void;
  /** Called with the bytes of memory that it takes in all, before it is read: at most `mostOfJson` of its length. */
  readonly weighed: (bytes: number) => void;
  /** Large ones take turns. */
  readonly slices: Slices;
  /** Whether nothing of it is to be shown where it cannot be read. */
  readonly isSecret: boolean;
}

/** Reads a body that must be a JSON object; none at all counts as {}. Throws a 400 Refusal. */
export async function readJsonObject(
  request: IncomingMessage,
  { arrived, weighed, slices, isSecret }: JsonReading,
): Promise<object> {
  const bytes = await readBytes(request, JSON_LIMIT);
  arrived(bytes);
  if (bytes.length === 0) return {};
  const values = valuesIn(bytes);
  if (values > MOST_VALUES)
    throw badRequest(`The body must hold at most ${MOST_VALUES} values, got ${values}.`);
  weighed(bytes.length + values * BYTES_OF_VALUE);
  const read = () => readJson(bytes, isSecret);
  const value = bytes.length > AT_ONCE ? await slices.run(read) : read();
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const got = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw badRequest(`The body must be a JSON object, got ${got}.`);
}

const unread = (why: string) => badRequest(`The body must be a JSON object; it cannot be read: ${why}.`);

function readJson(bytes: Uint8Array, isSecret: boolean): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unread('it is not UTF-8');
    // V8's own words show what stands there.
    throw unread(isSecret ? 'it is not JSON' : error.message);
  }
}

/** A body of any size, read as its reader asks for it; reading throws a 400 Refusal where it is slow or encoded. */
export function streamedBody(request: IncomingMessage): Body {
  return {
    bytes: arrivals(request, () => ({ left: NEXT_PIECE_MS })),
    size: lengthOf(request),
    type: request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? null,
  };
}

/** Timeouts of the pieces of a body. */
interface Patience {
  /** ms. */
  readonly left: number;
  /** Called when it has arrived. */
  readonly over?: () => void;
}

/** The body's pieces. A reader that stops leaves the connection open; what it does in between is not the sender's time. */
async function* arrivals(request: IncomingMessage, patience: () => Patience): AsyncGenerator<Buffer> {
  refuseEncoding(request);
  askFor(heldBack.get(request));
  heldBack.delete(request);
  // Its own iterator, since ending the default one destroys the socket that the answer still needs.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { left, over } = patience();
      const { done, value } = await withDeadline(pieces.next(), left);
      over?.();
      if (done) return;
      yield value;
    }
  } finally {
    // As long as it listens, nobody else can discard the rest. It ends behind a piece that did not come in time: not waited for.
    void pieces.return?.();
  }
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  try {
    return await within(work, Math.max(0, ms), () => {
      throw badRequest('The body did not arrive in time.');
    });
  } catch (error) {
    if (errorCode(error) !== 'ECONNRESET') throw error;
    throw badRequest('The connection closed before the body was whole.');
  }
}

function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw badRequest(`The body must come without Content-Encoding, got "${encoding}".`);
}
