import { randomUUID } from 'node:crypto';
import { PERMISSIONS } from '#shared/schemas.ts';
import { formatSeconds } from '#shared/time.ts';
import type { HandlersOf } from '../context.ts';
import { issueKey } from '../api-keys.ts';

export const accountHandlers: HandlersOf<'accounts'> = {
  async 'accounts.list'(_call, { metadata }) {
    const accounts = await metadata.read((tables) => tables.list('accounts'));
    return {
      data: accounts.map(({ id, name, created }) => ({ id, name, created_at: formatSeconds(created) })),
    };
  },

  /** A new account comes with its first key, which holds every permission. */
  async 'accounts.create'({ input }, context) {
    const account = await context.metadata.change((tables) =>
      tables.insert('accounts', { id: randomUUID(), name: input.name, created: context.clock.now() }),
    );
    const { api_key } = await issueKey(context, {
      account_id: account.id,
      name: `${account.name}: first key`,
      permissions: PERMISSIONS,
      project_ids: null,
      expires: null,
      role: 'user',
    });
    return { data: { id: account.id, name: account.name, api_key } };
  },
};
