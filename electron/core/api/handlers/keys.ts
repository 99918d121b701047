import { badRequest, forbidden, notFound } from '../../errors.ts';
import type { Handlers } from '../context.ts';
import { issueKey } from '../api-keys.ts';
import { keyView } from '../resources.ts';

export const keyHandlers: Handlers<'keys'> = {
  'keys.list': ({ input, principal }, { metadata }) => {
    const account_id = input.account_id ?? principal.account_id;
    if (!metadata.state.accounts[account_id]) throw notFound('Account');
    return {
      data: Object.values(metadata.state.api_keys)
        .filter((key) => key.account_id === account_id)
        .toSorted((a, b) => b.sequence - a.sequence)
        .map(keyView),
    };
  },

  async 'keys.create'({ input, principal }, context) {
    const { accounts, projects } = context.metadata.state;
    const account_id = input.account_id ?? principal.account_id;
    if (!accounts[account_id]) throw notFound('Account');
    const stranger = input.project_ids?.find((id) => projects[id]?.account_id !== account_id);
    if (stranger !== undefined)
      throw badRequest(`project_ids must be ids of projects of the account, got "${stranger}"`);
    const { expires_at } = input;
    if (expires_at && expires_at.micros <= context.clock.now())
      throw badRequest('expires_at must lie in the future');
    const { id, api_key } = await issueKey(context, {
      account_id,
      name: input.name,
      permissions: input.permissions,
      project_ids: input.project_ids ?? null,
      expires: expires_at?.micros ?? null,
      ...(expires_at?.micros === Number.MAX_SAFE_INTEGER && { expires_at: expires_at.text }),
      role: 'user',
    });
    return { data: { id, api_key } };
  },

  async 'keys.revoke'({ key }, { metadata, vault }) {
    if (key.role === 'service')
      throw forbidden("The service's own key cannot be revoked: its ready file names it.");
    await metadata.update((draft) => {
      if (!draft.api_keys[key.id]) throw notFound('API key');
      delete draft.api_keys[key.id];
    });
    await vault.delete({ kind: 'api-key', id: key.id });
    return { data: { id: key.id } };
  },
};
