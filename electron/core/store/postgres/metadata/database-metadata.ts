import type { Awaitable } from '../../../base/awaitable.ts';
import type { Clock } from '../../../base/clock.ts';
import { StoreError } from '../../../base/errors.ts';
import { BUDGET, tooDeep, type Budget } from '../../metadata/budget.ts';
import { newLayer } from '../../metadata/live-tables.ts';
import { firstMetadata } from '../../metadata/metadata-schema.ts';
import type { Metadata, WritableTables } from '../../metadata/metadata.ts';
import { weigh } from '../../metadata/weights.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { Lost, sqlState } from '../connection/database-errors.ts';
import { ChangedTables } from './changed-tables.ts';
import { Known, KnownTables } from './known-tables.ts';
import { SharedReads } from './shared-reads.ts';
import { SnapshotTables } from './snapshot-tables.ts';
import { Sums } from './sums.ts';
import { writeChange } from './write-change.ts';

interface Change {
  readonly work: (tables: WritableTables) => unknown;
  result?: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A change that was kept or refused; nobody is told before the transaction has ended. */
type Outcome = { readonly change: Change; readonly refusal?: unknown };

/**
 * Opens the metadata of a database, which other services may have open, too; makes its first account where it is new.
 * What one service changes the next one reads (shared-reads.ts). A change holds the one row of `metadata_state`, wherever
 * it is made: so it runs alone, and sees what the one before it did. Changes of this service that wait together share a
 * transaction. Throws StoreError.
 */
export async function openDatabaseMetadata({
  database,
  clock,
  budget = BUDGET,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly budget?: Budget;
}): Promise<Metadata> {
  await database.change((asker) => makeFirst(asker, clock));
  const reads = new SharedReads(database);
  let waiting: Change[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    // Lets everything that was called in the same turn ride the first transaction.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        const outcomes = await database.change((asker) =>
          make(asker, together, { known: reads.known, budget }),
        );
        for (const { change, ...rest } of outcomes) {
          if ('refusal' in rest) change.reject(rest.refusal);
          else change.resolve(change.result);
        }
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    draining = null;
  }

  return {
    notes: [],
    read: (look) => reads.read(look),
    change<T>(work: (tables: WritableTables) => Awaitable<T>): Promise<T> {
      if (closed)
        return Promise.reject(new StoreError('closed', 'The service is stopping: nothing was changed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Change['resolve'], reject });
        draining ??= drain();
      });
    },
    async close() {
      closed = true;
      await draining;
    },
  };
}

/** Makes changes one after the other, in one transaction, which may run more than once. */
async function make(
  asker: Asker,
  changes: readonly Change[],
  { known, budget }: { readonly known: Known; readonly budget: Budget },
): Promise<readonly Outcome[]> {
  const [state] = await asker.ask<{
    readonly next_sequence: number;
    readonly version: number;
    readonly bytes: number;
  }>('SELECT next_sequence, version, bytes FROM metadata_state FOR UPDATE');
  if (!state) throw new TypeError('metadata_state has no row');
  const { next_sequence, version, bytes: all } = state;
  const same = known.version === version ? known : new Known(version);
  const tables = new ChangedTables(new KnownTables(same, new SnapshotTables(asker)), {
    sums: new Sums(asker, { all, budget }),
    next_sequence,
  });
  const outcomes: Outcome[] = [];
  for (const change of changes) {
    try {
      change.result = await change.work(tables);
      await tables.keep();
      outcomes.push({ change });
    } catch (error) {
      // What the database said ends the transaction: none of them is kept.
      if (error instanceof Lost || sqlState(error) !== null) throw error;
      tables.takeBack();
      outcomes.push({ change, refusal: error instanceof RangeError ? tooDeep() : error });
    }
  }
  const net = tables.net();
  if (net) await writeChange(asker, net);
  return outcomes;
}

/** The first service that opens a database makes its first account; of several at once, one does. */
async function makeFirst(asker: Asker, clock: Clock): Promise<void> {
  const first = firstMetadata(clock.now());
  const { settings, next_sequence } = first;
  const made = await asker.ask(
    `INSERT INTO metadata_state (one, installation_id, default_account_id, next_sequence) VALUES (1, $1, $2, $3)
      ON CONFLICT (one) DO NOTHING RETURNING one`,
    [settings.installation_id, settings.default_account_id, next_sequence],
  );
  if (made.length === 0) return;
  const layer = newLayer();
  for (const account of first.rows('accounts')) layer.accounts.set(account.id, account);
  await writeChange(asker, { rows: layer, weights: weigh(first), next_sequence, deletions: [] });
}
