import { errorCode } from '../../../disk/errors.ts';
import { InDoubtError, StartError, StoreError, type StoreErrorCode } from '../../../base/errors.ts';

const WRONG_PASSWORD = '28P01';

/** The connection was lost, or was never made: nothing is known of what was asked last. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** A login failed that went well before: the password is being changed, and the next try may go well again. */
class LoginLost extends Lost {
  /** `why`: a sentence for people. */
  constructor(why: string, cause: unknown) {
    super(why, { cause });
  }
}

/** Meanings of PostgreSQL's codes (https://www.postgresql.org/docs/current/errcodes-appendix.html) to a user. */
const MEANINGS: ReadonlyMap<string, readonly [StoreErrorCode, (name: string) => string]> = new Map([
  ['53100', ['disk-full', full]],
  ['25006', ['read-only', isReplica]],
  ['42501', ['read-only', refused]],
  [WRONG_PASSWORD, ['unreachable', wrongPassword]],
  ['28000', ['unreachable', wrongPassword]],
  ['3D000', ['unreachable', missing]],
  ['53300', ['unreachable', tooMany]],
  ['57014', ['unreachable', tooLong]],
  ['55P03', ['unreachable', tooLong]],
  ['58030', ['io', failing]],
  ['XX001', ['damaged', damaged]],
  ['XX002', ['damaged', damaged]],
]);

/** Codes of a server that stops, is gone, or has not come up yet. */
const GOING = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);
/**
 * Citus has no code for a node of its own that went: it is an internal error, or one of the disk, from one of these files
 * (https://github.com/citusdata/citus, src/backend/distributed).
 */
const NODE_CODES = new Set(['XX000', '58030']);
const NODE_FILES = new Set([
  'adaptive_executor.c',
  'connection_management.c',
  'multi_copy.c',
  'placement_connection.c',
  'remote_commands.c',
  'remote_transaction.c',
]);
/** Codes of conflicts with another transaction: a retry may succeed. */
const AGAIN = new Set(['40001', '40P01']);
/**
 * Tables whose keys are given out under the lock of a row, so that nobody else has the same: but the lock stays on the node that
 * a lane has moved from. Citus names a part of a table and its key by a number behind their names, and of an error of a node
 * passes on the message alone.
 */
const UNDER_LOCK = /\btail_pkey(_\d+)?\b/;
const IS_THERE = '23505';
const LOCK_TIMEOUT = '55P03';

/** A row is not what it was when it was locked: its lane moved to another node meanwhile, where nobody held it. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}
const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Whether it is no answer of the server to what it was asked, so that nothing is known of that. */
export function isLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state === null) return error instanceof Lost;
  return state.startsWith('08') || GOING.has(state) || isNodeGone(state, error);
}

const isNodeGone = (state: string, error: unknown) =>
  NODE_CODES.has(state) && NODE_FILES.has((error as { readonly file?: string }).file ?? '');

/** Whether the same transaction may succeed when it is begun again. */
export function isContention(error: unknown): boolean {
  if (error instanceof LockLost) return true;
  const state = sqlState(error);
  if (state === IS_THERE) return UNDER_LOCK.test((error as Error).message);
  return state !== null && AGAIN.has(state);
}

/** Whether a statement waited for a lock for longer than it was to (`lock_timeout`), as the server or as a StoreError says it. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error instanceof StoreError ? error.cause : error) === LOCK_TIMEOUT;
}

/** Returns the code that the server gave, such as "23505"; null for what no server said. */
export function sqlState(error: unknown): string | null {
  const code = errorCode(error);
  return code !== undefined && SQL_STATE.test(code) && 'severity' in (error as object) ? code : null;
}

/**
 * Returns the StoreError for a failure of a database; `name` is the database's, for people. A failure without a meaning for
 * them is a bug, and is returned as it is.
 */
export function databaseError(error: unknown, name: string): unknown {
  if (error instanceof StoreError) return error;
  if (error instanceof LoginLost) return new StoreError('unreachable', error.message, { cause: error });
  const meaning = isLost(error) ? null : MEANINGS.get(sqlState(error) ?? '');
  if (meaning) return new StoreError(meaning[0], meaning[1](name), { cause: error });
  if (!isLost(error)) return error;
  return new StoreError(
    'unreachable',
    `The database ${name} does not answer. Nothing stored before is lost; try again when it does.`,
    { cause: error },
  );
}

/** A database that asks for a password where none was given, or an empty one. */
export const noPassword = (name: string, cause: unknown) =>
  new StoreError(
    'unreachable',
    `The database ${name} asks for a password, and none was given. Set FIELDBENCH_STORE_PASSWORD to that of its user, or name a file that has it with --store-password-file.`,
    { cause },
  );

/** Returns the error for a failed login of somebody who was let in before; any other failure as it is. */
export function asLoginLost(error: unknown, name: string): unknown {
  if (error instanceof StartError) return new LoginLost(error.message, error);
  return sqlState(error) === WRONG_PASSWORD ? new LoginLost(wrongPassword(name), error) : error;
}

/** A database whose hosts take no changes. */
export const replica = (name: string) => new StoreError('read-only', isReplica(name));

/** A database that was lost between a change and its answer, and did not come back in time to be asked. */
export function stillInDoubt(name: string, cause?: unknown): InDoubtError {
  return new InDoubtError(
    'unreachable',
    `The database ${name} was lost while it stored, and does not say whether it did. ` +
      'Look when it answers again; what is sent again with the same Idempotency-Key is stored once.',
    { cause },
  );
}

/** Returns the error for a database without a trusted TLS connection. */
export const untrusted = (name: string, why: string, cause: unknown) =>
  new StoreError(
    'unreachable',
    `The database ${name} could not be reached over TLS: ${why}. ` +
      "Let it have a certificate for its name (ssl = on), and name who signed it with ?sslrootcert=FILE; in a network that is nobody else's, ?sslmode=disable leaves TLS away.",
    { cause },
  );

/** The database was let go. */
export const letGo = (name: string) => new StoreError('closed', `The database ${name} was closed.`);

function full(name: string): string {
  return `The disk of the database ${name} is full: nothing was stored. Nothing stored before is lost. Free some space there and try again.`;
}

function isReplica(name: string): string {
  return `The database ${name} takes no changes: it is a read-only replica. Name the primary in --store, or all of them, separated by commas.`;
}

function refused(name: string): string {
  return `The database ${name} refused its user: nothing was stored. Make that user the owner of the database.`;
}

function wrongPassword(name: string): string {
  return `The database ${name} refused the user or the password. Let FIELDBENCH_STORE_PASSWORD, or the file of --store-password-file, be that user's password.`;
}

function missing(name: string): string {
  return `There is no database ${name}. Create it, or name another one in --store.`;
}

function tooMany(name: string): string {
  return `The database ${name} has no connection left. Raise its max_connections, or run fewer services.`;
}

function tooLong(name: string): string {
  return `The database ${name} took too long and was stopped: nothing was changed. Try again.`;
}

function failing(name: string): string {
  return `The disk of the database ${name} failed: nothing was stored. Check that disk.`;
}

function damaged(name: string): string {
  return `The database ${name} found damage in what it stores. Restore it from a backup, or from its standby.`;
}
