import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpOperationIds, inV2, operationOf, type HttpId } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import type { Answer, Dispatch } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import { andThen } from '../base/awaitable.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { Authenticate } from './authenticate.ts';
import type { IngestRequest } from './ingest.ts';
import type { Logger } from '../base/logger.ts';
import { AVATAR_HEADERS, DEFAULT_AVATAR } from './avatar.ts';
import { answerByBodyNames } from './json/body-names.ts';
import { arrivedBody, lengthOf, payloadBody } from './body.ts';
import { callOf } from './call-of.ts';
import { askerOfDevice, askerOfPrincipal, type Asker, type MemoryBudget } from '../ingest/memory-budget.ts';
import type { Slices } from '../turns/slices.ts';
import { GET_AND_HEAD } from './methods.ts';
import { itsTurn, writeAnswer } from './reply.ts';
import { BodyPrefix } from '../requests/body-prefix.ts';
import { INGEST } from '../faults/facts.ts';
import { metFault } from './faults/apply.ts';
import type { HttpFaults } from './faults/meet.ts';
import { newTrace, endTrace, type RequestTrace, type TraceSink } from './request-trace.ts';
import { pathOf } from './upgrades.ts';

export interface RouteOptions {
  readonly dispatch: Dispatch;
  readonly traces: TraceSink;
  /** What goes wrong on purpose. */
  readonly faults: HttpFaults;
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
      method: method === 'GET' ? GET_AND_HEAD : method,
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
  app.route({
    method: GET_AND_HEAD,
    url: '/static/devices/default.svg',
    handler: (_request, reply) => void reply.headers(AVATAR_HEADERS).send(DEFAULT_AVATAR),
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

const STORE_DATA = 'store data';

/** Answers what no route takes, a malformed path included. */
export async function answerUnknown(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  options: RouteOptions,
  why?: Error,
): Promise<void> {
  reply.hijack();
  const trace = newTrace(null);
  const { traces, log, faults } = options;
  const usual = () => answerToUnknown(raw, options, why);
  if (faults.mayMeet(raw, traces.door, trace)) {
    const asked = { request: raw, response: reply.raw, trace, traces, log };
    if (await metFault(faults, 'read request', asked, usual)) return;
  }
  const answer = await usual();
  endTrace(traces, raw, answer.envelope, trace);
  await writeAnswer(raw, reply.raw, answer, log);
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
  if (response.socket === null) await itsTurn(response);
  const trace = newTrace(id);
  const { traces, log, faults } = options;
  const { raw } = request;
  if (faults.mayMeet(raw, traces.door, trace)) {
    const asked = { request: raw, response, trace, traces, log };
    const usual = () => runOperation(id, request, response, options, trace);
    if (await metFault(faults, operationOf(id).action, asked, usual)) return;
  }
  const answer = await runOperation(id, request, response, options, trace);
  // Of the app's own operations those that were refused: the others are its own noise.
  if (inV2(id) || answer.envelope.status >= 400) endTrace(traces, raw, answer.envelope, trace);
  await writeAnswer(raw, response, answer, log);
}

/** Never rejects. */
async function runOperation(
  id: HttpId,
  request: FastifyRequest,
  response: ServerResponse,
  options: Routing,
  trace: RequestTrace,
): Promise<Answer> {
  const authenticate: Authenticate = (authorization) =>
    andThen(options.authenticate(authorization), (principal) => {
      trace.principal = principal;
      options.known(request.raw, askerOfPrincipal(principal));
      return principal;
    });
  const held = options.budget.hold();
  try {
    const call = callOf(id, request, response, authenticate, { held, slices: options.slices }, trace);
    // Most have no body, and what need not wait costs no turn.
    const answer = await options.dispatch(call instanceof Promise ? await call : call);
    return answerByBodyNames(id, answer);
  } catch (error) {
    return answerTo(operationOf(id).action, error, options.log, { isV2: inV2(id) });
  } finally {
    held.release();
  }
}

async function answerIngest(
  { raw }: FastifyRequest,
  response: ServerResponse,
  options: Routing,
): Promise<void> {
  const trace = newTrace(INGEST);
  const { traces, log, faults } = options;
  if (faults.mayMeet(raw, traces.door, trace)) {
    const asked = { request: raw, response, trace, traces, log };
    if (await metFault(faults, STORE_DATA, asked, () => runIngest(raw, options, trace))) return;
  }
  const answer = await runIngest(raw, options, trace);
  endTrace(traces, raw, answer.envelope, trace);
  await writeAnswer(raw, response, answer, log);
}

/** Never rejects. */
async function runIngest(
  raw: IncomingMessage,
  { ingest, budget, known, log }: Routing,
  trace: RequestTrace,
): Promise<Answer> {
  const { authorization, 'content-type': contentType } = raw.headers;
  // Sent twice, they are one text that is no key.
  const idempotencyKey = raw.headers['idempotency-key']?.toString();
  const prefix = new BodyPrefix();
  const held = budget.hold();
  try {
    return await ingest({
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
    return answerTo(STORE_DATA, error, log, { isV2: false });
  } finally {
    held.release();
    trace.body = prefix.bytes;
  }
}
