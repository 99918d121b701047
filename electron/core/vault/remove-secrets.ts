import { join } from 'node:path';
import { temporaryName } from '../disk/atomic-file.ts';
import { writtenAs } from '../disk/contents.ts';
import { journalsIn } from './file-vault-state.ts';
import { JOURNAL_NAME } from './journal.ts';
import { eraseWhole, KEY_FILE, NEXT_KEY_FILE } from './key-file.ts';
import { VAULT_FILE, vaultPath, type Place } from './lock.ts';
import type { SecretRef, Vault } from './vault.ts';

/** Whether there is a file vault, whole or in part. Throws Node's errors. */
export async function hasFileVault(place: Place): Promise<boolean> {
  const names = (await place.files.list(place.directory)).map(({ name }) => join(place.directory, name));
  return names.includes(vaultPath(place)) || (await journalsIn(place)).length > 0;
}

const isWritten = writtenAs(VAULT_FILE, KEY_FILE, NEXT_KEY_FILE);

/** Whether a file vault has secrets, or what opens them, in a file of this name. */
export const isSecretFile = (name: string) => isWritten(name) || JOURNAL_NAME.test(name);

/** Removes a closed file vault, and writes zeros over it; none is fine. Throws Node's errors. */
export async function removeFileVault(place: Place): Promise<void> {
  const { files, directory } = place;
  const [vault, key, next] = [vaultPath(place), join(directory, KEY_FILE), join(directory, NEXT_KEY_FILE)];
  for (const path of [vault, key, next]) await files.remove(temporaryName(path));
  for (const { name } of await journalsIn(place)) await eraseWhole(files, directory, join(directory, name));
  for (const path of [vault, key, next]) await eraseWhole(files, directory, path);
}

/** Removes these secrets from a vault, and all tokens of their projects. */
export async function removeSecrets(vault: Vault, refs: readonly SecretRef[]): Promise<void> {
  const projects = new Set(refs.flatMap((ref) => (ref.kind === 'device-token' ? [ref.project_id] : [])));
  for (const project_id of projects) await vault.deleteProject(project_id);
  await Promise.all(refs.filter(({ kind }) => kind !== 'device-token').map((ref) => vault.delete(ref)));
}
