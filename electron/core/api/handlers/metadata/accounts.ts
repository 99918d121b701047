import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { formatSeconds } from '#shared/values/time.ts';
import { newAccountId } from '../../../base/chance.ts';
import type { HandlersOf } from '../../context.ts';
import { issueKey } from '../../api-keys.ts';
import { keyOf } from '../../principal.ts';

export const accountHandlers: HandlersOf<'accounts'> = {
  async 'accounts.list'(_call, { metadata }) {
    const accounts = await metadata.read((tables) => tables.list('accounts'));
    return {
      data: accounts.map(({ id, name, created }) => ({ id, name, created_at: formatSeconds(created) })),
    };
  },

  /** A new account comes with its first key, which holds every permission in it, for as long as the key that made it. */
  async 'accounts.create'({ input, principal }, context) {
    const { metadata, clock, chance } = context;
    const account = { id: newAccountId(chance, input.name), name: input.name, created: clock.now() };
    const own = await metadata.read((tables) => keyOf(principal, tables, context));
    const key = {
      account_id: account.id,
      name: `${account.name}: first key`,
      permissions: PERMISSIONS,
      project_ids: null,
      expires: own?.expires ?? null,
      ...(own?.expires_at !== undefined && { expires_at: own.expires_at }),
      role: 'user',
    } as const;
    const { api_key } = await issueKey(context, key, async (tables) => {
      // Again: the asker's key may have been revoked while the vault was asked.
      await keyOf(principal, tables, context);
      await tables.insert('accounts', account);
    });
    return { data: { id: account.id, name: account.name, api_key } };
  },
};
