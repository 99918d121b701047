import { forbidden } from '../base/errors.ts';
import type { StoredKey } from '../store/metadata/metadata-schema.ts';
import { expiryText } from './resources.ts';
import type { Principal } from './call.ts';

/** When a key ends, as its row holds it. */
export type Expiry = Pick<StoredKey, 'expires' | 'expires_at'>;

/**
 * Throws a 403 Refusal unless a key may be made with these rights by the principal, which came with the key `own`, or null
 * at the owner's window: a key grants no more than it has (docs/api.md, "Access"). Its projects need no look: who is
 * limited to some may make no keys.
 */
export function requireGrantable(
  principal: Principal,
  own: Expiry | null,
  wanted: Pick<StoredKey, 'permissions'> & Expiry,
): void {
  const more = wanted.permissions.find((permission) => !principal.permissions.has(permission));
  if (more !== undefined)
    throw forbidden(`This API key lacks the permission "${more}" and cannot give it to another key.`);
  if (own && endsAfter(wanted, own))
    throw forbidden(
      `This API key expires at ${expiryText(own)}, and so must a key that it makes: expires_at must not be later, got ${expiryText(wanted) ?? 'none'}.`,
    );
}

/** Whether `a` is good for longer than `b`. Far ahead, µs are no exact numbers, and the texts say which is later. */
function endsAfter(a: Expiry, b: Expiry): boolean {
  if (b.expires === null) return false;
  if (a.expires === null) return true;
  return a.expires === b.expires ? (a.expires_at ?? '') > (b.expires_at ?? '') : a.expires > b.expires;
}
