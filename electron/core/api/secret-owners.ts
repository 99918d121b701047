import type { StoredDevice, StoredKey } from '../store/metadata/metadata-schema.ts';
import { hashSecret } from '../vault/secrets.ts';
import type { SecretRef } from '../vault/vault.ts';

/** Row that has a secret: where that is in the vault, and its hash. */
export interface SecretOwner {
  readonly table: 'devices' | 'api_keys';
  readonly id: string;
  readonly ref: SecretRef;
  readonly hash: string;
}

export const ownerOfDevice = ({ id, project_id, token_hash }: StoredDevice): SecretOwner => {
  return { table: 'devices', id, ref: { kind: 'device-token', project_id, device_id: id }, hash: token_hash };
};
export const ownerOfKey = ({ id, hash }: StoredKey): SecretOwner => {
  return { table: 'api_keys', id, ref: { kind: 'api-key', id }, hash };
};

/** Whether a secret, null for none, is the one of this hash. */
export const isOfHash = (secret: string | null, hash: string): secret is string =>
  secret !== null && hashSecret(secret) === hash;

/** Secrets that are read or kept together: enough for a vault to join them, few enough to hear of a cancel soon. */
const TOGETHER = 200;

/** Yields all of them, as many as go together. */
export function* inParts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += TOGETHER) yield all.slice(at, at + TOGETHER);
}
