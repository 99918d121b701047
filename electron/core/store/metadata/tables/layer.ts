import type { AnyRow } from '../any-row.ts';
import { TABLE_NAMES, type TableName } from '../metadata-schema.ts';
import { HASHES } from './live-tables.ts';

/** Rows of a table by their ids; null is one that is not there. */
export class LayerTable extends Map<string, AnyRow | null> {
  readonly #hashOf: ((row: AnyRow) => string) | undefined;
  readonly #ids = new Map<string, string>();

  constructor(name: TableName) {
    super();
    this.#hashOf = HASHES[name];
  }

  /** The row with this hash of its secret, without a look at the others: of a change of ten thousand each is looked for. */
  byHash(hash: string): AnyRow | null {
    const id = this.#ids.get(hash);
    return id === undefined ? null : (this.get(id) ?? null);
  }

  override set(id: string, row: AnyRow | null): this {
    if (this.#hashOf) {
      const old = this.get(id);
      if (old && this.#ids.get(this.#hashOf(old)) === id) this.#ids.delete(this.#hashOf(old));
      if (row) this.#ids.set(this.#hashOf(row), id);
    }
    return super.set(id, row);
  }

  override delete(id: string): boolean {
    this.set(id, null);
    return super.delete(id);
  }

  override clear(): void {
    this.#ids.clear();
    super.clear();
  }
}

/** A row in each table by its id. */
export type Layer = { readonly [Name in TableName]: LayerTable };

export function newLayer(): Layer {
  const layer = {} as { [Name in TableName]: LayerTable };
  for (const name of TABLE_NAMES) layer[name] = new LayerTable(name);
  return layer;
}
