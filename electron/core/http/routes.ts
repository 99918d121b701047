import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpOperationIds, inV2, operationOf, type HttpId } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import type { Answer, Call, Dispatch } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { Body } from '../import/body.ts';
import type { Authenticate } from './authenticate.ts';
import { whyNotExact } from './exact-query.ts';
import type { IngestRequest } from './ingest.ts';
import type { Logger } from '../base/logger.ts';
import { AVATAR_HEADERS, DEFAULT_AVATAR } from './avatar.ts';
import {
  arrivedBody,
  JSON_LIMIT,
  lengthOf,
  mostOfJson,
  payloadBody,
  readJsonObject,
  streamedBody,
} from './body.ts';
import {
  askerOfDevice,
  askerOfPrincipal,
  IMPORT_BYTES,
  type Asker,
  type MemoryBudget,
  type MemoryReservation,
} from '../ingest/memory-budget.ts';
import type { Slices } from '../turns/slices.ts';
import { writeAnswer } from './reply.ts';
import { BodyPrefix } from '../requests/body-prefix.ts';
import { newTrace, endTrace, type RequestTrace, type TraceSink } from './request-trace.ts';
import { pathOf } from './upgrades.ts';

export interface RouteOptions {
  readonly dispatch: Dispatch;
  readonly traces: TraceSink;
  readonly authenticate: Authenticate;
  /** Never rejects. */
  readonly ingest: (request: IngestRequest) => Promise<Answer>;
  readonly budget: MemoryBudget;
  /** Turns of large JSON bodies. */
  readonly slices: Slices;
  /** Only the operations under /v2. */
  readonly strict: boolean;
  readonly log: Logger;
}

interface Routing extends RouteOptions {
  /** Called with the asker of a request. */
  readonly known: (request: IncomingMessage, asker: Asker) => void;
}

/** Adds the routes of programs and devices. Bodies stay unread until the caller is authenticated. */
export function addRoutes(app: FastifyInstance, options: Routing): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const id of httpOperationIds) {
    if (options.strict && !inV2(id)) continue;
    const { method, path } = operationOf(id);
    app.route({
      method,
      url: path,
      handler(request, reply) {
        reply.hijack();
        void answerOperation(id, request, reply.raw, options);
      },
    });
  }
  if (!options.strict) {
    app.post('/integrations/http', (request, reply) => {
      reply.hijack();
      void answerIngest(request, reply.raw, options);
    });
  }
  app.get('/static/devices/default.svg', (_request, reply) => {
    void reply.headers(AVATAR_HEADERS).send(DEFAULT_AVATAR);
  });
  app.setNotFoundHandler((request, reply) => void answerUnknown(request, reply, options));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const type = quote(request.headers['content-type']);
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      void answerUnknown(
        request,
        reply,
        options,
        badRequest(`Content-Type is not a media type, got ${type}.`),
      );
    // Fastify has rules for some methods that nothing here has: no such route, as for the others.
    else if ((error.statusCode ?? 500) < 500) void answerUnknown(request, reply, options);
    else void answerUnknown(request, reply, options, error);
  });
}

/** Answers what no route takes, a malformed path included. */
export async function answerUnknown(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  options: RouteOptions,
  why?: Error,
): Promise<void> {
  reply.hijack();
  const trace = newTrace();
  const answer = await answerToUnknown(raw, options, why);
  endTrace(options.traces, raw, answer.envelope, trace);
  await writeAnswer(raw, reply.raw, answer, options.log);
}

/** Answers an unknown route. Without a key it does not tell which routes exist. */
export async function answerToUnknown(
  request: IncomingMessage,
  { authenticate, strict, log }: RouteOptions,
  why?: Error,
): Promise<Answer> {
  try {
    if (needsKey(pathOf(request), strict)) await authenticate(request.headers.authorization);
    throw why ?? notHere(request);
  } catch (error) {
    return answerTo('read request', error, log);
  }
}

function notHere(request: IncomingMessage): Refusal {
  // HEAD is answered as GET, to the length of what it does not get.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return new Refusal(404, `There is no ${method} ${quote(pathOf(request))} here.`);
}

const needsKey = (path: string, strict: boolean) =>
  path.startsWith('/v2/') || path === '/v2' || (!strict && path.startsWith('/_local/'));

async function answerOperation(
  id: HttpId,
  request: FastifyRequest,
  response: ServerResponse,
  options: Routing,
): Promise<void> {
  let answer: Answer;
  await itsTurn(response);
  const trace = newTrace();
  const authenticate: Authenticate = async (authorization) => {
    const principal = (trace.principal = await options.authenticate(authorization));
    options.known(request.raw, askerOfPrincipal(principal));
    return principal;
  };
  const held = options.budget.hold();
  try {
    answer = await options.dispatch(
      await callOf(id, request, response, authenticate, { held, slices: options.slices }, trace),
    );
  } catch (error) {
    answer = answerTo(operationOf(id).action, error, options.log, { isV2: inV2(id) });
  } finally {
    held.release();
  }
  // Of the app's own operations those that were refused: the others are its own noise.
  if (inV2(id) || answer.envelope.status >= 400)
    endTrace(options.traces, request.raw, answer.envelope, trace);
  await writeAnswer(request.raw, response, answer, options.log);
}

/**
 * Resolves at a pipelined request's turn: an answer is not read before the ones before it, and hundreds of pages would be
 * held until then. Never resolves where the connection ends before.
 */
async function itsTurn(response: ServerResponse): Promise<void> {
  if (response.socket === null) await new Promise((resolve) => response.once('socket', resolve));
}

/** The request as a call. Rejects with a 401 Refusal, then, for a body that is no JSON object, a 400 one. */
async function callOf(
  id: HttpId,
  { raw, params, query }: FastifyRequest,
  response: ServerResponse,
  authenticate: RouteOptions['authenticate'],
  { held, slices }: { readonly held: MemoryReservation; readonly slices: Slices },
  trace: RequestTrace,
): Promise<Call> {
  trace.project_id = (params as { readonly project_id?: string }).project_id;
  const check = () => authenticate(raw.headers.authorization);
  const passedOver = whyNotExact(id, raw, query, params);
  if (passedOver !== null) {
    await check();
    throw badRequest(passedOver);
  }
  const { body, reply } = operationOf(id);
  // Only streams take long enough to be given up.
  const given = body === 'stream' || reply === 'stream' ? { signal: goneSignal(response) } : {};
  switch (body) {
    case 'none': {
      const fields = reply === 'stream' ? { ...(query as object), ...restOf(raw) } : query;
      return { id, input: merge(fields, params), authenticate: check, ...given };
    }
    case 'stream':
      return {
        id,
        input: merge(query, params),
        authenticate: check,
        ...given,
        body: importBody(raw, held, trace),
      };
    case 'json': {
      // Before the body is read, and once more behind it: a key may be revoked while it comes.
      const asker = askerOfPrincipal(await check());
      const most = mostOfJson(lengthOf(raw) ?? JSON_LIMIT);
      await roomForJson(id, asker, most, held);
      // The query of such an operation says nothing: its fields are the body's (docs/api.md, "Devices").
      const read = await readJsonObject(raw, {
        arrived: (bytes) => (trace.body = bytes),
        weighed: (bytes) => held.give(asker, most - bytes),
        slices,
      });
      const input = merge(read, params);
      return { id, input, authenticate: check, ...given };
    }
  }
}

/**
 * The rest of a file that was cut off, as `Range` and `If-Range` ask for it. Ranges of other forms are not looked at, as
 * RFC 9110, 14.2 has it; a validator of another form is one that does not match.
 */
function restOf({ method, headers }: IncomingMessage): { from?: string; state?: string } {
  const [, from] = /^bytes=(\d{1,15})-$/.exec(headers.range ?? '') ?? [];
  if (method !== 'GET' || from === undefined) return {};
  const condition = headers['if-range']?.toString();
  if (condition === undefined) return { from };
  return { from, state: /^"([^"]*)"$/.exec(condition)?.[1] ?? '' };
}

/** Room for a JSON body: under /v2 it waits for it, since docs/api.md, "Statuses", has none there that says "later". */
async function roomForJson(id: HttpId, asker: Asker, bytes: number, held: MemoryReservation): Promise<void> {
  if (inV2(id)) await held.wait(asker, bytes);
  else held.take(asker, bytes);
}

/** A file to import; room for it is taken when its reader, who has checked the key, begins. */
function importBody(raw: IncomingMessage, held: MemoryReservation, trace: RequestTrace): Body {
  const body = streamedBody(raw);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (!trace.principal) throw new Error('A file is read before it is known whose it is.');
    held.take(askerOfPrincipal(trace.principal), IMPORT_BYTES);
    yield* body.bytes;
  }
  return { ...body, bytes: bytes() };
}

/** Fires when the asker has gone before the answer was out. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

const merge = (fields: unknown, params: unknown): object => ({
  ...(fields as object),
  ...(params as object),
});

async function answerIngest(
  { raw }: FastifyRequest,
  response: ServerResponse,
  { ingest, budget, known, log, traces }: Routing,
): Promise<void> {
  const { authorization, 'content-type': contentType } = raw.headers;
  // Sent twice, they are one text that is no key.
  const idempotencyKey = raw.headers['idempotency-key']?.toString();
  let answer: Answer;
  const trace = newTrace();
  const prefix = new BodyPrefix();
  const held = budget.hold();
  try {
    answer = await ingest({
      authorization,
      contentType,
      idempotencyKey,
      known(sender) {
        trace.sender = sender;
        known(raw, askerOfDevice(sender.device));
      },
      body: (asker) =>
        prefix.of(
          arrivedBody(raw, (bytes) => held.take(asker, bytes)) ??
            held.counted(asker, payloadBody(raw), lengthOf(raw)),
        ),
    });
  } catch (error) {
    answer = answerTo('store data', error, log, { isV2: false });
  } finally {
    held.release();
  }
  trace.body = prefix.bytes;
  endTrace(traces, raw, answer.envelope, trace);
  await writeAnswer(raw, response, answer, log);
}
