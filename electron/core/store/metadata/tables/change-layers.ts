import { Pace } from '../../../turns/pace.ts';
import type { AnyRow } from '../any-row.ts';
import { Growth } from '../budget.ts';
import { freeze } from '../freeze.ts';
import { TABLE_NAMES, type PendingDeletion, type Row, type TableName } from '../metadata-schema.ts';
import { checkDeletion, checkRow } from '../metadata-text.ts';
import type { Fields, FormerRow, NewRow } from '../metadata.ts';
import { Weights } from '../weights.ts';
import type { Event, Origin } from '../../trail/entry.ts';
import type { RowChange } from '../../trail/row-changes.ts';
import { TrailDraft } from '../../trail/trail-draft.ts';
import type { Head } from '../../trail/chain.ts';
import type { Micros } from '#shared/values/time.ts';
import { newLayer, type Layer } from './layer.ts';
import { nameOf, withActs, type DeletionAct, type NetChange } from './net-change.ts';

/** What layers lie over, as far as they go on from it. */
export interface LayersBase {
  readonly next_sequence: number;
  readonly trail: Head;
}

/** Growth by the present change, and the rows that it changed. */
interface PresentGrowth {
  readonly growth: Growth;
  readonly rows: readonly RowChange[];
}

/** Changes of tables, as layers over them: they follow one another, and each is kept or taken back whole. */
export class ChangeLayers {
  /** Layers of changes: those kept so far, and the present one. */
  readonly #kept = newLayer();
  readonly #present = newLayer();
  readonly #keptActs: DeletionAct[] = [];
  #acts: DeletionAct[] = [];
  readonly #keptWeights = new Weights();
  readonly #trail: TrailDraft;
  #keptSequence: number;
  #sequence: number;

  /** `trail`: the last line before these changes; `now`: when they are made. */
  constructor({ next_sequence, trail }: LayersBase, now: () => Micros) {
    this.#sequence = this.#keptSequence = next_sequence;
    this.#trail = new TrailDraft(trail, now);
  }

  /** The uppermost first. */
  get layers(): readonly Layer[] {
    return [this.#present, this.#kept];
  }

  /** Growth of the bytes of all rows by the changes that were kept. */
  get weights(): Weights {
    return this.#keptWeights;
  }

  /** The next change comes from there. */
  begin(origin: Origin | undefined): void {
    this.#trail.begin(origin);
  }

  /** Adds an entry of the audit trail that is of no row; returns its number. */
  tell(event: Event): number {
    return this.#trail.tell(event);
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    return this.#put(table, { ...row, sequence: this.#sequence++ } as Row<Name>);
  }

  putBack(table: TableName, row: FormerRow): void {
    this.#put(table, row);
  }

  /** `row`: as it is. Returns it where the fields say nothing else. */
  patch<Name extends TableName>(table: Name, row: Row<Name>, fields: Fields<Name>): Row<Name> {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const isSame = given.every(([field, value]) => Object.is(value, row[field as keyof Row<Name>]));
    return isSame ? row : this.#put<Row<Name>>(table, { ...row, ...Object.fromEntries(given) });
  }

  remove(table: TableName, id: string): void {
    this.#present[table].set(id, null);
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ note: freeze(deletion) });
  }

  crossOutDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ cross_out: nameOf(deletion) });
  }

  deletions(below: readonly PendingDeletion[]): readonly PendingDeletion[] {
    return withActs(below, [...this.#keptActs, ...this.#acts]);
  }

  /**
   * Resolves with the growth by the present change, in slices of time: it may make ten thousand devices. `below`: a row of
   * the tables under the layers. Rejects where a row could not be read again.
   */
  async growth(below: (table: TableName, id: string) => AnyRow | null): Promise<PresentGrowth> {
    const pace = new Pace();
    const growth = new Growth();
    const rows: RowChange[] = [];
    for (const table of TABLE_NAMES)
      for (const [id, row] of this.#present[table]) {
        const kept = this.#kept[table].get(id);
        const before = kept === undefined ? below(table, id) : kept;
        growth.add(table, before, row, row ? checkRow(table, row) : 0);
        rows.push({ table, id, before, after: row });
        if (pace.isOver) await pace.pause();
      }
    return { growth, rows };
  }

  /**
   * Makes what the present change did part of what is kept, and tells the audit trail of it. Rejects, and keeps nothing, where it could
   * not be read again.
   */
  async keep({ growth, rows }: PresentGrowth): Promise<void> {
    for (const act of this.#acts) if ('note' in act) checkDeletion(act.note);
    await this.#trail.tellRows(rows, this.#acts);
    this.#trail.keep();
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
    this.#trail.takeBack();
    this.#begin();
  }

  /** The changes that were kept; null where there is none. */
  net(): NetChange | null {
    const rows = this.#kept;
    const trail = this.#trail.lines;
    const isEmpty = this.#keptActs.length === 0 && trail.length === 0;
    if (isEmpty && TABLE_NAMES.every((table) => rows[table].size === 0)) return null;
    const weights = this.#keptWeights;
    return { rows, weights, next_sequence: this.#keptSequence, deletions: this.#keptActs, trail };
  }

  #begin(): void {
    for (const table of TABLE_NAMES) this.#present[table].clear();
    this.#acts = [];
  }

  #put<Put extends AnyRow>(table: TableName, row: Put): Put {
    const frozen: AnyRow = freeze(row);
    this.#present[table].set(row.id, frozen);
    return row;
  }
}

export const isTaken = (table: TableName, id: string) => new TypeError(`${table} holds ${id} already`);
