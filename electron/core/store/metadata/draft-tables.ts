import { Pace } from '../../turns/pace.ts';
import type { AnyRow } from './any-row.ts';
import { Growth, type Budget } from './budget.ts';
import { freeze } from './freeze.ts';
import { LayeredTables } from './layered-tables.ts';
import { newLayer, type Layer, type LiveTables } from './live-tables.ts';
import { checkDeletion, checkRow } from './metadata-text.ts';
import {
  TABLE_NAMES,
  type MetadataState,
  type PendingDeletion,
  type Row,
  type TableName,
} from './metadata-schema.ts';
import type { Fields, FormerRow, NewRow, WritableTables } from './metadata.ts';
import { nameOf, withActs, type DeletionAct, type NetChange } from './net-change.ts';
import { Weights } from './weights.ts';

/**
 * What is about to be changed, as layers over the tables that everybody reads: changes follow one another on it, each of
 * which is kept or taken back whole.
 */
export class DraftTables extends LayeredTables implements WritableTables {
  /** What changes that were kept did, and what the present one does. */
  readonly #kept: Layer;
  readonly #present: Layer;
  readonly #base: Pick<MetadataState, 'next_sequence' | 'deletions'> & { readonly weights: Weights };
  readonly #keptActs: DeletionAct[] = [];
  #acts: DeletionAct[] = [];
  readonly #budget: Budget;
  readonly #keptWeights = new Weights();
  #keptSequence: number;
  #sequence: number;

  constructor(
    base: MetadataState & { readonly live: LiveTables; readonly weights: Weights },
    budget: Budget,
  ) {
    const [present, kept] = [newLayer(), newLayer()];
    super(base.live, [present, kept], base);
    this.#present = present;
    this.#kept = kept;
    this.#base = base;
    this.#budget = budget;
    this.#sequence = this.#keptSequence = base.next_sequence;
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    if (this.get(table, row.id)) throw new TypeError(`${table} holds ${row.id} already`);
    return this.#put(table, { ...row, sequence: this.#sequence++ } as Row<Name>);
  }

  putBack(table: TableName, row: FormerRow): void {
    if (this.get(table, row.id)) throw new TypeError(`${table} holds ${row.id} already`);
    this.#present[table].set(row.id, freeze(row));
  }

  patch<Name extends TableName>(table: Name, id: string, fields: Fields<Name>): Row<Name> | null {
    const row = this.get(table, id);
    if (!row) return null;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const isSame = given.every(([field, value]) => Object.is(value, row[field as keyof Row<Name>]));
    return isSame ? row : this.#put(table, { ...row, ...Object.fromEntries(given) });
  }

  remove(table: TableName, id: string): boolean {
    if (!this.get(table, id)) return false;
    this.#present[table].set(id, null);
    return true;
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ note: freeze(deletion) });
  }

  crossOutDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ cross_out: nameOf(deletion) });
  }

  override deletions(): readonly PendingDeletion[] {
    return withActs(this.#base.deletions, [...this.#keptActs, ...this.#acts]);
  }

  /** What was found in a table that is being changed holds for no time at all. */
  override versionOf(): null {
    return null;
  }

  /**
   * Makes what the present change did part of what is to be kept, in slices of time: a change may make ten thousand devices.
   * Rejects where that could not be read again, or is more than `budget` allows.
   */
  async keep(): Promise<void> {
    const pace = new Pace();
    const growth = new Growth();
    for (const table of TABLE_NAMES)
      for (const [id, row] of this.#present[table]) {
        const before = this.#kept[table].get(id);
        const was = before === undefined ? (this.live[table].get(id) ?? null) : before;
        growth.add(table, was, row, row ? checkRow(table, row) : 0);
        await pace.pause();
      }
    const [base, kept] = [this.#base.weights, this.#keptWeights];
    growth.check(this.#budget, (project) =>
      project === null ? base.all + kept.all : base.ofProject(project) + kept.ofProject(project),
    );
    for (const act of this.#acts) if ('note' in act) checkDeletion(act.note);
    for (const table of TABLE_NAMES)
      for (const [id, row] of this.#present[table]) this.#kept[table].set(id, row);
    this.#keptWeights.addAll(growth.weights);
    this.#keptActs.push(...this.#acts);
    this.#keptSequence = this.#sequence;
    this.#begin();
  }

  /** Undoes what the present change did. */
  takeBack(): void {
    this.#sequence = this.#keptSequence;
    this.#begin();
  }

  /** All that was kept; null where that is nothing. */
  net(): NetChange | null {
    const rows = this.#kept;
    if (this.#keptActs.length === 0 && TABLE_NAMES.every((table) => rows[table].size === 0)) return null;
    const weights = this.#keptWeights;
    return { rows, weights, next_sequence: this.#keptSequence, deletions: this.#keptActs };
  }

  #begin(): void {
    for (const table of TABLE_NAMES) this.#present[table].clear();
    this.#acts = [];
  }

  #put<Name extends TableName>(table: Name, row: Row<Name>): Row<Name> {
    const frozen: AnyRow = freeze(row);
    this.#present[table].set(row.id, frozen);
    return row;
  }
}
