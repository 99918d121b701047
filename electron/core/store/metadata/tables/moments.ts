import type { Awaitable } from '../../../base/awaitable.ts';
import type { AnyRow } from '../any-row.ts';
import { Growth } from '../budget.ts';
import { LayeredTables } from './layered-tables.ts';
import { LiveTable, newLayer, type Layer, type LiveTables, type UnreadRows } from './live-tables.ts';
import { TABLE_NAMES, type MetadataState, type PendingDeletion, type TableName } from '../metadata-schema.ts';
import type { Tables } from '../metadata.ts';
import { withActs, type NetChange } from './net-change.ts';
import { bytesOf, type Weights } from '../weights.ts';

/** A state as it is opened, of whose rows most may be read later. */
export interface ReadState extends Omit<MetadataState, 'rows'> {
  /** In the order in which they were made. */
  rows(table: TableName): readonly AnyRow[] | UnreadRows;
}

/** The tables as they are from one change to the next, and what was there then of the rows that changed since. */
interface Moment {
  readonly before: Layer;
  readonly tables: LayeredTables;
  readers: number;
}

/**
 * The committed metadata, in memory. Changes are made in place; a look that waits while one is made keeps its moment:
 * the rows are set aside for it as they were. So nobody pays for what nobody looks at.
 */
export class Moments implements MetadataState {
  readonly settings: MetadataState['settings'];
  next_sequence: number;
  deletions: readonly PendingDeletion[];
  readonly live: LiveTables;
  readonly #open = new Set<Moment>();
  #now: Moment;

  /** How much of it there is, with what `apply` was told of. */
  readonly weights: Weights;

  /** `state` in the order in which its rows were made; `weights`: its own, which this keeps up. */
  constructor(state: ReadState, weights: Weights) {
    this.weights = weights;
    this.settings = state.settings;
    this.next_sequence = state.next_sequence;
    this.deletions = state.deletions;
    const live = {} as { [Name in TableName]: LiveTable };
    for (const name of TABLE_NAMES) live[name] = new LiveTable(name, state.rows(name));
    this.live = live;
    this.#now = this.#begin();
  }

  rows(table: TableName) {
    return this.live[table].list({});
  }

  /** What `look` finds at this moment, however long it takes. */
  read<T>(look: (tables: Tables) => Awaitable<T>): Awaitable<T> {
    const moment = this.#now;
    const found = look(moment.tables);
    if (!(found instanceof Promise)) return found;
    moment.readers++;
    this.#open.add(moment);
    return found.finally(() => {
      if (--moment.readers === 0) this.#open.delete(moment);
    });
  }

  /** Makes a change of which only the rows are known. */
  replay(change: Omit<NetChange, 'weights'>): void {
    const growth = new Growth();
    for (const table of TABLE_NAMES)
      for (const [id, row] of change.rows[table])
        growth.add(table, this.live[table].get(id) ?? null, row, row ? bytesOf(row) : 0);
    this.apply({ ...change, weights: growth.weights });
  }

  apply({ rows, next_sequence, deletions, weights }: NetChange): void {
    for (const table of TABLE_NAMES) {
      const live = this.live[table];
      for (const [id, row] of rows[table]) {
        const before = live.get(id) ?? null;
        for (const moment of this.#open)
          if (!moment.before[table].has(id)) moment.before[table].set(id, before);
        if (row) live.put(row);
        else live.remove(id);
      }
    }
    this.next_sequence = next_sequence;
    this.deletions = withActs(this.deletions, deletions);
    this.weights.addAll(weights);
    this.#now = this.#begin();
  }

  #begin(): Moment {
    const before = newLayer();
    return { before, tables: new LayeredTables(this.live, [before], this), readers: 0 };
  }
}
