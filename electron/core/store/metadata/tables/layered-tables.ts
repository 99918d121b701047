import type { Awaitable } from '../../../base/awaitable.ts';
import { bySequence, hasAll, type AnyRow } from '../any-row.ts';
import { freeze } from '../freeze.ts';
import type { Layer } from './layer.ts';
import type { LiveTables } from './live-tables.ts';
import type {
  PendingDeletion,
  Row,
  Settings,
  StoredDevice,
  StoredKey,
  TableName,
} from '../metadata-schema.ts';
import type { Having, Tables } from '../metadata.ts';
import type { Sender } from '../sender.ts';
import { findSender } from './find-sender.ts';

/**
 * Live tables seen through layers, the uppermost first: the first layer with a row wins. A row is frozen when it is handed
 * out, not when it is read: a start reads ten thousand that are not asked for.
 */
export class LayeredTables implements Tables {
  protected readonly live: LiveTables;
  readonly #layers: readonly Layer[];
  readonly #settings: Settings;
  readonly #deletions: readonly PendingDeletion[];

  constructor(
    live: LiveTables,
    layers: readonly Layer[],
    { settings, deletions }: { readonly settings: Settings; readonly deletions: readonly PendingDeletion[] },
  ) {
    this.live = live;
    this.#layers = layers;
    this.#settings = settings;
    this.#deletions = deletions;
  }

  get<Name extends TableName>(table: Name, id: string): Row<Name> | null {
    return this.#find(table, id) as Row<Name> | null;
  }

  list<Name extends TableName>(table: Name, having: Having[Name] = {}): readonly Row<Name>[] {
    const below = this.live[table].list(having);
    const changed = this.#changed(table);
    if (changed.size === 0) return frozen(below) as unknown as Row<Name>[];
    const rows = below.filter(({ id }) => !changed.has(id));
    for (const id of changed) {
      const row = this.#find(table, id);
      if (row && hasAll(row, having)) rows.push(row);
    }
    return frozen(rows.toSorted(bySequence)) as unknown as Row<Name>[];
  }

  count<Name extends TableName>(table: Name, having: Having[Name] = {}): number {
    let count = this.live[table].count(having);
    for (const id of this.#changed(table)) {
      const [before, after] = [this.live[table].get(id), this.#find(table, id)];
      if (before && hasAll(before, having)) count--;
      if (after && hasAll(after, having)) count++;
    }
    return count;
  }

  held(table: TableName, ids: readonly string[]): readonly string[] {
    const changed = this.#changed(table);
    return ids.filter((id) => (changed.has(id) ? this.#find(table, id) !== null : this.live[table].has(id)));
  }

  keyByHash(hash: string): StoredKey | null {
    return this.#byHash('api_keys', hash) as StoredKey | null;
  }

  deviceByTokenHash(hash: string): StoredDevice | null {
    return this.#byHash('devices', hash) as StoredDevice | null;
  }

  senderByTokenHash(hash: string): Awaitable<Sender | null> {
    return findSender(this, hash);
  }

  settings(): Settings {
    return this.#settings;
  }

  deletions(): readonly PendingDeletion[] {
    return this.#deletions;
  }

  versionOf(table: TableName): object | null {
    return this.#isTouched(table) ? null : this.live[table].version;
  }

  #find(table: TableName, id: string): AnyRow | null {
    for (const layer of this.#layers) {
      const row = layer[table].get(id);
      if (row !== undefined) return row;
    }
    return freeze(this.live[table].get(id) ?? null);
  }

  #byHash(table: 'devices' | 'api_keys', hash: string): AnyRow | null {
    // As nearly always; each message of a device asks.
    if (!this.#isTouched(table)) return freeze(this.live[table].byHash(hash) ?? null);
    for (const [i, layer] of this.#layers.entries()) {
      const row = layer[table].byHash(hash);
      // One of an upper layer is what it is now.
      if (row && !this.#isIn(table, row.id, i)) return row;
    }
    const below = this.live[table].byHash(hash);
    return below && !this.#isIn(table, below.id) ? freeze(below) : null;
  }

  /** Whether one of the layers, or of so many uppermost, says something of a row. */
  #isIn(table: TableName, id: string, layers = this.#layers.length): boolean {
    return this.#layers.slice(0, layers).some((layer) => layer[table].has(id));
  }

  #isTouched(table: TableName): boolean {
    return this.#layers.some((layer) => layer[table].size > 0);
  }

  /** The ids that the layers say something of. */
  #changed(table: TableName): ReadonlySet<string> {
    return new Set(this.#layers.flatMap((layer) => [...layer[table].keys()]));
  }
}

function frozen(rows: readonly AnyRow[]): readonly AnyRow[] {
  for (const row of rows) freeze(row);
  return rows;
}
