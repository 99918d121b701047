import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import type { OperationId } from '#shared/operations/index.ts';
import { badRequest } from '../base/errors.ts';
import { headerFields } from '../net/header-fields.ts';
import type { Asked } from './asked.ts';

/**
 * Runs an operation on the file that a request brings; the query and headers have its other fields. A closed connection cancels it.
 * Rejects with a 400 Refusal where a header cannot be read.
 */
export async function takeFile(
  { dispatch, owner }: Asked,
  id: OperationId,
  { searchParams }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Envelope> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { 'content-length': size } = request.headers;
  const query = Object.fromEntries(searchParams);
  const inHeaders = headerFields(id, request.headers, query);
  if (!inHeaders.ok) throw badRequest(inHeaders.message);
  // Who is refused in the middle of it is to hear why, so the connection outlives a body that is not read to its end.
  const bytes = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  const { envelope } = await dispatch({
    id,
    input: { ...query, ...inHeaders.fields },
    authenticate: () => owner,
    signal: gone.signal,
    body: { bytes, size: size === undefined ? null : Number(size), type: null },
  });
  request.resume();
  return envelope;
}
