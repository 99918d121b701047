import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { SecretRef, Vault } from '../../vault/vault.ts';
import { inParts, isOfHash, ownerOfDevice, ownerOfKey, type SecretOwner } from '../secret-owners.ts';
import type { WorldRows } from './world-rows.ts';

/*
 * Secrets that a snapshot needs once they were renewed, or their owners deleted. They are in the vault once more, as those of a
 * project of their own, so that all of a snapshot go at once.
 */

/** Project of the vault that holds the secrets of a snapshot; no id of a project has a blank. */
const projectOf = (snapshot: string) => `snapshot ${snapshot}`;

/** Rows of a snapshot that have secrets, with those of deleted devices. */
export function ownersIn({ devices, api_keys, kept_deletes }: WorldRows): readonly SecretOwner[] {
  const deleted = kept_deletes.flatMap(({ rows }) => (rows['devices'] ?? []) as unknown as StoredDevice[]);
  return [...[...devices, ...deleted].map(ownerOfDevice), ...api_keys.map(ownerOfKey)];
}

/** Its name among the secrets of a snapshot; ids of devices have no dot. */
const nameOf = ({ table, id }: SecretOwner) => (table === 'devices' ? id : `key.${id}`);

/** Where a snapshot has the secret of an owner. */
export const savedRef = (snapshot: string, owner: SecretOwner): SecretRef => ({
  kind: 'device-token',
  project_id: projectOf(snapshot),
  device_id: nameOf(owner),
});

/** Keeps the secrets of a snapshot that the vault has. Rejects with VaultError. */
export async function saveSecrets(snapshot: string, rows: WorldRows, vault: Vault): Promise<void> {
  await ofEach(ownersIn(rows), async (owner) => {
    const secret = await vault.get(owner.ref);
    if (isOfHash(secret, owner.hash)) await vault.set(savedRef(snapshot, owner), secret);
  });
}

/** Puts back the secrets of these owners, null for all, where the vault has others, or none. Rejects with VaultError. */
export async function restoreSecrets(
  snapshot: string,
  rows: WorldRows,
  vault: Vault,
  owners: ReadonlySet<string> | null,
): Promise<void> {
  const asked = ownersIn(rows).filter(({ id }) => owners?.has(id) ?? true);
  await ofEach(asked, async (owner) => {
    if (isOfHash(await vault.get(owner.ref), owner.hash)) return;
    const secret = await vault.get(savedRef(snapshot, owner));
    // The vault may have lost it; its hash works all the same.
    if (isOfHash(secret, owner.hash)) await vault.set(owner.ref, secret);
  });
}

/** Removes the secrets of a snapshot. Rejects with VaultError. */
export const removeSavedSecrets = (snapshot: string, vault: Vault): Promise<void> =>
  vault.deleteProject(projectOf(snapshot));

async function ofEach(
  owners: readonly SecretOwner[],
  work: (owner: SecretOwner) => Promise<void>,
): Promise<void> {
  for (const some of inParts(owners)) await Promise.all(some.map(work));
}
