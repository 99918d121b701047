import { badRequest, forbidden, notFound } from '../../errors.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { HandlersOf } from '../context.ts';
import { issueKey } from '../api-keys.ts';
import { keyView } from '../resources.ts';

export const keyHandlers: HandlersOf<'keys'> = {
  async 'keys.list'({ input, principal }, { metadata }) {
    const account_id = input.account_id ?? principal.account_id;
    const keys = await metadata.read(async (tables) => {
      if (!(await tables.get('accounts', account_id))) throw notFound('Account');
      return tables.list('api_keys', { account_id });
    });
    return { data: keys.toReversed().map(keyView) };
  },

  async 'keys.create'({ input, principal }, context) {
    const { project_ids = null, expires_at } = input;
    const account_id = input.account_id ?? principal.account_id;
    const requireProjects = (tables: Tables) => requireProjectsOf(tables, account_id, project_ids ?? []);
    await context.metadata.read(requireProjects);
    if (expires_at && expires_at.micros <= context.clock.now())
      throw badRequest('expires_at must lie in the future');
    const key = {
      account_id,
      name: input.name,
      permissions: input.permissions,
      project_ids,
      expires: expires_at?.micros ?? null,
      ...(expires_at?.micros === Number.MAX_SAFE_INTEGER && { expires_at: expires_at.text }),
      role: 'user',
    } as const;
    // Again: a project may have been deleted while the vault was asked.
    const { id, api_key } = await issueKey(context, key, requireProjects);
    return { data: { id, api_key } };
  },

  async 'keys.revoke'({ key }, { metadata, vault }) {
    if (key.role === 'service')
      throw forbidden("The service's own key cannot be revoked: its ready file names it.");
    if (!(await metadata.change((tables) => tables.remove('api_keys', key.id)))) throw notFound('API key');
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
