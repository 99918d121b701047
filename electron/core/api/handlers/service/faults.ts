import type { HandlersOf } from '../../context.ts';
import { worldOf } from '../../authorize.ts';

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
