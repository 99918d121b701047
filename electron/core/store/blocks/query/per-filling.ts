import type { RowSlice, SliceColumn } from '../block/row-slice.ts';

/** Memo of values derived from a slice's columns, for one filling of the slice. */
export class PerFilling<T> {
  readonly #make: (slice: RowSlice) => T;
  readonly #made = new WeakMap<readonly SliceColumn[], T>();
  /** The last columns asked for: neighbours are mostly of one slice. */
  #columns: readonly SliceColumn[] | null = null;
  #last: T | null = null;

  constructor(make: (slice: RowSlice) => T) {
    this.#make = make;
  }

  of(slice: RowSlice): T {
    const { columns } = slice;
    if (columns === this.#columns && this.#last !== null) return this.#last;
    let made = this.#made.get(columns);
    if (made === undefined) this.#made.set(columns, (made = this.#make(slice)));
    this.#columns = columns;
    this.#last = made;
    return made;
  }
}
