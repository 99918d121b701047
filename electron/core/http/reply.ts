import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failed, type Envelope } from '#shared/schema/envelope.ts';
import { EncodedJson, type Answer } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import { STATUS_CODES } from '../net/node-http.ts';
import type { Borrowed } from '../store/store.ts';
import { attachment } from './attachment.ts';
import { hasArrived, isHeldBack } from './body.ts';
import { listJson } from './json/list-json.ts';
import { pageHeaders, type RawHeaders } from './page-links.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const OF_JSON: RawHeaders = ['content-type', JSON_TYPE];
const OF_ALL: RawHeaders = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
const TAIL = Buffer.from('}');
/** RFC 9110, 11.6.1: a 401 names the scheme. */
const SCHEME = 'Bearer';

/** Seconds until it is worth asking again. */
const RETRY_AFTER_S = '2';

/** ms that a sender gets to finish a body which is not read any more, before its connection is closed. */
const DISCARD_MS = 30_000;
/** ms that a connection which could not be understood stays open behind its answer. */
const LINGER_MS = 1000;

/** Writes an answer out. Never rejects: what breaks on the way breaks the connection, so that no half passes for a whole. */
export async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  log: Logger,
): Promise<void> {
  try {
    discardRest(request, response);
    const written = write(request, response, answer, log);
    if (written instanceof Promise) await written;
  } catch (error) {
    // Who gave up before the first piece does not hear of it, and nothing failed.
    if (response.destroyed && hasLeft(error)) return;
    const { envelope } = answerTo(answer.envelope.action, error, log);
    if (response.headersSent) response.destroy();
    else end(response, envelope, [], JSON.stringify(envelope));
  }
}

/** Most answers go out at once. */
function write(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  log: Logger,
): Awaitable<void> {
  const { envelope, page, download, bare, retry_after_s } = answer;
  const headOnly = method === 'HEAD';
  const own = page ? pageHeaders(url, page) : [];
  const headers = retry_after_s === undefined ? own : ['retry-after', String(retry_after_s), ...own];
  if (download) return sendFile(response, envelope, download, log, headOnly);
  if (Array.isArray(envelope.data) && !bare)
    return list(response, envelope, headers, envelope.data, log, headOnly);
  if (!(envelope.data instanceof EncodedJson))
    return end(response, envelope, headers, JSON.stringify(bare ? envelope.data : envelope));
  const { bytes, borrowed } = envelope.data;
  const head = headOf(envelope);
  if (borrowed) return end(response, envelope, headers, around(head, borrowed), () => borrowed.release());
  if (bytes instanceof Uint8Array)
    return end(response, envelope, headers, Buffer.concat([head, bytes, TAIL]));
  return stream(response, envelope, [...headers, ...OF_JSON], { head, bytes, tail: TAIL }, log, headOnly);
}

/** A file, or the rest of one that was cut off (RFC 9110, 14). */
async function sendFile(
  response: ServerResponse,
  envelope: Envelope,
  download: NonNullable<Answer['download']>,
  log: Logger,
  headOnly: boolean,
): Promise<void> {
  const { type, name, extension, state, part, bytes } = download;
  const own = ['content-type', type, 'content-disposition', attachment(name, extension)];
  if (state !== undefined) own.push('etag', `"${state}"`, 'accept-ranges', 'bytes');
  if (part === undefined) return stream(response, envelope, own, download, log, headOnly);
  const { from, total } = part;
  if (from < total) {
    own.push('content-range', `bytes ${from}-${total - 1}/${total}`, 'content-length', String(total - from));
    return stream(response, { ...envelope, status: 206 }, own, download, log, headOnly);
  }
  await bytes[Symbol.asyncIterator]().return?.();
  const refused = failed(envelope.action, 416, `The file has ${total} bytes: none follow ${from}.`);
  end(response, refused, ['content-range', `bytes */${total}`], JSON.stringify(refused));
}

/** A list of one piece has a length, a longer one is streamed. */
async function list(
  response: ServerResponse,
  envelope: Envelope,
  headers: RawHeaders,
  items: readonly unknown[],
  log: Logger,
  headOnly: boolean,
): Promise<void> {
  const pieces = listJson(items);
  const head = headOf(envelope);
  const begun: Buffer[] = [];
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    begun.push(piece.value);
    if (begun.length === 1) continue;
    const own = [...headers, ...OF_JSON];
    return stream(response, envelope, own, { head, bytes: after(begun, pieces), tail: TAIL }, log, headOnly);
  }
  end(response, envelope, headers, Buffer.concat([head, ...begun, TAIL]));
}

async function* after(begun: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}

/** An answer where there is a socket and no request that could be read, or one that asked for another protocol. */
export function writeToSocket(socket: Duplex, envelope: Envelope): void {
  const { status } = envelope;
  const body = JSON.stringify(envelope);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    ...(status === 401 ? [`www-authenticate: ${SCHEME}`] : []),
  ];
  socketMayFail(socket);
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closing at once with bytes unread would reset the connection, and the answer with it.
  socket.resume();
  machineClock.after(LINGER_MS, () => socket.destroy()).unref();
}

/** Node has taken its own listener off a socket that asks for an upgrade; without one, a reset would end the service. */
export function socketMayFail(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}

/** The envelope's text up to its data. That of the last answer is kept: pages come one after another. */
function headOf({ success, action, status, message }: Envelope): Buffer {
  if (lastHead.message !== message || lastHead.action !== action || lastHead.status !== status) {
    const text = JSON.stringify({ success, action, status, message });
    lastHead = { action, status, message, bytes: Buffer.from(`${text.slice(0, -1)},"data":`) };
  }
  return lastHead.bytes;
}

let lastHead = { action: '', status: 0, message: '', bytes: Buffer.alloc(0) };

/** A text goes out in one piece with its head. */
function end(
  response: ServerResponse,
  envelope: Envelope,
  headers: RawHeaders,
  body: Buffer | string,
  isOut?: () => void,
): void {
  const length = String(Buffer.byteLength(body));
  writeHead(response, envelope.status, [...headers, ...OF_JSON, 'content-length', length]);
  // Where the connection breaks, `isOut` may never be called.
  response.end(body, isOut);
}

/** The envelope around its data, where that lies if there is room. */
function around(head: Buffer, { memory, from, to }: Borrowed): Buffer {
  const start = from - head.length;
  if (start < 0 || to + TAIL.length > memory.length)
    return Buffer.concat([head, memory.subarray(from, to), TAIL]);
  memory.set(head, start);
  memory.set(TAIL, to);
  return memory.subarray(start, to + TAIL.length);
}

/** Adds the headers of every answer, and those of its status. */
function writeHead(response: ServerResponse, status: number, headers: RawHeaders): void {
  const all = [...headers, ...OF_ALL];
  if (status === 401) all.push('www-authenticate', SCHEME);
  else if ((status === 429 || status === 503) && !all.includes('retry-after'))
    all.push('retry-after', RETRY_AFTER_S);
  response.writeHead(status, all);
}

interface Pieces {
  readonly head?: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly tail?: Uint8Array;
  readonly givenUp?: AbortSignal;
}

/**
 * Streams data that is made while it is sent. A failure before its first piece is still an envelope. For a HEAD nothing
 * is made: its length is not known before (RFC 9110, 9.3.2).
 */
async function stream(
  response: ServerResponse,
  envelope: Envelope,
  headers: RawHeaders,
  { head, bytes, tail, givenUp }: Pieces,
  log: Logger,
  headOnly: boolean,
): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]();
  if (headOnly) {
    await pieces.return?.();
    writeHead(response, envelope.status, headers);
    response.end();
    return;
  }
  const first = await pieces.next();
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      if (head) yield head;
      for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
      if (tail) yield tail;
    } finally {
      await pieces.return?.();
    }
  }
  writeHead(response, envelope.status, headers);
  try {
    await pipeline(whole, response, givenUp ? { signal: givenUp } : {});
  } catch (error) {
    if (!hasLeft(error) && givenUp?.aborted !== true) log.error(`${envelope.action} broke off`, error);
    response.destroy();
  }
}

/** Whether the receiver went away, which is no fault of ours. */
function hasLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A stream that ends while its source is being asked fails with both their errors.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(hasLeft);
  if (error.name === 'AbortError') return true;
  const gone = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET'];
  return 'code' in error && gone.includes(String(error.code));
}

/**
 * Handles a body that is not read to its end: what still comes is dropped, so that its sender gets to the answer, for as long as
 * the connection is kept; closing it with bytes unread would reset it and lose the answer. Node drops it only where nobody has read
 * any of it. Here, both come to an end. Where the sender waited to be asked and was not, the connection closes: what came next could be the body or a
 * request.
 */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (hasArrived(request) || (length === '0' && encoding === undefined)) return;
  if (isHeldBack(request)) {
    response.shouldKeepAlive = false;
    return;
  }
  response.shouldKeepAlive = true;
  request.resume();
  machineClock
    .after(DISCARD_MS, () => {
      if (!request.complete) request.destroy();
    })
    .unref();
}

/**
 * Resolves at a pipelined request's turn: an answer is not read before the ones before it, hundreds of pages would be held until then,
 * and what ends a connection must not take those away. Never resolves where the connection ends before.
 */
export function itsTurn(response: ServerResponse): Promise<void> {
  if (response.socket !== null) return Promise.resolve();
  return new Promise((resolve) => response.once('socket', () => resolve()));
}
