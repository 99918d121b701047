import type { FolderVaultKind, VaultSetting } from '#shared/operations/service/service.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { VaultError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { PLACES } from './about.ts';
import { checkEncryptedFile, openEncryptedFile, type FileVault } from './encrypted-file.ts';
import { createKeychainVault } from './keychain-vault.ts';
import { openKeychain, type Keychain, type KeychainOptions } from './keychain.ts';
import { readKind, recordKind, usedKind, type KindRecord } from './kind-record.ts';
import { createMemoryVault } from './memory.ts';
import { removeFileVault, removeSecrets } from './remove-secrets.ts';
import type { FolderVault, OpenedVault, SecretRef, Vault } from './vault.ts';

export interface VaultOptions {
  /** Setting of `--vault`. */
  readonly kind: VaultSetting;
  /** The flag that says so, where it is another one. */
  readonly saidBy?: string;
  /** The data folder. */
  readonly directory: string;
  /** Whether the data folder held nothing before this start. */
  readonly isNew: boolean;
  /** Whether the data folder goes from machine to machine with its program. */
  readonly isPortable: boolean;
  /** From FIELDBENCH_PASSPHRASE; for the file vault alone. */
  readonly passphrase: string | null;
  /** `settings.installation_id` of the metadata. */
  readonly installationId: string;
  /** How many ms a keychain that the data folder uses may take to answer at the start, such as for a person to unlock it. */
  readonly patienceMs: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Ends the wait for a keychain; its reason is thrown. */
  readonly signal?: AbortSignal;
  readonly files?: Files;
  /** Opens the keychain of the user's session. */
  readonly keychain?: ((options: KeychainOptions) => Promise<Keychain>) | undefined;
}

/** ms that a keychain has to answer which is not in use yet. */
const TRIAL_MS = 10_000;

/**
 * Opens the vault that `--vault` names, or for "auto" the one this data folder uses; a new one gets the keychain or, where
 * none answers or the program is portable, the file (docs/running.md, "Where secrets are kept"). Writes down which it is. Throws VaultError, whose message
 * says what to install, unlock or set; StartError.
 */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
  const { kind } = options;
  const place = { directory: options.directory, files: options.files ?? nodeFiles };
  // A start that is told the kind needs no record, and mends one that is damaged.
  const record = await readKind(place, kind === 'auto');
  const used = record?.kind ?? null;
  const opened = await (kind === 'auto'
    ? choose(options, used)
    : openKind(options, kind, `${flagOf(options)} says so`));
  const { vault } = opened;
  // Memory takes nothing over from where secrets are already, so that a later start finds them there.
  if (vault.kind !== used && (vault.kind !== 'memory' || used === null)) {
    try {
      await recordKind(place, vault.kind);
    } catch (error) {
      await vault.close();
      throw error;
    }
  }
  const left = used !== null && used !== 'memory' && used !== vault.kind ? [leftNote(used, vault.kind)] : [];
  const cutOff = record?.kind === vault.kind ? await finishMove(options, record, vault) : [];
  return { ...opened, notes: [...opened.notes, ...left, ...cutOff] };
}

/** The flag by which the start says where secrets are kept. */
export const flagOf = ({ kind, saidBy = `--vault ${kind}` }: Pick<VaultOptions, 'kind' | 'saidBy'>) => saidBy;

/**
 * Reads what of the file vault opens without a key, where this start uses it: one that cannot be opened is refused before
 * anything is changed. Throws VaultError `damaged`, `io`.
 */
export async function checkVault({
  kind,
  directory,
  files = nodeFiles,
}: Pick<VaultOptions, 'kind' | 'directory' | 'files'>): Promise<void> {
  const place = { directory, files };
  const used = kind === 'auto' ? await usedKind(place, true) : kind;
  if (used === 'file') await checkEncryptedFile(place);
}

/** Removes the copies of secrets that a move left which was cut off. Resolves with what is to be said of it. */
async function finishMove(
  options: VaultOptions,
  { kind, removeFrom }: KindRecord,
  vault: FolderVault,
): Promise<readonly string[]> {
  if (removeFrom === null || removeFrom === kind) return [];
  const place = { directory: options.directory, files: options.files ?? nodeFiles };
  try {
    await removeCopies(options, removeFrom, isFileVault(vault) ? vault.refs() : []);
    await recordKind(place, kind);
    return [`A move of the secrets was cut off. They are ${PLACES[kind]}; copies elsewhere were removed.`];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `A move of the secrets was cut off. They are ${PLACES[kind]}. Copies may be left ${PLACES[removeFrom]}, and could ` +
        `not be removed: ${reason} The next start tries again.`,
    ];
  }
}

/** Removes secrets from a closed vault. Throws VaultError; also Node's errors. */
export async function removeCopies(
  options: VaultOptions,
  from: 'keychain' | 'file',
  refs: readonly SecretRef[],
): Promise<void> {
  const { directory, files = nodeFiles, keychain = openKeychain, installationId } = options;
  if (from === 'file') return removeFileVault({ directory, files });
  const opened = createKeychainVault(await keychain({ patienceMs: TRIAL_MS }), installationId);
  await removeSecrets(opened, refs);
  await opened.close();
}

export const isFileVault = (vault: Vault): vault is FileVault => vault.kind === 'file';

async function choose(options: VaultOptions, used: FolderVaultKind | null): Promise<OpenedVault> {
  if (used === 'file' || used === 'keychain')
    return openKind(options, used, 'this data directory already keeps its secrets there');
  if (options.isPortable)
    return openKind(options, 'file', 'a keychain stays with its machine, and this program does not');
  try {
    return await openKind(
      { ...options, patienceMs: TRIAL_MS },
      'keychain',
      'this system has one that answers',
    );
  } catch (error) {
    const mayBeInUse = used === null && !options.isNew;
    if (!(error instanceof VaultError) || !isAbsence(error, mayBeInUse)) throw error;
    const opened = await openKind(options, 'file', absenceOf(error));
    return mayBeInUse ? { ...opened, notes: [...opened.notes, EARLIER_KEYCHAIN] } : opened;
  }
}

/** Whether the file may take the keychain's place: not where it is there, locked, and may hold what was kept before. */
const isAbsence = ({ code }: VaultError, mayBeInUse: boolean) =>
  code === 'no-keychain' || (code === 'locked' && !mayBeInUse);

function absenceOf({ code, cause }: VaultError): string {
  if (code === 'locked') return 'the system’s keychain is locked, or did not answer';
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return `this system has no keychain that answers (${reason})`;
}

const EARLIER_KEYCHAIN =
  'Secrets are kept in the data directory from now on. Where a keychain held them before, tokens read as empty: devices ' +
  'store as before, and new tokens can be issued. "--vault keychain" goes back to it.';

const leftNote = (before: FolderVaultKind, now: FolderVaultKind) =>
  `Secrets are kept ${PLACES[now]} from this start on; before, they were ${PLACES[before]}, and stay there. Tokens that ` +
  `are only there read as empty: devices store as before, and new tokens can be issued. "--vault ${before}" goes back.`;

/** Opens a vault of a kind. Throws as `openVault` does. */
export async function openKind(
  options: VaultOptions,
  kind: FolderVaultKind,
  reason: string,
): Promise<OpenedVault> {
  switch (kind) {
    case 'keychain': {
      const { keychain = openKeychain, patienceMs, log, signal } = options;
      const opened = await keychain({
        patienceMs,
        ...(signal && { signal }),
        waiting: () =>
          log.warn('The keychain has not answered yet: a prompt to unlock it may wait on the desktop.'),
      });
      return told(createKeychainVault(opened, options.installationId), reason, null);
    }
    case 'file': {
      const vault = await openEncryptedFile(options);
      return told(vault, reason, vault.openedBy === 'key-file' ? OPEN_TO_READERS : null);
    }
    case 'memory':
      return told(createMemoryVault(), reason, 'Keys and tokens are gone when the service stops.');
  }
}

const OPEN_TO_READERS =
  'Whoever can read the data directory can read its secrets: what opens them, vault.key, lies beside them. To lock them ' +
  'with a passphrase, set FIELDBENCH_PASSPHRASE and start again.';

const told = (vault: FolderVault, reason: string, warning: string | null): OpenedVault => ({
  vault,
  reason,
  warning,
  notes: [],
});
