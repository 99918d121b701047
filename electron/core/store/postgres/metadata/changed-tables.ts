import type { Awaitable } from '../../../base/awaitable.ts';
import { Pace } from '../../../turns/pace.ts';
import { bySequence, hasAll, type AnyHaving, type AnyRow } from '../../metadata/any-row.ts';
import { Growth } from '../../metadata/budget.ts';
import { freeze } from '../../metadata/freeze.ts';
import { newLayer, type Layer } from '../../metadata/live-tables.ts';
import { checkDeletion, checkRow } from '../../metadata/metadata-text.ts';
import {
  TABLE_NAMES,
  type PendingDeletion,
  type Row,
  type Settings,
  type StoredDevice,
  type StoredKey,
  type TableName,
} from '../../metadata/metadata-schema.ts';
import type { Fields, FormerRow, Having, NewRow, Tables, WritableTables } from '../../metadata/metadata.ts';
import { nameOf, withActs, type DeletionAct, type NetChange } from '../../metadata/net-change.ts';
import { Weights } from '../../metadata/weights.ts';
import type { Sums } from './sums.ts';

/**
 * What is about to be changed in the database, as layers over what a transaction reads that holds the metadata for itself:
 * changes follow one another on it, each of which is kept or taken back whole. Nothing is written before the end, and what
 * was read once is not asked for again.
 */
export class ChangedTables implements WritableTables {
  readonly #below: Tables;
  /** Rows as they were read; null: there is none. */
  readonly #read = newLayer();
  /** What changes that were kept did, and what the present one does. */
  readonly #kept = newLayer();
  readonly #present = newLayer();
  readonly #layers: readonly Layer[] = [this.#present, this.#kept, this.#read];
  readonly #keptActs: DeletionAct[] = [];
  #acts: DeletionAct[] = [];
  /** Ids that the present change took for its own, which nobody has asked the database for. */
  readonly #taken: { readonly table: TableName; readonly id: string }[] = [];
  readonly #sums: Sums;
  readonly #keptWeights = new Weights();
  #keptSequence: number;
  #sequence: number;

  /** `below`: the tables as the transaction finds them; `sums`: how many bytes that is. */
  constructor(
    below: Tables,
    { sums, next_sequence }: { readonly sums: Sums; readonly next_sequence: number },
  ) {
    this.#below = below;
    this.#sums = sums;
    this.#sequence = this.#keptSequence = next_sequence;
  }

  async get<Name extends TableName>(table: Name, id: string): Promise<Row<Name> | null> {
    const known = this.#known(table, id);
    if (known !== undefined) return known as Row<Name> | null;
    const row = await this.#below.get(table, id);
    this.#read[table].set(id, row);
    return row;
  }

  async list<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<readonly Row<Name>[]> {
    const below: readonly AnyRow[] = await this.#below.list(table, having);
    for (const row of below) this.#read[table].set(row.id, row);
    const changed = this.#changed(table);
    const rows = below.filter(({ id }) => !changed.has(id));
    rows.push(...this.#having(table, changed, having));
    return rows.toSorted(bySequence) as unknown as Row<Name>[];
  }

  /** Nothing is listed for it: of what was changed it is known how it was. */
  async count<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<number> {
    let count = await this.#below.count(table, having);
    for (const id of this.#changed(table)) {
      // What was made without being asked for is refused at the end where it was there.
      const before = this.#read[table].get(id);
      const now = this.#known(table, id);
      count +=
        Number(Boolean(now && hasAll(now, having))) - Number(Boolean(before && hasAll(before, having)));
    }
    return count;
  }

  async held(table: TableName, ids: readonly string[]): Promise<readonly string[]> {
    const unread = ids.filter((id) => this.#known(table, id) === undefined);
    const below = new Set(unread.length === 0 ? [] : await this.#below.held(table, unread));
    return ids.filter((id) => this.#known(table, id) ?? below.has(id));
  }

  async keyByHash(hash: string): Promise<StoredKey | null> {
    const found = this.#changedByHash('api_keys', (row) => row.hash === hash);
    return (found ?? (await this.#unchanged('api_keys', this.#below.keyByHash(hash)))) as StoredKey | null;
  }

  async deviceByTokenHash(hash: string): Promise<StoredDevice | null> {
    const found = this.#changedByHash('devices', (row) => row.token_hash === hash);
    const below = found ?? (await this.#unchanged('devices', this.#below.deviceByTokenHash(hash)));
    return below as StoredDevice | null;
  }

  settings(): Awaitable<Settings> {
    return this.#below.settings();
  }

  async deletions(): Promise<readonly PendingDeletion[]> {
    return withActs(await this.#below.deletions(), [...this.#keptActs, ...this.#acts]);
  }

  /** What was found in a table that is being changed holds for no time at all. */
  versionOf(): null {
    return null;
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    return this.#add(table, { ...row, sequence: this.#sequence++ } as Row<Name>);
  }

  putBack(table: TableName, row: FormerRow): void {
    this.#add(table, row);
  }

  async patch<Name extends TableName>(
    table: Name,
    id: string,
    fields: Fields<Name>,
  ): Promise<Row<Name> | null> {
    const row = await this.get(table, id);
    if (!row) return null;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const isSame = given.every(([field, value]) => Object.is(value, row[field as keyof Row<Name>]));
    if (isSame) return row;
    return this.#put<Row<Name>>(table, { ...row, ...Object.fromEntries(given) });
  }

  async remove(table: TableName, id: string): Promise<boolean> {
    if (!(await this.get(table, id))) return false;
    this.#present[table].set(id, null);
    return true;
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ note: freeze(deletion) });
  }

  crossOutDeletion(deletion: PendingDeletion): void {
    this.#acts.push({ cross_out: nameOf(deletion) });
  }

  /**
   * Makes what the present change did part of what is to be kept, in slices of time: a change may make ten thousand devices.
   * Rejects where that could not be read again, where it is more than the budget allows, or where an id was taken already
   * (TypeError).
   */
  async keep(): Promise<void> {
    await this.#refuseTaken();
    const pace = new Pace();
    const growth = new Growth();
    for (const table of TABLE_NAMES)
      for (const [id, row] of this.#present[table]) {
        const before =
          this.#kept[table].get(id) ?? (this.#kept[table].has(id) ? null : this.#read[table].get(id));
        growth.add(table, before ?? null, row, row ? checkRow(table, row) : 0);
        await pace.pause();
      }
    if (growth.isAsked)
      growth.check(this.#sums.budget, await this.#sums.of(growth.weights, this.#keptWeights));
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
    this.#taken.length = 0;
  }

  #add<Added extends AnyRow>(table: TableName, row: Added): Added {
    const known = this.#known(table, row.id);
    if (known) throw isTaken(table, row.id);
    if (known === undefined) this.#taken.push({ table, id: row.id });
    return this.#put(table, row);
  }

  #put<Put extends AnyRow>(table: TableName, row: Put): Put {
    const frozen: AnyRow = freeze(row);
    this.#present[table].set(row.id, frozen);
    return row;
  }

  async #refuseTaken(): Promise<void> {
    for (const table of TABLE_NAMES) {
      const ids = this.#taken.filter((each) => each.table === table).map(({ id }) => id);
      const [held] = ids.length === 0 ? [] : await this.#below.held(table, ids);
      if (held !== undefined) throw isTaken(table, held);
    }
  }

  /** Undefined where nobody has asked the database yet. */
  #known(table: TableName, id: string): AnyRow | null | undefined {
    for (const layer of this.#layers) {
      const row = layer[table].get(id);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** The ids of what was changed. */
  #changed(table: TableName): ReadonlySet<string> {
    return new Set([...this.#present[table].keys(), ...this.#kept[table].keys()]);
  }

  #having(table: TableName, ids: ReadonlySet<string>, having: AnyHaving): AnyRow[] {
    const rows = [...ids].map((id) => this.#known(table, id) ?? null);
    return rows.filter((row) => row !== null).filter((row) => hasAll(row, having));
  }

  #changedByHash(table: TableName, isIt: (row: AnyRow) => boolean): AnyRow | undefined {
    return this.#having(table, this.#changed(table), {}).find(isIt);
  }

  /** What was found below, unless it is another by now. */
  async #unchanged(table: TableName, finding: Awaitable<AnyRow | null>): Promise<AnyRow | null> {
    const found = await finding;
    return found && !this.#changed(table).has(found.id) ? found : null;
  }
}

const isTaken = (table: TableName, id: string) => new TypeError(`${table} holds ${id} already`);
