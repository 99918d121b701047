import type { Awaitable } from '../../../base/awaitable.ts';
import type { AnyRow } from '../any-row.ts';
import { Growth } from '../budget.ts';
import { LayeredTables } from './layered-tables.ts';
import { newLayer, type Layer } from './layer.ts';
import { LiveTable, type LiveTables, type UnreadRows } from './live-tables.ts';
import { TABLE_NAMES, type MetadataState, type PendingDeletion, type TableName } from '../metadata-schema.ts';
import { headAfter, type Head } from '../../trail/chain.ts';
import type { Tables } from '../metadata.ts';
import { withActs, type NetChange } from './net-change.ts';
import { bytesOf, type Weights } from '../weights.ts';

/** State as it is opened: most of its rows may be read later. */
export interface ReadState extends Omit<MetadataState, 'rows'> {
  /** In the order in which they were made. */
  rows(table: TableName): readonly AnyRow[] | UnreadRows;
}

/** The tables from one change to the next: the rows changed since, as they were. */
interface Snapshot {
  readonly before: Layer;
  readonly tables: LayeredTables;
  readers: number;
}

/**
 * The committed metadata in memory, with MVCC snapshots. Changes are made in place; a read that waits meanwhile keeps its
 * snapshot: changed rows are set aside for it as they were. Without such reads snapshots cost nothing.
 */
export class MetadataSnapshots implements MetadataState {
  readonly settings: MetadataState['settings'];
  next_sequence: number;
  deletions: readonly PendingDeletion[];
  trail: Head;
  readonly live: LiveTables;
  readonly #open = new Set<Snapshot>();
  #now: Snapshot;

  /** Weights of the rows, changes applied since included. */
  readonly weights: Weights;

  /** `state` in the order in which its rows were made; `weights`: its own, which this keeps up. */
  constructor(state: ReadState, weights: Weights) {
    this.weights = weights;
    this.settings = state.settings;
    this.next_sequence = state.next_sequence;
    this.deletions = state.deletions;
    this.trail = state.trail;
    const live = {} as { [Name in TableName]: LiveTable };
    for (const name of TABLE_NAMES) live[name] = new LiveTable(name, state.rows(name));
    this.live = live;
    this.#now = this.#begin();
  }

  rows(table: TableName) {
    return this.live[table].list({});
  }

  /** Returns the result of `look` on a snapshot of this moment, however long it takes. */
  read<T>(look: (tables: Tables) => Awaitable<T>): Awaitable<T> {
    const snapshot = this.#now;
    const found = look(snapshot.tables);
    if (!(found instanceof Promise)) return found;
    snapshot.readers++;
    this.#open.add(snapshot);
    return found.finally(() => {
      if (--snapshot.readers === 0) this.#open.delete(snapshot);
    });
  }

  /** Applies a change of which only the rows are known. */
  replay(change: Omit<NetChange, 'weights'>): void {
    const growth = new Growth();
    for (const table of TABLE_NAMES)
      for (const [id, row] of change.rows[table])
        growth.add(table, this.live[table].get(id) ?? null, row, row ? bytesOf(row) : 0);
    this.apply({ ...change, weights: growth.weights });
  }

  apply({ rows, next_sequence, deletions, weights, trail }: NetChange): void {
    for (const table of TABLE_NAMES) {
      const live = this.live[table];
      for (const [id, row] of rows[table]) {
        const before = live.get(id) ?? null;
        for (const snapshot of this.#open)
          if (!snapshot.before[table].has(id)) snapshot.before[table].set(id, before);
        if (row) live.put(row);
        else live.remove(id);
      }
    }
    this.next_sequence = next_sequence;
    this.deletions = withActs(this.deletions, deletions);
    this.trail = headAfter(this.trail, trail);
    this.weights.addAll(weights);
    this.#now = this.#begin();
  }

  #begin(): Snapshot {
    const before = newLayer();
    return { before, tables: new LayeredTables(this.live, [before], this), readers: 0 };
  }
}
