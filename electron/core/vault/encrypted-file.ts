import { changeError, errorCode } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { StoreError, VaultError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { coalesce } from '../turns/coalesce.ts';
import { FileVaultState } from './file-vault-state.ts';
import { vaultPath, type Place } from './lock.ts';
import { entryOf, nameOf, refOf, type Change } from './secret-map.ts';
import { readVaultFile } from './vault-file.ts';
import type { FolderVault, SecretRef } from './vault.ts';

export interface EncryptedFileOptions {
  /** The data folder, which is there. */
  readonly directory: string;
  /** From FIELDBENCH_PASSPHRASE; without one the key is in vault.key. */
  readonly passphrase: string | null;
  /** Log of failed clean-ups. */
  readonly log: Pick<Logger, 'warn'>;
  /** scrypt's N for a new lock; one that is there keeps its own. */
  readonly cost?: number;
  readonly files?: Files;
}

/** A vault in files, and what opens them. */
export interface FileVault extends FolderVault {
  readonly openedBy: 'passphrase' | 'key-file';
  /** All that it has a secret of. */
  refs(): readonly SecretRef[];
  /** Takes other keys, and seals every secret anew with them (docs/storage-format.md, "The file vault"). */
  rotate(): Promise<void>;
}

/** Work that runs while nothing is written. */
interface Alone {
  readonly alone: () => Promise<void>;
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
  const writes = coalesce<Change | Alone>(async (together) => {
    if (closed) throw new VaultError('io', 'The vault is closed: the service is stopping.');
    try {
      const changes = together.flatMap((one) => ('alone' in one ? [] : [entryOf(one)]));
      if (changes.length > 0) await state.write(changes);
      for (const one of together) if ('alone' in one) await one.alone();
    } catch (error) {
      if (error instanceof VaultError) throw error;
      throw new VaultError('io', `The vault could not be written. ${changeError(error).message}`, {
        cause: error,
      });
    }
  });
  /** Does something while nothing is written; what fails in it fails nothing that was written before. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    await writes.add({ alone: () => work().then(resolve, reject) });
    return promise;
  }
  return {
    kind: 'file',
    openedBy: state.openedBy,
    refs: () => state.names.map(refOf),
    rotate: () => alone(() => state.rotate()),
    async readKept(refs) {
      const kept = await alone(() => state.readKept());
      return refs.map((ref) => kept.get(nameOf(ref)) ?? null);
    },
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

/**
 * Reads what opens without a key in the vault that is in files of the data folder; nothing where there is none. Throws
 * VaultError `damaged`, `io`.
 */
export async function checkEncryptedFile(place: Place): Promise<void> {
  const path = vaultPath(place);
  try {
    const bytes = await readWhole(place.files, path);
    if (bytes) readVaultFile(bytes, path);
  } catch (error) {
    throw startFailure(error, place.directory);
  }
}

/** Returns the StartError for a failed file operation; any other error as it is. */
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
