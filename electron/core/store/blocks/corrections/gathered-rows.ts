import type { Micros } from '#shared/values/time.ts';
import type { Projection } from '../block/block.ts';
import { ABSENT } from '../block/cell-kind.ts';
import { byCodeUnits, RowSlice, type SliceColumn } from '../block/row-slice.ts';
import { Cursor } from '../query/cursor.ts';
import type { Timeline } from '../query/timeline.ts';

/** Rows of several sources put in order, whose columns come in any order. */
export class GatheredRows {
  readonly size: number;
  readonly columns = new Map<string, SliceColumn>();
  readonly #slice = new RowSlice();

  /** Reads the rows [from, to) of a timeline. */
  constructor(timeline: Timeline, from: number, to: number, projection: Projection) {
    this.size = to - from;
    this.#slice.reset(this.size);
    const { times, received } = this.#slice;
    const cursor = new Cursor(timeline, from, to, false, projection);
    let row = 0;
    for (let batch = cursor.next(this.size); batch !== null; batch = cursor.next(this.size))
      for (let i = 0; i < batch.size; i++, row++) {
        const source = batch.sliceAt(i);
        const at = batch.rowAt(i);
        times[row] = source.times[at]!;
        received[row] = source.received[at]!;
        for (const column of source.columns)
          if (column.kinds[at] !== ABSENT) copyCell(column, at, this.column(column.key), row);
      }
  }

  timeAt(row: number): Micros {
    return this.#slice.times[row]!;
  }

  /** The column of a key, made without a cell where there is none. */
  column(key: string): SliceColumn {
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    const made = this.#slice.addColumn(key);
    this.columns.set(key, made);
    return made;
  }

  /** Puts the rows from one on into a slice, of the keys that are asked for. */
  fill(slice: RowSlice, from: number, keys: ReadonlySet<string> | undefined): void {
    const rows = this.size - from;
    slice.reset(rows);
    slice.times.set(this.#slice.times.subarray(from, this.size));
    slice.received.set(this.#slice.received.subarray(from, this.size));
    for (const [key, column] of [...this.columns].toSorted(([a], [b]) => byCodeUnits(a, b))) {
      if (keys?.has(key) === false) continue;
      let out: SliceColumn | null = null;
      for (let row = 0; row < rows; row++)
        if (column.kinds[from + row] !== ABSENT)
          copyCell(column, from + row, (out ??= slice.addColumn(key)), row);
    }
  }
}

function copyCell(from: SliceColumn, at: number, to: SliceColumn, row: number): void {
  to.kinds[row] = from.kinds[at]!;
  to.numbers[row] = from.numbers[at]!;
  if (from.texts[at] !== undefined) to.texts[row] = from.texts[at];
}
