import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeAtomically } from '../disk/atomic-file.ts';
import { eraseFile } from '../disk/erase-file.ts';
import { errorCode } from '../disk/errors.ts';
import type { Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { VaultError } from '../errors.ts';
import { KEY_BYTES } from './sealing.ts';

/** vault.key: 32 random bytes that open the vault beside it, where no passphrase does. */
export const KEY_FILE = 'vault.key';

/** Resolves with the key of a vault that was made with vault.key. Throws VaultError `damaged`; also Node's errors. */
export async function readKeyFile(files: Files, directory: string): Promise<Buffer> {
  const path = join(directory, KEY_FILE);
  const key = await readWhole(files, path);
  if (key?.length === KEY_BYTES) return key;
  const what = key === null ? 'is not there' : `has ${key.length} bytes in place of ${KEY_BYTES}`;
  throw lostKey(`${path} ${what}, and it alone opens the secrets in vault.json.`);
}

/** What is said where vault.key is whole and opens nothing. */
export const otherKey = (directory: string) =>
  lostKey(`${join(directory, KEY_FILE)} is not the key that vault.json was made with.`);

function lostKey(what: string): VaultError {
  return new VaultError(
    'damaged',
    `${what} Put it back from a backup, or move all vault files of the data directory away: devices store data as ` +
      'before, and new tokens and API keys can be made for the lost ones.',
  );
}

/** Makes vault.key for a vault that is not there yet, over what an earlier try may have left. Throws StoreError. */
export async function makeKeyFile(files: Files, directory: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await writeAtomically(join(directory, KEY_FILE), key, { files });
  return key;
}

/** Removes vault.key and writes zeros over it; nothing to remove is fine. Throws Node's errors. */
export async function eraseKeyFile(files: Files, directory: string): Promise<void> {
  const path = join(directory, KEY_FILE);
  try {
    const file = files.openForWriting(path, false);
    try {
      await eraseFile(files, { directory, path, file });
    } finally {
      file.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
