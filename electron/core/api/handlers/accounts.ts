import { randomUUID } from 'node:crypto';
import { PERMISSIONS } from '#shared/schemas.ts';
import { formatSeconds } from '#shared/time.ts';
import { nextSequence } from '../../store/metadata/metadata-schema.ts';
import type { Handlers } from '../context.ts';
import { issueKey } from '../api-keys.ts';

export const accountHandlers: Handlers<'accounts'> = {
  'accounts.list': (_call, { metadata }) => ({
    data: Object.values(metadata.state.accounts)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ id, name, created }) => ({ id, name, created_at: formatSeconds(created) })),
  }),

  /** A new account comes with its first key, which holds every permission. */
  async 'accounts.create'({ input }, context) {
    const account = await context.metadata.update((draft) => {
      const row = {
        id: randomUUID(),
        name: input.name,
        created: context.clock.now(),
        sequence: nextSequence(draft),
      };
      draft.accounts[row.id] = row;
      return row;
    });
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
