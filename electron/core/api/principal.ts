import { unauthorized } from '../errors.ts';
import type { Principal } from './call.ts';
import type { Context } from './context.ts';

/** The principal, whose rights may have ended since it came: rejects with a 401 Refusal where its key was revoked or has expired. */
export async function current(
  principal: Principal,
  { metadata, clock }: Pick<Context, 'metadata' | 'clock'>,
): Promise<Principal> {
  if (principal.key_id === null) return principal;
  const { key_id } = principal;
  const key = await metadata.read((tables) => tables.get('api_keys', key_id));
  if (!key) throw unauthorized('The API key is unknown or was revoked.');
  if (key.expires !== null && key.expires <= clock.now()) throw unauthorized('The API key has expired.');
  return principal;
}
