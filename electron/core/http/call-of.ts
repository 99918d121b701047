import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { inV2, operationOf, type HttpId } from '#shared/operations/index.ts';
import type { Call } from '../api/call.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import { badRequest } from '../base/errors.ts';
import type { Body } from '../import/body.ts';
import {
  askerOfPrincipal,
  IMPORT_BYTES,
  type Asker,
  type MemoryReservation,
} from '../ingest/memory-budget.ts';
import { headerFields } from '../net/header-fields.ts';
import type { Slices } from '../turns/slices.ts';
import type { Authenticate } from './authenticate.ts';
import { fieldsOfBody } from './json/body-names.ts';
import { JSON_LIMIT, lengthOf, mostOfJson, readJsonObject, streamedBody } from './body.ts';
import { whyNotExact } from './exact-query.ts';
import type { RequestTrace } from './request-trace.ts';

/** The request as a call. Throws, or rejects with, a 401 Refusal, then, for a body that is no JSON object, a 400 one. */
export function callOf(
  id: HttpId,
  { raw, params, query }: FastifyRequest,
  response: ServerResponse,
  authenticate: Authenticate,
  { held, slices }: { readonly held: MemoryReservation; readonly slices: Slices },
  trace: RequestTrace,
): Awaitable<Call> {
  trace.project_id = (params as { readonly project_id?: string }).project_id;
  const check = () => authenticate(raw.headers.authorization);
  const inHeaders = headerFields(id, raw.headers, query as object);
  const wrong = whyNotExact(id, raw, query, params) ?? (inHeaders.ok ? null : inHeaders.message);
  if (wrong !== null)
    return andThen(check(), () => {
      throw badRequest(wrong);
    });
  const { body, reply, mayTakeLong = false } = operationOf(id);
  // Others are done before anybody gives them up.
  const given =
    mayTakeLong || body === 'stream' || reply === 'stream' ? { signal: goneSignal(response) } : {};
  switch (body) {
    case 'none': {
      const fields = reply === 'stream' ? { ...(query as object), ...restOf(raw) } : query;
      return { id, input: merge(fields, params), authenticate: check, ...given };
    }
    case 'stream':
      return {
        id,
        input: merge({ ...(query as object), ...(inHeaders.ok && inHeaders.fields) }, params),
        authenticate: check,
        ...given,
        body: importBody(raw, held, trace),
      };
    case 'json':
      return jsonBody(id, raw, check, { held, slices }, trace).then((read) => ({
        id,
        // The query of such an operation says nothing: its fields are the body's (docs/api.md, "Devices").
        input: merge(fieldsOfBody(id, read), params),
        authenticate: check,
        ...given,
      }));
  }
}

async function jsonBody(
  id: HttpId,
  raw: IncomingMessage,
  authenticate: Call['authenticate'],
  { held, slices }: { readonly held: MemoryReservation; readonly slices: Slices },
  trace: RequestTrace,
): Promise<object> {
  // Before the body is read, and once more behind it: a key may be revoked while it comes.
  const asker = askerOfPrincipal(await authenticate());
  const most = mostOfJson(lengthOf(raw) ?? JSON_LIMIT);
  await roomForJson(id, asker, most, held);
  const isSecret = operationOf(id).secrets !== undefined;
  return readJsonObject(raw, {
    arrived: (bytes) => (trace.body = isSecret ? null : bytes),
    weighed: (bytes) => held.give(asker, most - bytes),
    slices,
    isSecret,
  });
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
