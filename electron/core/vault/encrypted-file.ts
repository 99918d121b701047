import { changeError, errorCode } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { StoreError, VaultError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { coalesce } from './coalesce.ts';
import { FileVaultState } from './file-vault-state.ts';
import { entryOf, nameOf, type Change } from './secret-map.ts';
import type { Vault } from './vault.ts';

export interface EncryptedFileOptions {
  /** The data folder, which is there. */
  readonly directory: string;
  /** From FIELDBENCH_PASSPHRASE; without one the key is in vault.key. */
  readonly passphrase: string | null;
  /** Hears of what could not be tidied up. */
  readonly log: Pick<Logger, 'warn'>;
  /** scrypt's N for a new lock; one that is there keeps its own. */
  readonly cost?: number;
  readonly files?: Files;
}

/** A vault in files, and what opens them. */
export interface FileVault extends Vault {
  readonly openedBy: 'passphrase' | 'key-file';
}

/**
 * Opens the vault that is in files of the data folder (docs/storage-format.md, "The file vault"); makes it where there is
 * none. One made with vault.key is locked with the passphrase from the first start on that has one. Throws VaultError:
 * `no-passphrase`, `wrong-passphrase`, `damaged`, `io`.
 */
export async function openEncryptedFile(options: EncryptedFileOptions): Promise<FileVault> {
  const { directory, passphrase, log, cost, files = nodeFiles } = options;
  let state: FileVaultState;
  try {
    state = await FileVaultState.open({ directory, files }, { passphrase, log, cost });
  } catch (error) {
    throw startFailure(error, directory);
  }

  let closed = false;
  const writes = coalesce<Change>(async (changes) => {
    if (closed) throw new VaultError('io', 'The vault is closed: the service is stopping.');
    try {
      await state.write(changes.map(entryOf));
    } catch (error) {
      throw new VaultError('io', `The vault could not be written. ${changeError(error).message}`, {
        cause: error,
      });
    }
  });
  return {
    kind: 'file',
    openedBy: state.openedBy,
    get: (ref) => Promise.resolve(state.get(nameOf(ref))),
    set: (ref, secret) => writes.add({ ref, secret }),
    delete: (ref) => writes.add({ ref, secret: null }),
    deleteProject: (project_id) => writes.add({ allTokensOf: project_id }),
    async close() {
      await writes.settled();
      if (closed) return;
      closed = true;
      await state.close();
    },
  };
}

/** What a failed file operation means to who started the service; anything but that stays what it is. */
function startFailure(error: unknown, directory: string): unknown {
  const code = errorCode(error instanceof StoreError ? error.cause : error);
  // Not what Node or a library refuses (ERR_…): that is a bug.
  if (error instanceof VaultError || code === undefined || code.startsWith('ERR_')) return error;
  const reason =
    error instanceof StoreError
      ? error.message
      : 'Give this user the right to read and write its files, and check the disk.';
  return new VaultError('io', `The vault in ${directory} cannot be opened (${code}). ${reason}`, {
    cause: error,
  });
}
