import { failed, succeeded } from '#shared/schema/envelope.ts';
import {
  inV2,
  operationOf,
  operations,
  type CheckedInput,
  type OperationId,
  type Operations,
} from '#shared/operations/index.ts';
import { validate } from '#shared/values/validate.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import { badRequest } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { answerTo } from './answer-to.ts';
import { authorize } from './authorize.ts';
import type { Call, Dispatch } from './call.ts';
import type { Checked, Context, Handlers } from './context.ts';
import { find } from './find.ts';
import { requireReason } from './trail/require-reason.ts';
import { isTold, tellOperation, type ToldCall } from './trail/tell-operation.ts';

/**
 * Makes the only way in. Every call passes the same checks in the same order (docs/api.md, "Order of checks"):
 * authenticate (401), validate (400), find (404), may touch (403), a reason where the project asks for one (400), act.
 */
export function createDispatch(context: Context, handlers: Handlers, log: Logger): Dispatch {
  function act<Id extends OperationId>(id: Id, { input, authenticate, body, signal }: Call) {
    return andThen(admit(context, id, authenticate, input), (checked) => {
      const whole = body && { ...body, bytes: untilWhole(body.bytes, authenticate) };
      const run = (its: Context) => handlers[id]({ ...checked, body: whole, signal }, its);
      return isTold(id) ? tellOperation(id, checked as ToldCall, context, run, log) : run(context);
    });
  }

  return async (call) => {
    const { id, signal } = call;
    const operation = operationOf(id);
    try {
      const handled = await act(id, call);
      if ('arrays' in handled) {
        const envelope = succeeded(operation.action, operation.status, operation.message, null);
        return { envelope, arrays: handled.arrays };
      }
      const { data, page, download } = handled;
      const envelope = succeeded(operation.action, operation.status, operation.message, data);
      const bare = operation.reply === 'bare';
      return { envelope, bare, ...(page && { page }), ...(download && { download }) };
    } catch (error) {
      // The asker has gone: nobody reads this answer, and nothing failed.
      if (signal?.aborted && error === signal.reason)
        return { envelope: failed(operation.action, 500, 'The request was cancelled.') };
      return answerTo(operation.action, error, log, { isV2: inV2(id) });
    }
  };
}

/** Runs every check of an operation; throws, or rejects with, a Refusal at the first that fails. */
function admit<Id extends OperationId>(
  context: Pick<Context, 'metadata' | 'default_account_id'>,
  id: Id,
  authenticate: Call['authenticate'],
  input: unknown,
): Awaitable<Checked<Id>> {
  const operation = operationOf(id);
  const path: Operations[Id]['path'] = operations[id].path;
  return andThen(authenticate(), (principal) => {
    const checked = validate(operation.input, input, { secrets: operation.secrets });
    if (!checked.ok) throw badRequest(checked.message);
    return andThen(
      context.metadata.read((tables) => find(tables, path, checked.value)),
      (found) => {
        authorize(principal, operation, found, context);
        requireReason(operation, found, checked.value);
        return { ...found, input: checked.value as CheckedInput<Id>, principal };
      },
    );
  });
}

/**
 * Passes a body on, which may take hours to arrive: its sender must still be let in when it is whole, or none of it is used.
 */
async function* untilWhole(
  bytes: AsyncIterable<Uint8Array>,
  authenticate: Call['authenticate'],
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes;
  await authenticate();
}
