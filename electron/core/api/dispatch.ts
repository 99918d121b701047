import { randomUUID } from 'node:crypto';
import { failed, succeeded } from '#shared/envelope.ts';
import type { ArraysId, OperationId } from '#shared/operations/index.ts';
import { operationOf } from '#shared/operations/index.ts';
import { parametersOf } from '#shared/operations/paths.ts';
import { validate } from '#shared/validate.ts';
import { badRequest, notFound, Refusal, StoreError, ThreadError, VaultError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { authorize } from './authorize.ts';
import type { Answer, Call, Dispatch, Principal } from './call.ts';
import type { Admitted, Context, Handled, HandledArrays, Handlers } from './context.ts';
import { find, type PathParameters } from './find.ts';

/**
 * Makes the only way in. Every call passes the same checks in the same order (docs/api.md, "Order of checks"):
 * authenticate (401), validate (400), find (404), may touch (403), act.
 */
export function createDispatch(context: Context, handlers: Handlers, log: Logger): Dispatch {
  return async ({ id, input, authenticate, body, signal }) => {
    const operation = operationOf(id);
    try {
      const admitted = admit(context, id, authenticate, input);
      const handler = handlers[id] as unknown as AnyHandler;
      const handled = await handler({ ...admitted, body, signal }, context);
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
      return answerTo(operation.action, error, log);
    }
  };
}

/** Handlers as dispatch sees them: which input goes with which id is the table's business. */
type AnyHandler = (
  call: Checked & Pick<Call, 'body' | 'signal'>,
  context: Context,
) => AnyHandled | Promise<AnyHandled>;

type AnyHandled = Handled<unknown> | HandledArrays<ArraysId>;

type Checked = ReturnType<typeof admit>;

/** Runs every check of an operation; throws a Refusal at the first that fails. */
export function admit<Id extends OperationId>(
  { metadata }: Pick<Context, 'metadata'>,
  id: Id,
  authenticate: () => Principal,
  input: unknown,
): Omit<Admitted<Id>, 'body' | 'signal'> {
  const operation = operationOf(id);
  const principal = authenticate();
  const checked = validate(operation.input, input);
  if (!checked.ok) throw badRequest(checked.message);
  const found = find(metadata.state, pathParameters(operation.path, checked.value as PathParameters));
  authorize(principal, operation, found);
  return { ...found, input: checked.value, principal } as unknown as Omit<Admitted<Id>, 'body' | 'signal'>;
}

/** The parameters of each path that was asked for. */
const namesOf = new Map<string, readonly (keyof PathParameters)[]>();

/** Only what the path names is looked for: a body may carry an id of its own that the handler checks. */
function pathParameters(path: string, input: PathParameters): PathParameters {
  let names = namesOf.get(path);
  if (names === undefined) {
    names = parametersOf(path) as (keyof PathParameters)[];
    namesOf.set(path, names);
  }
  const found: PathParameters = {};
  for (const name of names) found[name] = input[name];
  return found;
}

/** The answer to anything thrown. What nobody expected becomes a 500 with an id that the log has. */
export function answerTo(action: string, error: unknown, log: Logger): Answer {
  if (error instanceof Refusal) return { envelope: failed(action, error.status, error.message) };
  // It was deleted in the middle of the call.
  if (error instanceof StoreError && error.code === 'retired')
    return answerTo(action, notFound('Device'), log);
  const id = randomUUID();
  log.error(`${action} failed (${id})`, error);
  const known = error instanceof StoreError || error instanceof ThreadError || error instanceof VaultError;
  const message = known
    ? `${error.message} (error ${id})`
    : `The service failed; its log has more (error ${id}).`;
  return { envelope: failed(action, 500, message) };
}
