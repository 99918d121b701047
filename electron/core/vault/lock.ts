import { join } from 'node:path';
import type { Files } from '../disk/files.ts';
import { VaultError } from '../base/errors.ts';
import { makeKeyFile, otherKey, readKeyFile, readNextKey } from './key-file.ts';
import { keyOfPassphrase, newPassphraseOpener } from './passphrase-opener.ts';
import { journalSecretOf, wrongPassphrase, type Opener, type VaultFile } from './vault-file.ts';

/** The data folder of a vault. */
export interface Place {
  readonly directory: string;
  readonly files: Files;
}

/** vault.json in it. */
export const vaultPath = ({ directory }: Pick<Place, 'directory'>) => join(directory, VAULT_FILE);
export const VAULT_FILE = 'vault.json';

/** Lock of a vault. Its key stays in memory, so that scrypt runs once a start. */
export interface Lock {
  readonly opener: Opener;
  readonly key: Buffer;
}

/** Makes a lock: of the passphrase, with a salt of its own, or else of a new vault.key. Throws StoreError. */
export async function newLock(place: Place, passphrase: string | null, cost?: number): Promise<Lock> {
  if (!passphrase)
    return { opener: { kind: 'key-file' }, key: await makeKeyFile(place.files, place.directory) };
  return newPassphraseOpener(passphrase, cost);
}

/**
 * Opens vault.json; resolves with its lock and the journal's secret, and whether it is the next key that opens it: a crash
 * kept it from the place of vault.key. Throws VaultError; also Node's errors.
 */
export async function unlock(
  place: Place,
  file: VaultFile,
  passphrase: string | null,
): Promise<{ lock: Lock; journalSecret: Buffer; isNext: boolean }> {
  const key = await keyOf(place, file.opener, passphrase);
  const journalSecret = journalSecretOf(file, key);
  if (journalSecret) return { lock: { opener: file.opener, key }, journalSecret, isNext: false };
  if (file.opener.kind === 'key-file') {
    const next = await readNextKey(place.files, place.directory);
    const opened = next && journalSecretOf(file, next);
    if (opened) return { lock: { opener: file.opener, key: next }, journalSecret: opened, isNext: true };
  }
  throw file.opener.kind === 'passphrase' ? wrongPassphrase(vaultPath(place)) : otherKey(place.directory);
}

function keyOf(place: Place, opener: Opener, passphrase: string | null): Promise<Buffer> {
  if (opener.kind === 'key-file') return readKeyFile(place.files, place.directory);
  return keyOfPassphrase(required(place, passphrase), opener);
}

/** The passphrase of a vault that was made with one. Throws VaultError `no-passphrase` where there is none. */
export function required(place: Place, passphrase: string | null): string {
  if (passphrase) return passphrase;
  throw new VaultError(
    'no-passphrase',
    `The secrets in ${vaultPath(place)} were locked with a passphrase: set the environment variable ` +
      'FIELDBENCH_PASSPHRASE to it and start again.',
  );
}
