import type { Operation } from '#shared/operation.ts';
import type { Permission } from '#shared/schemas.ts';
import { forbidden, unauthorized } from '../errors.ts';
import { hashSecret } from '../vault/secrets.ts';
import { indexOf, perTable, type MetadataIndex } from '../store/metadata/metadata-index.ts';
import type { StoredKey, StoredProject } from '../store/metadata/metadata-schema.ts';
import type { MetadataStore } from '../store/metadata/metadata.ts';
import type { Clock } from '../clock.ts';
import type { Principal } from './call.ts';

/** The secret of an Authorization header of this scheme (RFC 9110, 11.4: the scheme's case does not matter), or null. */
export function secretOf(authorization: string | undefined, scheme: 'Bearer' | 'Basic'): string | null {
  const match = /^([A-Za-z]+) +(\S+) *$/.exec(authorization ?? '');
  return match?.[1]?.toLowerCase() === scheme.toLowerCase() ? (match[2] ?? null) : null;
}

/** Accepted headers that are remembered at most: one for each program that asks, not for each way to write it. */
const MOST_ACCEPTED = 256;

/** Headers whose key was found, as long as the keys are the same: a hash a request would cost more than its checks. */
const acceptedOf = perTable((_keys: MetadataIndex['keyByHash']) => new Map<string, StoredKey>());

/** Makes the check that runs first: a principal for the header's API key, or a 401 Refusal. */
export function createAuthenticate(metadata: MetadataStore, clock: Clock) {
  return (authorization: string | undefined): Principal => {
    const { keyByHash } = indexOf(metadata.state);
    const accepted = acceptedOf(keyByHash);
    let key = accepted.get(authorization ?? '');
    if (key === undefined) {
      key = keyOf(authorization, keyByHash);
      if (accepted.size >= MOST_ACCEPTED) accepted.clear();
      accepted.set(authorization ?? '', key);
    }
    if (key.expires !== null && key.expires <= clock.now()) throw unauthorized('The API key has expired.');
    return principalOf(key);
  };
}

/** The key that a header names, or a 401 Refusal. */
function keyOf(authorization: string | undefined, keyByHash: MetadataIndex['keyByHash']): StoredKey {
  if (!authorization) throw unauthorized('The Authorization header is missing: send "Bearer <API_KEY>".');
  const secret = secretOf(authorization, 'Bearer');
  if (secret === null) throw unauthorized('The Authorization header must be "Bearer <API_KEY>".');
  const key = keyByHash.get(hashSecret(secret));
  if (!key) throw unauthorized('The API key is unknown or was revoked.');
  return key;
}

/** Of each key as it is stored: a change of it makes another object. */
const principals = new WeakMap<StoredKey, Principal>();

function principalOf(key: StoredKey): Principal {
  let principal = principals.get(key);
  if (principal === undefined) {
    principal = {
      account_id: key.account_id,
      permissions: new Set(key.permissions),
      project_ids: key.project_ids ? new Set(key.project_ids) : null,
      key_id: key.id,
    };
    principals.set(key, principal);
  }
  return principal;
}

/** Whether the principal may see the project at all. */
export function mayTouch(principal: Principal, project: Pick<StoredProject, 'id' | 'account_id'>): boolean {
  return project.account_id === principal.account_id && (principal.project_ids?.has(project.id) ?? true);
}

/** Throws a 403 Refusal unless the principal may run the operation on what its path names. */
export function authorize(
  principal: Principal,
  operation: Operation,
  found: { readonly project?: StoredProject | undefined; readonly key?: StoredKey | undefined },
): void {
  if (found.project && !mayTouch(principal, found.project))
    throw forbidden('This API key has no access to this project.');
  if (found.key && found.key.account_id !== principal.account_id)
    throw forbidden('This API key has no access to the keys of another account.');
  requirePermission(principal, operation.permission);
  if (operation.wholeAccount && principal.project_ids !== null)
    throw forbidden('This API key is limited to some projects; this needs a key for the whole account.');
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission))
    throw forbidden(`This API key lacks the permission "${permission}".`);
}
