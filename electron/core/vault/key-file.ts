import { join } from 'node:path';
import { writeAtomically } from '../disk/atomic-file.ts';
import { eraseFile } from '../disk/erase-file.ts';
import { errorCode } from '../disk/errors.ts';
import type { Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { VaultError } from '../base/errors.ts';
import { systemRandom } from '../base/system-random.ts';
import { KEY_BYTES } from './sealing.ts';

/** vault.key: 32 random bytes that open the vault beside it, where no passphrase does. */
export const KEY_FILE = 'vault.key';

/** The key that is to take the place of vault.key: whichever of both opens vault.json counts. */
export const NEXT_KEY_FILE = 'vault-next.key';

/** Resolves with the key of a vault that was made with vault.key. Throws VaultError `damaged`; also Node's errors. */
export async function readKeyFile(files: Files, directory: string): Promise<Buffer> {
  const path = join(directory, KEY_FILE);
  const key = await readWhole(files, path);
  if (key?.length === KEY_BYTES) return key;
  const what = key === null ? 'is not there' : `has ${key.length} bytes in place of ${KEY_BYTES}`;
  throw lostKey(`${path} ${what}, and it alone opens the secrets in vault.json.`);
}

/** Returns the error for a whole vault.key that opens nothing. */
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
  const key = systemRandom.bytes(KEY_BYTES);
  await writeAtomically(join(directory, KEY_FILE), key, { files });
  return key;
}

/** Makes the key that vault.json is to be made with next. Throws StoreError. */
export async function makeNextKey(files: Files, directory: string): Promise<Buffer> {
  const key = systemRandom.bytes(KEY_BYTES);
  await writeAtomically(join(directory, NEXT_KEY_FILE), key, { files });
  return key;
}

/** Resolves with the key that a rotation made and did not put in its place; null where there is none. Throws Node's errors. */
export async function readNextKey(files: Files, directory: string): Promise<Buffer | null> {
  const key = await readWhole(files, join(directory, NEXT_KEY_FILE));
  return key?.length === KEY_BYTES ? key : null;
}

/** Puts the next key in the place of vault.key, which opens nothing any more. Throws Node's errors. */
export async function promoteNextKey(files: Files, directory: string): Promise<void> {
  try {
    await files.rename(join(directory, NEXT_KEY_FILE), join(directory, KEY_FILE));
  } catch (error) {
    // An earlier try put it there, and could not make that durable.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  await files.syncDirectory(directory);
}

/** Removes vault.key and writes zeros over it; nothing to remove is fine. Throws Node's errors. */
export const eraseKeyFile = (files: Files, directory: string) =>
  eraseWhole(files, directory, join(directory, KEY_FILE));

/**
 * Removes a file of a vault and writes zeros over it; nothing to remove is fine. One that has another name, or is a link, is
 * somebody's elsewhere: that name is removed, and nothing is written. Throws Node's errors.
 */
export async function eraseWhole(files: Files, directory: string, path: string): Promise<void> {
  try {
    if (!files.hasOneName(path)) {
      await files.remove(path);
      await files.syncDirectory(directory);
      return;
    }
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
