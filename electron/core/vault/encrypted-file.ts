import { join } from 'node:path';
import { parseJson } from '#shared/json.ts';
import { VaultError } from '../errors.ts';
import { temporaryName, writeAtomically } from '../disk/atomic-file.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { coalesce } from './coalesce.ts';
import { newKey, openSealed, seal, type SealingKey } from './sealed.ts';
import { changed, nameOf, type Change, type SecretMap } from './secret-map.ts';
import type { Vault } from './vault.ts';

export interface EncryptedFileOptions {
  /** The data folder, which is there. */
  readonly directory: string;
  /** From FIELDBENCH_PASSPHRASE. */
  readonly passphrase: string | null;
  /** scrypt's N for a new file; a file keeps the one it was made with. */
  readonly cost?: number;
  readonly files?: Files;
}

/**
 * Opens vault.json of the data folder, which holds all secrets encrypted under the passphrase; makes it where there is
 * none. Throws VaultError: `no-passphrase`, `wrong-passphrase`, `damaged`, `io`.
 */
export async function openEncryptedFile({
  directory,
  passphrase,
  cost,
  files = nodeFiles,
}: EncryptedFileOptions): Promise<Vault> {
  if (!passphrase)
    throw new VaultError(
      'no-passphrase',
      'The file vault needs a passphrase: set the environment variable FIELDBENCH_PASSPHRASE and start again.',
    );
  const path = join(directory, 'vault.json');
  const found = await opened(path, passphrase, files);
  const key: SealingKey = found?.key ?? (await newKey(passphrase, cost));
  let secrets: SecretMap = found?.secrets ?? new Map();

  async function write(next: SecretMap): Promise<void> {
    try {
      await writeAtomically(path, seal(JSON.stringify(Object.fromEntries(next)), key), { files });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new VaultError('io', `The vault could not be written. ${reason}`, { cause: error });
    }
    secrets = next;
  }

  // Written at once, so that the passphrase is settled by the first start and not by the first secret.
  if (!found) await write(secrets);

  const writes = coalesce<Change>((changes) => write(changed(secrets, changes)));
  return {
    kind: 'file',
    get: (ref) => Promise.resolve(secrets.get(nameOf(ref)) ?? null),
    set: (ref, secret) => writes.add({ ref, secret }),
    delete: (ref) => writes.add({ ref, secret: null }),
    deleteProject: (project_id) => writes.add({ allTokensOf: project_id }),
    close: () => writes.settled(),
  };
}

/** What the file holds and the key it is sealed with; null where there is no file. */
async function opened(path: string, passphrase: string, files: Files) {
  let bytes: Uint8Array | null;
  try {
    bytes = await readWhole(files, path);
    // What a crash in the middle of a write left.
    if (bytes) await files.remove(temporaryName(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new VaultError('io', `${path} cannot be read: ${reason}`, { cause: error });
  }
  if (!bytes) return null;
  const { text, key } = await openSealed(bytes, passphrase, path);
  const secrets: SecretMap = new Map(Object.entries(parseJson(text) as Record<string, string>));
  return { secrets, key };
}
