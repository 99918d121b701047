import { unauthorized } from '../errors.ts';
import type { Principal } from './call.ts';
import type { Context } from './context.ts';

/** The principal, whose rights may have ended since it came: throws a 401 Refusal where its key was revoked or has expired. */
export function current(
  principal: Principal,
  { metadata, clock }: Pick<Context, 'metadata' | 'clock'>,
): Principal {
  if (principal.key_id === null) return principal;
  const key = metadata.state.api_keys[principal.key_id];
  if (!key) throw unauthorized('The API key is unknown or was revoked.');
  if (key.expires !== null && key.expires <= clock.now()) throw unauthorized('The API key has expired.');
  return principal;
}
