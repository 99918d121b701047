import { PERMISSIONS, type FarInstant } from '#shared/schema/schemas.ts';
import { createApiKey, hashSecret } from '../vault/secrets.ts';
import type { NewRow, WritableTables } from '../store/metadata/metadata.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { Context } from './context.ts';

/** Fields of a key's row that say when it ends; of one without an end, that it has none. */
export const expiryOf = (end: FarInstant | null | undefined) => ({
  expires: end?.micros ?? null,
  ...(end?.micros === Number.MAX_SAFE_INTEGER && { expires_at: end.text }),
});

type Issuer = Pick<Context, 'metadata' | 'vault' | 'clock' | 'chance'>;

/**
 * Makes an API key: the plain text goes to the vault and to the caller, its hash to the metadata. `together` is done in
 * the same change: what it throws keeps the key from being made.
 */
export async function issueKey(
  { metadata, vault, clock, chance }: Issuer,
  key: Omit<NewRow<'api_keys'>, 'id' | 'hash' | 'created'>,
  together: (tables: WritableTables) => Awaitable<void> = () => {},
): Promise<{ readonly id: string; readonly api_key: string }> {
  const own = chance.of(key.account_id);
  const id = own.uuid();
  const api_key = createApiKey(own);
  await vault.set({ kind: 'api-key', id }, api_key);
  await metadata
    .change(async (tables) => {
      await together(tables);
      await tables.insert('api_keys', {
        ...key,
        permissions: [...new Set(key.permissions)],
        project_ids: key.project_ids ? [...key.project_ids] : null,
        id,
        hash: hashSecret(api_key),
        created: clock.now(),
      });
    })
    .catch(async (error: unknown) => {
      await vault.delete({ kind: 'api-key', id });
      throw error;
    });
  return { id, api_key };
}

/**
 * The service's own key of the default account, with every permission: what the ready file names. Where the vault has
 * lost it, a new one takes its place and the old one is void. Services over one database have the same one, also where they
 * start at once: the first that makes it wins.
 */
export async function serviceKey(context: Issuer): Promise<string> {
  for (;;) {
    try {
      return await findOrMakeKey(context);
    } catch (error) {
      if (!(error instanceof MadeMeanwhile)) throw error;
    }
  }
}

/** The key was made by another service meanwhile: its secret was kept before. */
class MadeMeanwhile extends Error {
  override readonly name = 'MadeMeanwhile';
}

async function findOrMakeKey(context: Issuer): Promise<string> {
  const { metadata, vault } = context;
  const { account_id, earlier } = await metadata.read(async (tables) => ({
    account_id: (await tables.settings()).default_account_id,
    earlier: await tables.list('api_keys', { role: 'service' }),
  }));
  for (const key of earlier) {
    const api_key = await vault.get({ kind: 'api-key', id: key.id });
    if (api_key !== null && hashSecret(api_key) === key.hash) return api_key;
  }
  const key = {
    account_id,
    name: 'Fieldbench',
    permissions: PERMISSIONS,
    project_ids: null,
    expires: null,
    role: 'service',
  } as const;
  const { api_key } = await issueKey(context, key, async (tables) => {
    const now = await tables.list('api_keys', { role: 'service' });
    if (now.some(({ id }) => !earlier.some((known) => known.id === id))) throw new MadeMeanwhile();
    for (const { id } of earlier) await tables.remove('api_keys', id);
  });
  return api_key;
}
