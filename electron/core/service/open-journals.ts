import { StoreChecks } from '../api/store-checks.ts';
import { Restores } from '../api/backup/restores.ts';
import type { Backend } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { Arrivals } from '../ingest/arrivals.ts';
import { SyncBaseline } from '../push/sync-baseline.ts';

interface Parts extends Backend {
  readonly clock: Clock;
  readonly default_account_id: string;
  readonly log: Logger;
}

/** What a service remembers beside its store; closed with `stack`. Rejects with StoreError. */
export async function openJournals(parts: Parts, stack: AsyncDisposableStack) {
  const baseline = await SyncBaseline.open(parts.journal('push-agreed', 1));
  stack.defer(() => baseline.close());
  const checks = await StoreChecks.open(parts.lines('store-check', 1), parts);
  stack.defer(() => checks.close());
  const restores = await Restores.open(parts.journal('restore', 1));
  stack.defer(() => restores.close());
  return { baseline, checks, restores, arrivals: new Arrivals(parts.events) };
}
