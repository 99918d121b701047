import type { IncomingMessage } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import { isOperationId, operationOf } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import type { Asked } from './asked.ts';
import { readJson } from './read-json.ts';

/** Runs an operation as the owner; its body is `{id, input}`. Rejects with a 400 Refusal where it names none that can be run so. */
export async function sendCall({ dispatch, owner }: Asked, request: IncomingMessage): Promise<Envelope> {
  const asked = await readJson(request);
  const { id, input = {} } = typeof asked === 'object' && asked !== null ? (asked as Call) : {};
  if (typeof id !== 'string' || !isOperationId(id))
    throw badRequest(`id must be an operation, got ${quote(id)}`);
  const { body, reply } = operationOf(id);
  if (body === 'stream' || (reply !== 'envelope' && reply !== 'bare'))
    throw badRequest(`id must be an operation without a file, got ${quote(id)}`);
  return (await dispatch({ id, input, authenticate: () => owner })).envelope;
}

interface Call {
  readonly id?: unknown;
  readonly input?: unknown;
}
