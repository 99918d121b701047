import type { Status } from '#shared/schema/envelope.ts';

/** A request the service refuses on purpose: an envelope with this status and message. Anything else thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Exclude<Status, 200 | 201 | 206>;

  constructor(status: Exclude<Status, 200 | 201 | 206>, message: string) {
    super(message);
    this.status = status;
  }
}

export const badRequest = (message: string) => new Refusal(400, message);
export const unauthorized = (message: string) => new Refusal(401, message);
export const forbidden = (message: string) => new Refusal(403, message);
export const notFound = (what: string) => new Refusal(404, `${what} not found.`);

/**
 * Foreseen failure outside the request. Callers may read `message`: it holds no path and no words of the system or of a
 * library, which are in the cause and go to the log. A StartError, and what is thrown while the vault is opened, are for the
 * person at the machine.
 */
class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type StoreErrorCode =
  | 'disk-full'
  | 'read-only'
  | 'io'
  | 'poisoned'
  | 'damaged'
  | 'newer-format'
  | 'unreachable'
  | 'retired'
  | 'closed';

/**
 * The data could not be stored or read: a full disk, a read-only folder, a failing disk, a server that does not answer
 * (`unreachable`), a device that is being deleted (`retired`). The message says what to do.
 */
export class StoreError extends CodedError<StoreErrorCode> {
  override readonly name = 'StoreError';
}

/** In-doubt change: it may be stored, and sent again it may be stored twice. */
export class InDoubtError extends StoreError {}

/** `memory`: it took more than a thread may have; the same again would, too. */
export type ThreadErrorCode = 'ended' | 'memory' | 'closed';

/** A worker thread ended before its work was done; nothing of that work was kept. */
export class ThreadError extends CodedError<ThreadErrorCode> {
  override readonly name = 'ThreadError';
}

export type VaultErrorCode =
  | 'no-keychain'
  | 'locked'
  | 'wrong-passphrase'
  | 'no-passphrase'
  | 'damaged'
  | 'io';

/** The vault cannot keep secrets; the message names what to install or set, and the `--vault file` way. */
export class VaultError extends CodedError<VaultErrorCode> {
  override readonly name = 'VaultError';
}

export type StartErrorCode =
  | 'locked'
  | 'port-busy'
  | 'metadata-damaged'
  | 'metadata-newer'
  | 'metadata-unreadable'
  | 'unsupported-format'
  | 'read-only'
  | 'bad-flag'
  | 'disk-full'
  | 'stopped';

/** The service cannot start, or (`stopped`) was to stop before it had; the message is one or two lines for the person who started it. */
export class StartError extends CodedError<StartErrorCode> {
  override readonly name = 'StartError';
}

/** The reason of a signal that ends a start. */
export const stoppedInStart = () => new StartError('stopped', 'The service was stopped before it was ready.');

/** A running service cannot be asked; the message says why and what to do. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** A command line that cannot be run; the message says what was wrong and what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Expected errors of a start, whose message says all. */
const EXPECTED = [UsageError, UnreachableError, StartError, VaultError, StoreError];

/**
 * Returns the text of a failed start, for people: with the system's own words where the message leaves them out, with the
 * stack for an unexpected error alone.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!EXPECTED.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  const { cause, message } = error;
  if (!(cause instanceof Error && (error instanceof StoreError || error instanceof VaultError)))
    return message;
  const words = deepest(cause);
  return message.includes(words) ? message : `${message}\n(${words})`;
}

/** Returns the message of the first cause. */
function deepest(error: Error): string {
  return error.cause instanceof Error ? deepest(error.cause) : error.message;
}
