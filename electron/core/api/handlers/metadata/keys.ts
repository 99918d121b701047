import { badRequest, forbidden, notFound } from '../../../base/errors.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import { expiryOf, issueKey } from '../../api-keys.ts';
import { accountOf } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { requireGrantable } from '../../grants.ts';
import { keyOf } from '../../principal.ts';
import { keyView } from '../../resources.ts';

export const keyHandlers: HandlersOf<'keys'> = {
  async 'keys.list'({ input, principal }, context) {
    const account_id = accountOf(principal, input.account_id, context);
    const keys = await context.metadata.read(async (tables) => {
      if (!(await tables.get('accounts', account_id))) throw notFound('Account');
      return tables.list('api_keys', { account_id });
    });
    const used = await context.keyUse.of(keys.map(({ id }) => id));
    return { data: keys.toReversed().map((key) => keyView(key, used.get(key.id) ?? null)) };
  },

  async 'keys.create'({ input, principal }, context) {
    const { project_ids = null, expires_at } = input;
    const account_id = accountOf(principal, input.account_id, context);
    if (expires_at && expires_at.micros <= context.clock.now())
      throw badRequest('expires_at must lie in the future');
    const key = {
      account_id,
      name: input.name,
      permissions: input.permissions,
      project_ids,
      ...expiryOf(expires_at),
      role: 'user',
    } as const;
    const requireAllowed = async (tables: Tables) => {
      await requireProjectsOf(tables, account_id, project_ids ?? []);
      requireGrantable(principal, await keyOf(principal, tables, context), key);
    };
    await context.metadata.read(requireAllowed);
    // Again: while the vault was asked, a project may have been deleted or the asker's key revoked.
    const { id, api_key } = await issueKey(context, key, requireAllowed);
    return { data: { id, api_key } };
  },

  async 'keys.revoke'({ key }, { metadata, vault, keyUse }) {
    if (key.role === 'service')
      throw forbidden("The service's own key cannot be revoked: its ready file names it.");
    if (!(await metadata.change((tables) => tables.remove('api_keys', key.id)))) throw notFound('API key');
    await keyUse.forget(key.id);
    await vault.delete({ kind: 'api-key', id: key.id });
    return { data: { id: key.id } };
  },
};

async function requireProjectsOf(
  tables: Tables,
  account_id: string,
  project_ids: readonly string[],
): Promise<void> {
  if (!(await tables.get('accounts', account_id))) throw notFound('Account');
  for (const id of project_ids)
    if ((await tables.get('projects', id))?.account_id !== account_id)
      throw badRequest(`project_ids must be ids of projects of the account, got "${id}"`);
}
