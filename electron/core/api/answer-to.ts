import { failed } from '#shared/schema/envelope.ts';
import { InDoubtError, notFound, Refusal, StoreError, ThreadError, VaultError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { systemRandom } from '../base/system-random.ts';
import { perObject } from '../store/metadata/per-object.ts';
import type { Answer } from './call.ts';
import { Outages } from './outages.ts';

/** The outages of the service that a log is of. */
const outagesOf = perObject((log: Logger) => new Outages(log, () => systemRandom.uuid()));

/**
 * Returns the answer to anything thrown. An unexpected error becomes a 500 with an id that the log has; a database that does not
 * answer a 503 where the statuses of `/v2` do not hold (docs/api.md, "Statuses").
 */
export function answerTo(
  action: string,
  error: unknown,
  log: Logger,
  { isV2 = true }: { readonly isV2?: boolean } = {},
): Answer {
  if (error instanceof Refusal) return { envelope: failed(action, error.status, error.message) };
  // It was deleted in the middle of the call.
  if (error instanceof StoreError && error.code === 'retired')
    return { envelope: failed(action, 404, notFound('Device').message) };
  if (error instanceof ThreadError && error.code === 'memory')
    return { envelope: failed(action, 413, error.message) };
  const isAway = isUnreachable(error) || (error instanceof VaultError && isUnreachable(error.cause));
  // What may be stored is not to be sent again without a look.
  const isLater = isAway && !(error instanceof InDoubtError);
  const id = isAway ? outagesOf(log).idOf(action, error as Error) : systemRandom.uuid();
  if (!isAway) log.error(`${action} failed (${id})`, error);
  return { envelope: failed(action, isLater && !isV2 ? 503 : 500, `${toldOf(error)} (error ${id})`) };
}

const isUnreachable = (error: unknown) => error instanceof StoreError && error.code === 'unreachable';

/** Returns the message for a caller: no path, and no words of the system or of a library. */
function toldOf(error: unknown): string {
  // Its own message is for a start, and says what the system said.
  if (error instanceof VaultError && error.code === 'no-keychain')
    return 'The OS keychain does not answer any more; the log of the service has more.';
  const isForeseen = [StoreError, ThreadError, VaultError].some((kind) => error instanceof kind);
  return isForeseen && error instanceof Error ? error.message : 'The service failed; its log has more';
}
