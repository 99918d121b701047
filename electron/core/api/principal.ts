import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { unauthorized } from '../base/errors.ts';
import { systemUser } from '../base/system-user.ts';
import type { StoredKey } from '../store/metadata/metadata-schema.ts';
import type { Tables } from '../store/metadata/metadata.ts';
import type { Principal } from './call.ts';
import type { Context } from './context.ts';

type Moment = Pick<Context, 'clock'>;

/** Author of what is written at the owner's window. */
const OWNER = 'app';

/** The owner, at a window of the machine itself. */
export const ownerOf = (default_account_id: string): Principal => ({
  account_id: default_account_id,
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: systemUser() },
});

/** The same, at a browser: who sits there, only the link says that let it in. */
export const inBrowser = (owner: Principal): Principal => ({
  ...owner,
  by: { kind: 'window', name: 'browser' },
});

/** The same, by the command line of the machine. */
export const atTerminal = (owner: Principal): Principal => ({
  ...owner,
  by: { kind: 'command line', name: systemUser() },
});

/** The principal, whose rights may have ended since it came: rejects with a 401 Refusal where its key was revoked or has expired. */
export async function current(
  principal: Principal,
  { metadata, clock }: Pick<Context, 'metadata'> & Moment,
): Promise<Principal> {
  if (principal.key_id !== null) await metadata.read((tables) => keyOf(principal, tables, { clock }));
  return principal;
}

/**
 * The key that the principal came with, as it is now; null for the owner's window. Rejects with a 401 Refusal where it was
 * revoked or has expired.
 */
export async function keyOf(
  { key_id }: Principal,
  tables: Tables,
  { clock }: Moment,
): Promise<StoredKey | null> {
  if (key_id === null) return null;
  const key = await tables.get('api_keys', key_id);
  if (!key) throw unauthorized('The API key is unknown or was revoked.');
  if (key.expires !== null && key.expires <= clock.now()) throw unauthorized('The API key has expired.');
  return key;
}

/** Resolves with the author of what the principal writes: the name of its key, or "app". Rejects as `keyOf`. */
export async function authorOf(principal: Principal, tables: Tables, moment: Moment): Promise<string> {
  return (await keyOf(principal, tables, moment))?.name ?? OWNER;
}
