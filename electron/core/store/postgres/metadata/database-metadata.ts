import type { Micros } from '#shared/values/time.ts';
import type { Chances } from '../../../base/chance.ts';
import type { MonotonicMs } from '../../../base/machine-clock.ts';
import type { Clock } from '../../../base/clock.ts';
import { BUDGET, type Budget } from '../../metadata/budget.ts';
import { changeQueue, makeChanges, type PendingChange } from '../../metadata/tables/change-queue.ts';
import { newLayer } from '../../metadata/tables/layer.ts';
import { firstMetadata, type MetadataState } from '../../metadata/metadata-schema.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { weigh } from '../../metadata/weights.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { Lost, sqlState } from '../connection/database-errors.ts';
import type { ChangedNames } from './changed-names.ts';
import { ChangedTables } from './changed-tables.ts';
import { databaseTrail } from './database-trail.ts';
import { Memo, MemoTables } from './memo-tables.ts';
import { SharedReads } from './shared-reads.ts';
import { SnapshotTables } from './snapshot-tables.ts';
import { Sums } from './sums.ts';
import { writeChange } from './write-change.ts';

/**
 * Opens the metadata of a database, which other services may have open, too; makes its first account where it is new.
 * What one service changes the next one reads (shared-reads.ts). A change holds the one row of `metadata_state`, wherever
 * it is made: so it runs alone, and sees what the one before it did. Changes of this service that wait together share a
 * transaction. Throws StoreError.
 */
export async function openDatabaseMetadata({
  database,
  clock,
  chance,
  budget = BUDGET,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Pick<Chances, 'of'>;
  readonly budget?: Budget;
}): Promise<Metadata> {
  const now = () => clock.now();
  await database.change((asker) => makeFirst(asker, firstMetadata(now(), chance)));
  const reads = new SharedReads(database);
  const changes = changeQueue((together) =>
    database.change((asker) => make(asker, together, { memo: reads.memo, budget, now }), {
      untilMs: (Math.min(...together.map(({ sinceMs }) => sinceMs)) + database.patienceMs) as MonotonicMs,
    }),
  );
  return {
    notes: [],
    trail: databaseTrail(database),
    read: (look, options) => reads.read(look, options),
    ...changes,
  };
}

/** Makes changes one after the other, in one transaction, which may run more than once. */
async function make(
  asker: Asker,
  changes: readonly PendingChange[],
  { memo, budget, now }: { readonly memo: Memo; readonly budget: Budget; readonly now: () => Micros },
): Promise<void> {
  const [state] = await asker.ask<{
    readonly next_sequence: number;
    readonly version: number;
    readonly bytes: number;
    readonly trail_n: number;
    readonly trail_hash: string;
  }>('SELECT next_sequence, version, bytes, trail_n, trail_hash FROM metadata_state FOR UPDATE');
  if (!state) throw new TypeError('metadata_state has no row');
  const { next_sequence, version, bytes: all } = state;
  const trail = { n: state.trail_n, hash: state.trail_hash };
  const same = memo.version === version ? memo : new Memo(version, memo.history);
  const tables = new ChangedTables(MemoTables.over(new SnapshotTables(asker), same), {
    sums: new Sums(asker, { all, budget }),
    next_sequence,
    trail,
    now,
  });
  // What the database said ends the transaction: none of them is kept.
  await makeChanges(changes, tables, (error) => error instanceof Lost || sqlState(error) !== null);
  const net = tables.net();
  if (net) await writeChange(asker, net, { names: tables.names(net), trail });
}

const NO_NAMES: ChangedNames = { hashes: [], projects: [] };

/** The first service that opens a database makes its first account; of several at once, one does. */
async function makeFirst(asker: Asker, first: MetadataState): Promise<void> {
  const { settings, next_sequence } = first;
  const made = await asker.ask(
    `INSERT INTO metadata_state (one, installation_id, default_account_id, next_sequence) VALUES (1, $1, $2, $3)
      ON CONFLICT (one) DO NOTHING RETURNING one`,
    [settings.installation_id, settings.default_account_id, next_sequence],
  );
  if (made.length === 0) return;
  const layer = newLayer();
  for (const account of first.rows('accounts')) layer.accounts.set(account.id, account);
  const net = { rows: layer, weights: weigh(first), next_sequence, deletions: [], trail: [] };
  await writeChange(asker, net, { names: NO_NAMES, trail: first.trail });
}
