import type { Micros } from '#shared/values/time.ts';
import type { Event, Origin } from '../../trail/entry.ts';
import type { Budget } from '../budget.ts';
import type { MetadataState, PendingDeletion, Row, TableName } from '../metadata-schema.ts';
import type { Fields, FormerRow, NewRow } from '../metadata.ts';
import type { Weights } from '../weights.ts';
import { ChangeLayers, isTaken } from './change-layers.ts';
import type { Draft } from './change-queue.ts';
import { LayeredTables } from './layered-tables.ts';
import type { LiveTables } from './live-tables.ts';
import type { NetChange } from './net-change.ts';

/** Draft of changes to the metadata in memory: layers over the tables that everybody reads. */
export class DraftTables extends LayeredTables implements Draft {
  readonly #changes: ChangeLayers;
  readonly #base: Pick<MetadataState, 'deletions'> & { readonly weights: Weights };
  readonly #budget: Budget;

  constructor(
    base: MetadataState & { readonly live: LiveTables; readonly weights: Weights },
    budget: Budget,
    now: () => Micros,
  ) {
    const changes = new ChangeLayers(base, now);
    super(base.live, changes.layers, base);
    this.#changes = changes;
    this.#base = base;
    this.#budget = budget;
  }

  begin(origin: Origin | undefined): void {
    this.#changes.begin(origin);
  }

  tell(event: Event): number {
    return this.#changes.tell(event);
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    if (this.get(table, row.id)) throw isTaken(table, row.id);
    return this.#changes.insert(table, row);
  }

  putBack(table: TableName, row: FormerRow): void {
    if (this.get(table, row.id)) throw isTaken(table, row.id);
    this.#changes.putBack(table, row);
  }

  patch<Name extends TableName>(table: Name, id: string, fields: Fields<Name>): Row<Name> | null {
    const row = this.get(table, id);
    return row && this.#changes.patch(table, row, fields);
  }

  remove(table: TableName, id: string): boolean {
    if (!this.get(table, id)) return false;
    this.#changes.remove(table, id);
    return true;
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#changes.noteDeletion(deletion);
  }

  crossOutDeletion(deletion: PendingDeletion): void {
    this.#changes.crossOutDeletion(deletion);
  }

  override deletions(): readonly PendingDeletion[] {
    return this.#changes.deletions(this.#base.deletions);
  }

  /** No version: nothing that is found in tables under change may be cached. */
  override versionOf(): null {
    return null;
  }

  async keep(): Promise<void> {
    const present = await this.#changes.growth((table, id) => this.live[table].get(id) ?? null);
    const [base, kept] = [this.#base.weights, this.#changes.weights];
    present.growth.check(this.#budget, (project) =>
      project === null ? base.all + kept.all : base.ofProject(project) + kept.ofProject(project),
    );
    await this.#changes.keep(present);
  }

  takeBack(): void {
    this.#changes.takeBack();
  }

  net(): NetChange | null {
    return this.#changes.net();
  }
}
