import { VaultError } from '../base/errors.ts';
import { errorCode } from '../disk/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { Serial } from '../turns/serial.ts';
import { endAtOnce } from './end-at-once.ts';

/** The operating system's keychain: secrets by service and account. */
export interface Keychain {
  get(service: string, account: string): Promise<string | null>;
  set(service: string, account: string, secret: string): Promise<void>;
  /** Deletes a secret; none to delete is fine. */
  delete(service: string, account: string): Promise<void>;
}

/**
 * The functions of keytar in use. findCredentials is none: with a locked keyring it ends the process (keytar 7.9.0 reads a
 * null secret).
 */
export type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

/** An entry that is always there, to tell "not kept" from "locked": a locked Secret Service finds nothing, in silence. */
const PROBE = ['Fieldbench', 'keychain check'] as const;

export interface KeychainOptions {
  readonly load?: () => Promise<Keytar>;
  /** How many ms a call may take. */
  readonly timeoutMs?: number;
  /** The same for the first one, which may ask a person to unlock the keychain. */
  readonly patienceMs?: number;
  /** Called once where that one takes long. */
  readonly waiting?: () => void;
  /** Ends the wait for the first one; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** After so many ms of a call somebody may wonder what is going on, or have the service end. */
const WONDER_MS = 2000;

/**
 * Opens the keychain of the user's session: Keychain on macOS, Credential Manager on Windows, the Secret Service
 * (gnome-keyring, KWallet) on Linux. Throws VaultError `no-keychain` or `locked`, or the signal's reason; its methods throw `locked`, `no-keychain`
 * and `io` too.
 */
export async function openKeychain({
  load = () => loadKeytar(),
  timeoutMs = 10_000,
  patienceMs = timeoutMs,
  waiting,
  signal,
}: KeychainOptions = {}): Promise<Keychain> {
  let keytar: Keytar;
  try {
    keytar = await load();
  } catch (cause) {
    throw noKeychain(cause);
  }
  const inTurn = boundedCalls();

  /** Rejects where the keychain is locked. */
  async function probe(): Promise<void> {
    if ((await keytar.getPassword(...PROBE)) === null) await keytar.setPassword(...PROBE, 'here');
  }

  const wondering = waiting && machineClock.after(WONDER_MS, waiting);
  try {
    await inTurn(probe, patienceMs, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof VaultError && error.code === 'locked' ? error : noKeychain(causeOf(error));
  } finally {
    clearTimeout(wondering);
  }
  return {
    get: (service, account) =>
      inTurn(async () => {
        const secret = await keytar.getPassword(service, account);
        if (secret === null) await probe();
        return secret;
      }, timeoutMs),
    set: (service, account, secret) => inTurn(() => keytar.setPassword(service, account, secret), timeoutMs),
    delete: (service, account) =>
      inTurn(async () => {
        if (!(await keytar.deletePassword(service, account))) await probe();
      }, timeoutMs),
  };
}

/** Loaded only when asked for: where libsecret is missing keytar cannot load, and the other vaults still work. */
export async function loadKeytar(importing = () => import('keytar')): Promise<Keytar> {
  const module = await importing().catch((error: unknown) => {
    throw isMissing(error) ? new Error('keytar, which talks to it, was not built', { cause: error }) : error;
  });
  // keytar is CommonJS: bundlers and Node differ in whether its functions are named exports.
  return 'default' in module ? module.default : module;
}

/** Node's own words name the file that asked for it, which says nothing to anybody. */
const isMissing = (error: unknown) => /^(ERR_)?MODULE_NOT_FOUND$/.test(errorCode(error) ?? '');

/**
 * Runs calls one at a time and bounds each. A locked keyring waits for its user without end, and each waiting call
 * holds one of the four threads that file operations need too: so while one is overdue, further calls are refused.
 */
function boundedCalls() {
  const serial = new Serial();
  let overdue = false;

  async function bounded<T>(call: () => Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
    if (overdue) throw lockedKeychain();
    signal?.throwIfAborted();
    const answer = call();
    const timeout = Promise.withResolvers<never>();
    const leaveBehind = () => {
      const takeBack = endAtOnce();
      answer.then(takeBack, takeBack);
    };
    const slow = machineClock.after(Math.min(WONDER_MS, timeoutMs), leaveBehind);
    const stop = () => {
      leaveBehind();
      timeout.reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop);
    const timer = machineClock.after(timeoutMs, () => {
      overdue = true;
      const over = () => (overdue = false);
      answer.then(over, over);
      timeout.reject(lockedKeychain());
    });
    try {
      return await Promise.race([answer, timeout.promise]);
    } catch (error) {
      throw error instanceof VaultError ? error : keychainError(error);
    } finally {
      clearTimeout(slow);
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  return <T>(call: () => Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> =>
    serial.run(() => bounded(call, timeoutMs, signal));
}

/** Returns the VaultError of a keychain's failure, whose own words stay in the cause, hidden from callers. */
function keychainError(cause: unknown): VaultError {
  const reason = reasonOf(cause);
  if (/locked|dismissed|cancell?ed|interaction is not allowed|secrets\/collection/i.test(reason))
    return lockedKeychain(cause);
  if (/d-?bus|org\.freedesktop\.secrets|autolaunch|not provided by any/i.test(reason))
    return new VaultError(
      'no-keychain',
      'The OS keychain is gone. Sign in to the desktop session again, or start with "--vault file".',
      { cause },
    );
  return new VaultError('io', 'The OS keychain refused; the log has its reason. Try again.', { cause });
}

function lockedKeychain(cause?: unknown): VaultError {
  return new VaultError(
    'locked',
    'The OS keychain is locked, did not answer, or none was made yet. Unlock it (a prompt may be waiting on the desktop) ' +
      `and try again, or ${withoutKeychain}.`,
    { cause },
  );
}

/** For who starts the service: with the system's reason. */
function noKeychain(cause: unknown): VaultError {
  const install =
    process.platform === 'linux'
      ? 'Install libsecret and a keyring (Debian, Ubuntu: "apt install libsecret-1-0 gnome-keyring"; KDE has KWallet) ' +
        `and start from a desktop session, or ${withoutKeychain}.`
      : `Sign in to a desktop session, or ${withoutKeychain}.`;
  return new VaultError(
    'no-keychain',
    `There is no OS keychain to keep secrets in (${reasonOf(cause)}). ${install}`,
    { cause },
  );
}

const withoutKeychain =
  'start with "--vault file": devices store as before, tokens that only the keychain has read as empty, and new ones can ' +
  'be issued';

const causeOf = (error: unknown) => (error instanceof VaultError ? error.cause : error);
const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
