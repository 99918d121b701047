import type { Micros } from '#shared/values/time.ts';
import type { Awaitable } from '../../../base/awaitable.ts';
import { bySequence, hasAll, type AnyHaving, type AnyRow } from '../../metadata/any-row.ts';
import {
  TABLE_NAMES,
  type PendingDeletion,
  type Row,
  type Settings,
  type StoredDevice,
  type StoredKey,
  type TableName,
} from '../../metadata/metadata-schema.ts';
import type { Fields, FormerRow, Having, NewRow, Tables } from '../../metadata/metadata.ts';
import type { Sender } from '../../metadata/sender.ts';
import { findSender } from '../../metadata/tables/find-sender.ts';
import { ChangeLayers, isTaken, type LayersBase } from '../../metadata/tables/change-layers.ts';
import type { Draft } from '../../metadata/tables/change-queue.ts';
import { newLayer, type Layer } from '../../metadata/tables/layer.ts';
import type { NetChange } from '../../metadata/tables/net-change.ts';
import { namesOf, type ChangedNames } from './changed-names.ts';
import type { Event, Origin } from '../../trail/entry.ts';
import type { Sums } from './sums.ts';

/**
 * Draft of changes to the metadata of a database: layers over the rows that a transaction reads which holds the metadata for
 * itself. Nothing is written before the end, and no row is asked for twice.
 */
export class ChangedTables implements Draft {
  readonly #below: Tables;
  /** Rows as they were read; null: there is none. */
  readonly #read = newLayer();
  readonly #changes: ChangeLayers;
  readonly #layers: readonly Layer[];
  /** Ids that the present change took, not yet looked up in the database. */
  readonly #taken: { readonly table: TableName; readonly id: string }[] = [];
  readonly #sums: Sums;

  /** `below`: the tables as the transaction finds them; `sums`: how many bytes that is. */
  constructor(
    below: Tables,
    { sums, now, ...base }: LayersBase & { readonly sums: Sums; readonly now: () => Micros },
  ) {
    this.#below = below;
    this.#sums = sums;
    this.#changes = new ChangeLayers(base, now);
    this.#layers = [...this.#changes.layers, this.#read];
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

  /** Counts without listing: the former state of changed rows is known. */
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

  async senderByTokenHash(hash: string): Promise<Sender | null> {
    return findSender(this, hash);
  }

  settings(): Awaitable<Settings> {
    return this.#below.settings();
  }

  async deletions(): Promise<readonly PendingDeletion[]> {
    return this.#changes.deletions(await this.#below.deletions());
  }

  /** No version: nothing that is found in tables under change may be cached. */
  versionOf(): null {
    return null;
  }

  begin(origin: Origin | undefined): void {
    this.#changes.begin(origin);
  }

  tell(event: Event): number {
    return this.#changes.tell(event);
  }

  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Row<Name> {
    this.#take(table, row.id);
    return this.#changes.insert(table, row);
  }

  putBack(table: TableName, row: FormerRow): void {
    this.#take(table, row.id);
    this.#changes.putBack(table, row);
  }

  async patch<Name extends TableName>(
    table: Name,
    id: string,
    fields: Fields<Name>,
  ): Promise<Row<Name> | null> {
    const row = await this.get(table, id);
    return row && this.#changes.patch(table, row, fields);
  }

  async remove(table: TableName, id: string): Promise<boolean> {
    if (!(await this.get(table, id))) return false;
    this.#changes.remove(table, id);
    return true;
  }

  noteDeletion(deletion: PendingDeletion): void {
    this.#changes.noteDeletion(deletion);
  }

  crossOutDeletion(deletion: PendingDeletion): void {
    this.#changes.crossOutDeletion(deletion);
  }

  /** Rejects, too, where an id was taken already (TypeError). */
  async keep(): Promise<void> {
    await this.#refuseTaken();
    const present = await this.#changes.growth((table, id) => this.#read[table].get(id) ?? null);
    const { growth } = present;
    if (growth.isAsked)
      growth.check(this.#sums.budget, await this.#sums.of(growth.weights, this.#changes.weights));
    await this.#changes.keep(present);
    this.#taken.length = 0;
  }

  takeBack(): void {
    this.#changes.takeBack();
    this.#taken.length = 0;
  }

  net(): NetChange | null {
    return this.#changes.net();
  }

  /** Returns what the changes that were kept name; null where it is too much. */
  names({ rows }: NetChange): ChangedNames | null {
    return namesOf(rows, (table, id) => this.#read[table].get(id) ?? null);
  }

  #take(table: TableName, id: string): void {
    const known = this.#known(table, id);
    if (known) throw isTaken(table, id);
    if (known === undefined) this.#taken.push({ table, id });
  }

  async #refuseTaken(): Promise<void> {
    for (const table of TABLE_NAMES) {
      const ids = this.#taken.filter((each) => each.table === table).map(({ id }) => id);
      const [held] = ids.length === 0 ? [] : await this.#below.held(table, ids);
      if (held !== undefined) throw isTaken(table, held);
    }
  }

  /** Returns the row in the layers; undefined where the database has to be asked. */
  #known(table: TableName, id: string): AnyRow | null | undefined {
    for (const layer of this.#layers) {
      const row = layer[table].get(id);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** The ids of what was changed. */
  #changed(table: TableName): ReadonlySet<string> {
    return new Set(this.#changes.layers.flatMap((layer) => [...layer[table].keys()]));
  }

  #having(table: TableName, ids: ReadonlySet<string>, having: AnyHaving): AnyRow[] {
    const rows = [...ids].map((id) => this.#known(table, id) ?? null);
    return rows.filter((row) => row !== null).filter((row) => hasAll(row, having));
  }

  #changedByHash(table: TableName, isIt: (row: AnyRow) => boolean): AnyRow | undefined {
    return this.#having(table, this.#changed(table), {}).find(isIt);
  }

  /** Resolves with the row found below, unless this change has replaced it by now. */
  async #unchanged(table: TableName, finding: Awaitable<AnyRow | null>): Promise<AnyRow | null> {
    const found = await finding;
    return found && !this.#changed(table).has(found.id) ? found : null;
  }
}
