import type { VaultKind, VaultSetting } from '#shared/operations/service.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { VaultError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { PLACES } from './about.ts';
import { openEncryptedFile } from './encrypted-file.ts';
import { createKeychainVault } from './keychain-vault.ts';
import { openKeychain, type Keychain, type KeychainOptions } from './keychain.ts';
import { recordKind, usedKind } from './kind-record.ts';
import { createMemoryVault } from './memory.ts';
import type { OpenedVault, Vault } from './vault.ts';

export interface VaultOptions {
  /** What `--vault` says. */
  readonly kind: VaultSetting;
  /** The data folder. */
  readonly directory: string;
  /** Whether the data folder held nothing before this start. */
  readonly isNew: boolean;
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
  readonly keychain?: (options: KeychainOptions) => Promise<Keychain>;
}

/** How many ms a keychain has to answer that nobody relies on yet. */
const TRIAL_MS = 10_000;

/**
 * Opens the vault that `--vault` names, or for "auto" the one this data folder uses; a new one gets the keychain or, where
 * none answers, the file (docs/api.md, "Where secrets are kept"). Writes down which it is. Throws VaultError, whose message
 * says what to install, unlock or set; StartError.
 */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
  const { kind } = options;
  const place = { directory: options.directory, files: options.files ?? nodeFiles };
  // A start that is told the kind needs no record, and mends one that is damaged.
  const used = await usedKind(place, kind === 'auto');
  const opened = await (kind === 'auto'
    ? choose(options, used)
    : open(options, kind, `--vault ${kind} says so`));
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
  return { ...opened, notes: [...opened.notes, ...left] };
}

async function choose(options: VaultOptions, used: VaultKind | null): Promise<OpenedVault> {
  if (used === 'file' || used === 'keychain')
    return open(options, used, 'this data directory already keeps its secrets there');
  try {
    return await open({ ...options, patienceMs: TRIAL_MS }, 'keychain', 'this system has one that answers');
  } catch (error) {
    const mayBeInUse = used === null && !options.isNew;
    if (!(error instanceof VaultError) || !isAbsence(error, mayBeInUse)) throw error;
    const opened = await open(options, 'file', absenceOf(error));
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

const leftNote = (before: VaultKind, now: VaultKind) =>
  `Secrets are kept ${PLACES[now]} from this start on; before, they were ${PLACES[before]}, and stay there. Tokens that ` +
  `are only there read as empty: devices store as before, and new tokens can be issued. "--vault ${before}" goes back.`;

async function open(options: VaultOptions, kind: VaultKind, reason: string): Promise<OpenedVault> {
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

const told = (vault: Vault, reason: string, warning: string | null): OpenedVault => ({
  vault,
  reason,
  warning,
  notes: [],
});
