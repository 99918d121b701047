import type { StoredDevice, StoredKey } from '../../store/metadata/metadata-schema.ts';
import { hashSecret } from '../../vault/secrets.ts';
import type { SecretRef, Vault } from '../../vault/vault.ts';
import type { WorldRows } from './world-rows.ts';

/*
 * Secrets that a snapshot needs once they were renewed, or their owners deleted. They are in the vault once more, as those of a
 * project of their own, so that all of a snapshot go at once.
 */

/** Secrets that are read or kept together. */
const TOGETHER = 200;

/** Project of the vault that holds the secrets of a snapshot; no id of a project has a blank. */
const projectOf = (snapshot: string) => `snapshot ${snapshot}`;

interface Owner {
  /** Where the secret is. */
  readonly ref: SecretRef;
  /** Its name among the secrets of a snapshot; ids of devices have no dot. */
  readonly name: string;
  readonly hash: string;
}

/** Rows of a snapshot that have secrets, with those of deleted devices. */
export function ownersIn({ devices, api_keys, kept_deletes }: WorldRows): readonly Owner[] {
  const deleted = kept_deletes.flatMap(({ rows }) => (rows['devices'] ?? []) as unknown as StoredDevice[]);
  return [...[...devices, ...deleted].map(ownerOfDevice), ...api_keys.map(ownerOfKey)];
}

function ownerOfDevice({ id, project_id, token_hash }: StoredDevice): Owner {
  return { ref: { kind: 'device-token', project_id, device_id: id }, name: id, hash: token_hash };
}

const ownerOfKey = ({ id, hash }: StoredKey): Owner => ({
  ref: { kind: 'api-key', id },
  name: `key.${id}`,
  hash,
});

/** Where a snapshot has the secret of an owner. */
export const savedRef = (snapshot: string, { name }: Owner): SecretRef => ({
  kind: 'device-token',
  project_id: projectOf(snapshot),
  device_id: name,
});

/** Keeps the secrets of a snapshot that the vault has. Rejects with VaultError. */
export async function saveSecrets(snapshot: string, rows: WorldRows, vault: Vault): Promise<void> {
  await inParts(ownersIn(rows), async (owner) => {
    const secret = await vault.get(owner.ref);
    if (isOf(secret, owner)) await vault.set(savedRef(snapshot, owner), secret);
  });
}

/** Puts back the secrets of these owners, null for all, where the vault has others, or none. Rejects with VaultError. */
export async function restoreSecrets(
  snapshot: string,
  rows: WorldRows,
  vault: Vault,
  owners: ReadonlySet<string> | null,
): Promise<void> {
  const asked = ownersIn(rows).filter(({ ref }) => owners?.has(idOf(ref)) ?? true);
  await inParts(asked, async (owner) => {
    if (isOf(await vault.get(owner.ref), owner)) return;
    const secret = await vault.get(savedRef(snapshot, owner));
    // The vault may have lost it; its hash works all the same.
    if (isOf(secret, owner)) await vault.set(owner.ref, secret);
  });
}

/** Removes the secrets of a snapshot. Rejects with VaultError. */
export const removeSavedSecrets = (snapshot: string, vault: Vault): Promise<void> =>
  vault.deleteProject(projectOf(snapshot));

const idOf = (ref: SecretRef) => (ref.kind === 'device-token' ? ref.device_id : ref.id);

const isOf = (secret: string | null, { hash }: Owner): secret is string =>
  secret !== null && hashSecret(secret) === hash;

async function inParts(owners: readonly Owner[], work: (owner: Owner) => Promise<void>): Promise<void> {
  for (let at = 0; at < owners.length; at += TOGETHER)
    await Promise.all(owners.slice(at, at + TOGETHER).map(work));
}
