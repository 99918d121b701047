import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import type { SecretRef, Vault } from '../vault/vault.ts';

/** The vault of a lab for the keys of one service's certificates, which lie in its own folder: no other one has them. */
export function ownTlsKeys(vault: Vault, directory: string): Vault {
  const mine = hash('sha256', `${hostname()} ${directory}`, 'hex').slice(0, 16);
  const own = (ref: SecretRef): SecretRef =>
    ref.kind === 'tls-key' ? { kind: 'tls-key', id: `${ref.id} ${mine}` } : ref;
  return {
    ...vault,
    get: (ref) => vault.get(own(ref)),
    readKept: (refs) => vault.readKept(refs.map(own)),
    set: (ref, secret) => vault.set(own(ref), secret),
    delete: (ref) => vault.delete(own(ref)),
  };
}
