import { VaultError } from '../errors.ts';

/** The operating system's keychain: secrets by service and account. */
export interface Keychain {
  get(service: string, account: string): Promise<string | null>;
  set(service: string, account: string, secret: string): Promise<void>;
  /** Nothing to delete is fine. */
  delete(service: string, account: string): Promise<void>;
}

/** Not findCredentials: with a keyring that stays locked it ends the process (keytar 7.9.0 reads a null secret). */
export type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

/** An entry that is always there, to tell "not kept" from "locked": a locked Secret Service finds nothing, in silence. */
const PROBE = ['Fieldbench', 'keychain check'] as const;

/**
 * Opens the keychain of the user's session: Keychain on macOS, Credential Manager on Windows, the Secret Service
 * (gnome-keyring, KWallet) on Linux. Throws VaultError `no-keychain` or `locked`; its methods throw `locked` and `io` too.
 */
export async function openKeychain({
  load = loadKeytar,
  timeoutMs = 10_000,
}: { readonly load?: () => Promise<Keytar>; readonly timeoutMs?: number } = {}): Promise<Keychain> {
  let keytar: Keytar;
  try {
    keytar = await load();
  } catch (cause) {
    throw noKeychain(cause);
  }
  const inTurn = createTurns(timeoutMs);

  /** Rejects where the keychain is locked. */
  async function probe(): Promise<void> {
    if ((await keytar.getPassword(...PROBE)) === null) await keytar.setPassword(...PROBE, 'here');
  }

  try {
    await inTurn(probe);
  } catch (error) {
    throw error instanceof VaultError && error.code === 'io' ? noKeychain(error.cause) : error;
  }
  return {
    get: (service, account) =>
      inTurn(async () => {
        const secret = await keytar.getPassword(service, account);
        if (secret === null) await probe();
        return secret;
      }),
    set: (service, account, secret) => inTurn(() => keytar.setPassword(service, account, secret)),
    delete: (service, account) =>
      inTurn(async () => {
        if (!(await keytar.deletePassword(service, account))) await probe();
      }),
  };
}

/** Loaded only when asked for: where libsecret is missing keytar cannot load, and the other vaults still work. */
async function loadKeytar(): Promise<Keytar> {
  const module = await import('keytar');
  // keytar is CommonJS: bundlers and Node differ in whether its functions are named exports.
  return 'default' in module ? module.default : module;
}

/**
 * Runs calls one at a time and bounds each. A locked keyring waits for its user without end, and each waiting call
 * holds one of the four threads that file operations need too: so while one is overdue, further calls are refused.
 */
function createTurns(timeoutMs: number) {
  let last: Promise<unknown> = Promise.resolve();
  let overdue = false;

  async function bounded<T>(call: () => Promise<T>): Promise<T> {
    if (overdue) throw lockedKeychain();
    const answer = call();
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      overdue = true;
      const over = () => (overdue = false);
      answer.then(over, over);
      timeout.reject(lockedKeychain());
    }, timeoutMs);
    try {
      return await Promise.race([answer, timeout.promise]);
    } catch (error) {
      throw error instanceof VaultError ? error : keychainError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return <T>(call: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => bounded(call));
    last = turn.catch(() => {
      // Whoever asked for it hears of the failure; the next one has its turn all the same.
    });
    return turn;
  };
}

function keychainError(cause: unknown): VaultError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/locked|dismissed|cancell?ed|interaction is not allowed|secrets\/collection/i.test(reason))
    return lockedKeychain(cause);
  if (/d-?bus|org\.freedesktop\.secrets|autolaunch|not provided by any/i.test(reason))
    return noKeychain(cause);
  return new VaultError('io', 'The OS keychain refused.', { cause });
}

function lockedKeychain(cause?: unknown): VaultError {
  return new VaultError(
    'locked',
    'The OS keychain is locked, or none was made yet. Unlock it (a prompt may be waiting on the desktop) and try again, ' +
      `or ${fileVault}.`,
    { cause },
  );
}

function noKeychain(cause: unknown): VaultError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const install =
    process.platform === 'linux'
      ? 'Install libsecret and a keyring (Debian, Ubuntu: "apt install libsecret-1-0 gnome-keyring"; KDE has KWallet) ' +
        `and start from a desktop session, or ${fileVault}.`
      : `Sign in to a desktop session, or ${fileVault}.`;
  return new VaultError('no-keychain', `There is no OS keychain to keep secrets in (${reason}). ${install}`, {
    cause,
  });
}

const fileVault = 'set FIELDBENCH_PASSPHRASE and start with "--vault file"';
