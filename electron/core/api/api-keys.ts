import { randomUUID } from 'node:crypto';
import { PERMISSIONS } from '#shared/schemas.ts';
import { createApiKey, hashSecret } from '../vault/secrets.ts';
import { nextSequence, type StoredKey } from '../store/metadata/metadata-schema.ts';
import type { Context } from './context.ts';

type Issuer = Pick<Context, 'metadata' | 'vault' | 'clock'>;

/** Makes an API key: the plain text goes to the vault and to the caller, its hash to metadata.json. */
export async function issueKey(
  { metadata, vault, clock }: Issuer,
  key: Omit<StoredKey, 'id' | 'hash' | 'created' | 'sequence'>,
): Promise<{ readonly id: string; readonly api_key: string }> {
  const id = randomUUID();
  const api_key = createApiKey();
  await vault.set({ kind: 'api-key', id }, api_key);
  await metadata
    .update((draft) => {
      draft.api_keys[id] = {
        ...key,
        permissions: [...new Set(key.permissions)],
        project_ids: key.project_ids ? [...key.project_ids] : null,
        id,
        hash: hashSecret(api_key),
        created: clock.now(),
        sequence: nextSequence(draft),
      };
    })
    .catch(async (error: unknown) => {
      await vault.delete({ kind: 'api-key', id });
      throw error;
    });
  return { id, api_key };
}

/**
 * The service's own key of the default account, with every permission: what the ready file names. Where the vault has
 * lost it, a new one takes its place and the old one is void.
 */
export async function serviceKey(context: Issuer): Promise<string> {
  const { metadata, vault } = context;
  const account_id = metadata.state.settings.default_account_id;
  const earlier = Object.values(metadata.state.api_keys).filter((key) => key.role === 'service');
  for (const key of earlier) {
    const api_key = await vault.get({ kind: 'api-key', id: key.id });
    if (api_key !== null && hashSecret(api_key) === key.hash) return api_key;
  }
  const { api_key } = await issueKey(context, {
    account_id,
    name: 'Fieldbench',
    permissions: PERMISSIONS,
    project_ids: null,
    expires: null,
    role: 'service',
  });
  if (earlier.length > 0) {
    await metadata.update((draft) => {
      for (const { id } of earlier) delete draft.api_keys[id];
    });
  }
  return api_key;
}
