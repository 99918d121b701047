import type { KeyTable } from '../block/key-table.ts';

/*
 * How far a key's numbers lie apart in a block at most. No index says so: it is found out when a block is read, and kept as
 * long as the index that led to it, so that a span is looked through again without its blocks.
 */

const known = new WeakMap<KeyTable, Silences>();

/** By entry of a table; of blocks that hold nothing but numbers of the key. */
export class Silences {
  #values = new Float64Array(0);

  static of(table: KeyTable): Silences {
    const before = known.get(table);
    if (before !== undefined) return before;
    const silences = new Silences();
    known.set(table, silences);
    return silences;
  }

  /** µs; NaN where nobody has looked. */
  at(entry: number): number {
    return this.#values[entry] ?? NaN;
  }

  set(entry: number, silence: number, entries: number): void {
    if (entry >= this.#values.length) {
      // A run in memory grows.
      const grown = new Float64Array(Math.max(entries, entry + 1)).fill(NaN);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[entry] = silence;
  }
}
