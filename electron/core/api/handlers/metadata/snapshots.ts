import { formatSeconds } from '#shared/values/time.ts';
import type { WorldSnapshot } from '../../../store/world-snapshots.ts';
import { accountOf, worldOf } from '../../authorize.ts';
import type { Context, HandlersOf } from '../../context.ts';
import type { Principal } from '../../call.ts';
import { findSnapshot, requireWorlds, snapshotsOf } from '../../snapshots/find-snapshot.ts';
import { removeSnapshot } from '../../snapshots/remove-snapshot.ts';
import { restoreSnapshot } from '../../snapshots/restore-snapshot.ts';
import { takeSnapshot } from '../../snapshots/take-snapshot.ts';

export const snapshotHandlers: HandlersOf<'snapshots'> = {
  async 'snapshots.list'({ input, principal }, context) {
    const account_id = await worldOf(principal, input.account_id, context);
    return { data: snapshotsOf(requireWorlds(context).snapshots, account_id).map(said) };
  },

  async 'snapshots.create'({ input, principal }, context) {
    const account_id = accountOf(principal, input.account_id, context);
    return { data: said(await takeSnapshot(account_id, input.name, context)) };
  },

  async 'snapshots.remove'({ input, principal }, context) {
    const snapshot = await named(input, principal, context);
    await removeSnapshot(snapshot, context);
    return { data: said(snapshot) };
  },

  async 'snapshots.restore'({ input, principal }, context) {
    const snapshot = await named(input, principal, context);
    await restoreSnapshot(snapshot, principal, context);
    return { data: said(snapshot) };
  },
};

/** Rejects with a 403 Refusal where the account is out of reach, and a 404 where there is none, or it has no such snapshot. */
async function named(
  { snapshot, account_id }: { readonly snapshot: string; readonly account_id?: string | undefined },
  principal: Principal,
  context: Context,
): Promise<WorldSnapshot> {
  const account = await worldOf(principal, account_id, context);
  return findSnapshot(requireWorlds(context).snapshots, account, snapshot);
}

const said = ({ name, created, projects, devices, records }: WorldSnapshot) => ({
  name,
  created_at: formatSeconds(created),
  projects,
  devices,
  records,
});
