import { quote } from '#shared/values/validate.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { formatSeconds } from '#shared/values/time.ts';
import { badRequest, forbidden, notFound } from '../../../base/errors.ts';
import { newAccountId } from '../../../base/chance.ts';
import { issueKey } from '../../api-keys.ts';
import { accountOf } from '../../authorize.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { keyOf } from '../../principal.ts';
import { emptyAccount } from '../../removal/empty-account.ts';
import { plantAccount } from '../../seed/plant-seed.ts';
import { requireWorlds, snapshotsOf } from '../../snapshots/find-snapshot.ts';
import { plantSnapshot, type Planted } from '../../snapshots/plant-snapshot.ts';
import { removeSnapshotsOf } from '../../snapshots/remove-snapshot.ts';
import type { Seed } from '../../seed/read-seed.ts';

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
    const planted = await plantedFrom(input.from, account.id, principal, context);
    try {
      const { api_key } = await issueKey(context, key, async (tables) => {
        // Again: the asker's key may have been revoked while the vault was asked.
        await keyOf(principal, tables, context);
        await tables.insert('accounts', account);
        planted?.insert(tables);
      });
      return { data: { id: account.id, name: account.name, api_key } };
    } catch (error) {
      await planted?.takeBack();
      throw error;
    }
  },

  async 'accounts.remove'({ account: { id } }, context) {
    const { vault, keyUse, default_account_id } = context;
    if (id === default_account_id)
      throw forbidden(
        'The default account stays: its keys administer the installation. Reset it to empty it.',
      );
    const keys: string[] = [];
    const deleted = await emptyAccount(id, context, async (tables) => {
      if (!(await tables.remove('accounts', id))) throw notFound('Account');
      keys.length = 0;
      for (const key of await tables.list('api_keys', { account_id: id })) {
        keys.push(key.id);
        await tables.remove('api_keys', key.id);
      }
    });
    await removeSnapshotsOf(id, context);
    for (const key of keys) {
      await keyUse.forget(key);
      await vault.delete({ kind: 'api-key', id: key });
    }
    return { data: { id, deleted } };
  },

  async 'accounts.reset'({ input, principal }, context) {
    const account_id = accountOf(principal, input.account_id, context);
    const seed = input.to === 'seed' ? requireSeed(context) : null;
    const data = await emptyAccount(account_id, context, async (tables) => {
      if (!(await tables.get('accounts', account_id))) throw notFound('Account');
    });
    if (seed !== null) await plantAccount(seed, account_id, context);
    return { data };
  },
};

/** What the new account has at first, of a snapshot of the asker's account; null where none is named. Throws a 400 Refusal. */
async function plantedFrom(
  name: string | undefined,
  account_id: string,
  principal: Principal,
  context: Context,
): Promise<Planted | null> {
  if (name === undefined) return null;
  const own = snapshotsOf(requireWorlds(context).snapshots, principal.account_id);
  const snapshot = own.find((each) => each.name === name);
  if (!snapshot)
    throw badRequest(`from must be the name of a snapshot of this API key's account, got ${quote(name)}`);
  return plantSnapshot(snapshot, account_id, context);
}

/** Throws a 400 Refusal where the service was started without a seed file. */
function requireSeed({ seedFile: seed }: Context): Seed {
  if (seed === null) throw badRequest('to must be "empty": this service was started without --seed-file');
  return seed;
}
