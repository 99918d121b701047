import type { ColumnPage, KeyReading } from '#shared/bridge/wire.ts';

/** Records as columns, oldest first: timestamps in µs, one column of numbers per key, NaN where a record has none. */
export interface ColumnView {
  readonly timestamps: Float64Array;
  readonly columns: readonly Float64Array[];
}

/** The smallest and largest number of a key; min > max while there is none. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export interface Extent extends Bounds {
  /** Records that carry a number. */
  readonly count: number;
}

/** The newest number of each key among the rows from `first` to before `end`; null where there is none. */
export function newestIn(
  { timestamps, columns }: ColumnView,
  first: number,
  end: number,
): (KeyReading | null)[] {
  return columns.map((column) => {
    let row = end - 1;
    while (row >= first && Number.isNaN(column[row])) row--;
    return row < first ? null : { instant: timestamps[row] ?? 0, value: column[row] ?? 0 };
  });
}

/** The span of each key's numbers in the rows from `first` to before `end`. */
export function boundsIn({ columns }: ColumnView, first: number, end: number): Bounds[] {
  return columns.map((column) =>
    widen({ min: Infinity, max: -Infinity, count: 0 }, column.subarray(first, end)),
  );
}

const FIRST_CAPACITY = 4_096;

/**
 * Records that arrive newest page first and then live, kept oldest first in arrays that double towards the side
 * that is full, so that neither direction copies more than a constant number of times per record.
 */
export class Columns {
  #arrays: Float64Array[];
  #start = FIRST_CAPACITY / 2;
  #end = FIRST_CAPACITY / 2;
  #extents: Extent[];

  constructor(keys: readonly string[]) {
    this.#arrays = Array.from({ length: keys.length + 1 }, () => new Float64Array(FIRST_CAPACITY));
    this.#extents = keys.map(() => ({ min: Infinity, max: -Infinity, count: 0 }));
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** What there is now: arrays in place that records added later leave as they are. */
  view(): ColumnView {
    const [timestamps = new Float64Array(), ...columns] = this.#arrays.map((array) =>
      array.subarray(this.#start, this.#end),
    );
    return { timestamps, columns };
  }

  extents(): readonly Extent[] {
    return this.#extents;
  }

  /** Puts a page (newest first) before everything there is. */
  addOlder(page: ColumnPage): void {
    const rows = page.timestamps.length;
    if (this.#start < rows) this.#grow(rows, 0);
    this.#start -= rows;
    this.#write([page.timestamps, ...page.columns], this.#start, rows, true);
  }

  /** Puts rows (oldest first) behind everything there is. */
  addNewer({ timestamps, columns }: ColumnView): void {
    const rows = timestamps.length;
    if (this.#capacity - this.#end < rows) this.#grow(0, rows);
    this.#write([timestamps, ...columns], this.#end, rows);
    this.#end += rows;
  }

  /** Drops the oldest rows, once no page comes before them any more. Extents go on covering them. */
  dropOldest(rows: number): void {
    this.#start = Math.min(this.#end, this.#start + rows);
  }

  get #capacity(): number {
    return this.#arrays[0]?.length ?? 0;
  }

  /** Makes room before or behind: at least as much again as there is, or that of what was dropped, in other arrays all the same. */
  #grow(before: number, behind: number): void {
    const isRoomy = before === 0 && this.length + behind <= this.#capacity / 2;
    const more = isRoomy ? 0 : Math.max(this.#capacity, before, behind);
    const shift = isRoomy ? -this.#start : before > 0 ? more : 0;
    this.#arrays = this.#arrays.map((array) => {
      const larger = new Float64Array(array.length + more);
      larger.set(array.subarray(this.#start, this.#end), this.#start + shift);
      return larger;
    });
    this.#start += shift;
    this.#end += shift;
  }

  #write(sources: readonly Float64Array[], at: number, rows: number, newestFirst = false): void {
    this.#arrays.forEach((array, index) => {
      const part = array.subarray(at, at + rows);
      const source = sources[index];
      if (source) part.set(source);
      else part.fill(Number.NaN);
      if (newestFirst) part.reverse();
      const extent = this.#extents[index - 1];
      if (extent) this.#extents[index - 1] = widen(extent, part);
    });
  }
}

function widen({ min, max, count }: Extent, values: Float64Array): Extent {
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count++;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max, count };
}
