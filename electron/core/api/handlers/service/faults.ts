import { notFound } from '../../../base/errors.ts';
import { accountOf } from '../../authorize.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';

export const faultHandlers: HandlersOf<'faults'> = {
  async 'faults.get'({ input, principal }, context) {
    return { data: context.faults.of(await worldOf(principal, input.account_id, context)) };
  },

  async 'faults.set'({ input: { account_id, seed, rules }, principal }, context) {
    const world = await worldOf(principal, account_id, context);
    return { data: context.faults.set(world, seed ?? null, rules) };
  },

  async 'faults.clear'({ input, principal }, context) {
    return { data: context.faults.end(await worldOf(principal, input.account_id, context)) };
  },
};

/** Throws, or rejects with, a 403 Refusal as `accountOf`, a 404 one where there is no such account. */
async function worldOf(
  principal: Principal,
  account_id: string | undefined,
  context: Pick<Context, 'metadata' | 'default_account_id'>,
): Promise<string> {
  const world = accountOf(principal, account_id, context);
  if (!(await context.metadata.read((tables) => tables.get('accounts', world)))) throw notFound('Account');
  return world;
}
