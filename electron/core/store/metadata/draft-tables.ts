import { freshIndex, keptIndex, type MetadataIndex } from './metadata-index.ts';
import {
  emptyTable,
  freeze,
  type MetadataState,
  type PendingDeletion,
  type Row,
  type Table,
  type TableName,
} from './metadata-schema.ts';
import { checkHeader, checkRow } from './metadata-text.ts';
import type { Fields, NewRow, WritableTables } from './metadata.ts';
import { StateTables } from './state-tables.ts';

type Copy = Record<string, Row<TableName>>;

/**
 * The next state in the making. Changes follow one another on it, each of which is kept or taken back whole: a copy of the
 * tables for each change would be one of all devices. A table is copied when a change touches it first.
 */
export class DraftTables extends StateTables implements WritableTables {
  readonly #copies = new Map<TableName, Copy>();
  /** Tables that a kept change has touched. */
  readonly #changed = new Set<TableName>();
  #nextSequence: number;
  #deletions: readonly PendingDeletion[];
  /** As they were before the present change. */
  #before: { readonly nextSequence: number; readonly deletions: readonly PendingDeletion[] };
  #touched: { readonly table: TableName; readonly id: string; readonly row: Row<TableName> | undefined }[] =
    [];

  constructor(base: MetadataState) {
    super(base);
    this.#nextSequence = base.next_sequence;
    this.#deletions = base.deletions;
    this.#before = { nextSequence: this.#nextSequence, deletions: this.#deletions };
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    if (this.get(table, row.id)) throw new TypeError(`${table} holds ${row.id} already`);
    return this.#put(table, { ...row, sequence: this.#nextSequence++ } as Row<Name>);
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
    delete this.#touch(table, id)[id];
    return true;
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#deletions = freeze([...this.#deletions, deletion]);
  }

  crossOutDeletion({ kind, project_id, device_ids }: PendingDeletion): void {
    const rest = this.#deletions.filter(
      (each) => each.kind !== kind || each.project_id !== project_id || each.device_ids[0] !== device_ids[0],
    );
    if (rest.length < this.#deletions.length) this.#deletions = freeze(rest);
  }

  override deletions(): readonly PendingDeletion[] {
    return this.#deletions;
  }

  /** What was found in a table that is being changed holds for no time at all. */
  override versionOf(): null {
    return null;
  }

  /** Makes what the present change did part of the next state. Throws where that could not be read again. */
  keep(): void {
    for (const { table, id } of this.#touched) {
      const row = this.get(table, id);
      if (row) checkRow(table, row);
    }
    if (this.#deletions !== this.#before.deletions) checkHeader(this.#header());
    for (const { table } of this.#touched) this.#changed.add(table);
    this.#begin();
  }

  /** Undoes what the present change did. */
  takeBack(): void {
    for (const { table, id, row } of this.#touched.toReversed()) {
      const copy = this.#copyOf(table);
      if (row) copy[id] = row;
      else delete copy[id];
    }
    this.#nextSequence = this.#before.nextSequence;
    this.#deletions = this.#before.deletions;
    this.#begin();
  }

  /** The state with all that was kept; the one it began with where nothing changed. Ends the draft. */
  state(): MetadataState {
    if (this.#changed.size === 0 && this.#deletions === this.base.deletions) return this.base;
    const changed = Object.fromEntries([...this.#changed].map((table) => [table, this.rows(table)]));
    return freeze({ ...this.base, ...this.#header(), ...changed });
  }

  protected override rows<Name extends TableName>(table: Name): Table<Name> {
    return (this.#copies.get(table) as Table<Name> | undefined) ?? super.rows(table);
  }

  protected override indexOf(table: TableName): MetadataIndex {
    return this.#copies.has(table) ? freshIndex : keptIndex;
  }

  #header(): Omit<MetadataState, TableName> {
    const { version, settings } = this.base;
    return { version, settings, next_sequence: this.#nextSequence, deletions: this.#deletions };
  }

  #begin(): void {
    this.#touched = [];
    this.#before = { nextSequence: this.#nextSequence, deletions: this.#deletions };
  }

  #put<Name extends TableName>(table: Name, row: Row<Name>): Row<Name> {
    freeze(row);
    this.#touch(table, row.id)[row.id] = row;
    return row;
  }

  /** Remembers a row as it is; returns the table that may be changed. */
  #touch(table: TableName, id: string): Copy {
    const copy = this.#copyOf(table);
    this.#touched.push({ table, id, row: copy[id] });
    return copy;
  }

  #copyOf(table: TableName): Copy {
    let copy = this.#copies.get(table);
    if (!copy)
      this.#copies.set(table, (copy = Object.assign(emptyTable<Row<TableName>>(), this.base[table])));
    return copy;
  }
}
