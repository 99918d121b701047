import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import { isOperationId, operationOf } from '#shared/operations/index.ts';
import { parseJson } from '#shared/values/json.ts';
import { quote } from '#shared/values/validate.ts';
import { EncodedJson } from '../api/call.ts';
import { badRequest } from '../base/errors.ts';
import type { Asked } from './asked.ts';
import { readJson } from './read-json.ts';

/**
 * Runs an operation as the owner, until the asker goes; its body is `{id, input}`. Rejects with a 400 Refusal where it names none that
 * can be run so.
 */
export async function sendCall(
  { dispatch, owner }: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Envelope> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked = await readJson(request);
  const { id, input = {} } = typeof asked === 'object' && asked !== null ? (asked as Call) : {};
  if (typeof id !== 'string' || !isOperationId(id))
    throw badRequest(`id must be an operation, got ${quote(id)}`);
  const { body, reply } = operationOf(id);
  if (body === 'stream' || (reply !== 'envelope' && reply !== 'bare'))
    throw badRequest(`id must be an operation without a file, got ${quote(id)}`);
  const { envelope } = await dispatch({ id, input, authenticate: () => owner, signal: gone.signal });
  const { data } = envelope;
  return data instanceof EncodedJson ? { ...envelope, data: await valueOf(data) } : envelope;
}

/** A page, which the store writes as JSON text, as a value. */
async function valueOf({ bytes, borrowed }: EncodedJson): Promise<unknown> {
  try {
    if (bytes instanceof Uint8Array) return parseJson(Buffer.from(bytes).toString());
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(Buffer.from(piece));
    return parseJson(Buffer.concat(pieces).toString());
  } finally {
    borrowed?.release();
  }
}

interface Call {
  readonly id?: unknown;
  readonly input?: unknown;
}
