import type { Micros } from '#shared/values/time.ts';
import type { Projection } from '../block/block.ts';
import type { RowSlice } from '../block/row-slice.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import type { DerivedKeys } from './derived-keys.ts';
import { GatheredRows } from './gathered-rows.ts';
import { MergedRows } from './merged-rows.ts';

/** Rows that are read at once: more where each looks far back, so that what lies before is not read again and again. */
const LEAST_ROWS = 2048;
const MOST_ROWS = 1 << 16;

/** All rows of a device in one, with the values of its derived keys. */
export class DerivedRows extends MergedRows {
  readonly derived: DerivedKeys;

  /** Of sources that are not all empty. */
  constructor(sources: readonly SortedRows[], derived: DerivedKeys) {
    super(sources);
    this.derived = derived;
  }

  override stretch(row: number): { from: number; to: number } {
    const { lookback } = this.derived.needs(undefined);
    const behind = lookback === 0 ? 0 : row - this.#rowFrom(row, lookback);
    const size = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, behind));
    return { from: Math.max(0, row + 1 - size), to: Math.min(this.rows, row + size) };
  }

  override readInto(slice: RowSlice, from: number, to: number, { keys, received }: Projection): void {
    const { keys: needed, lookback } = this.derived.needs(keys);
    const before = lookback === 0 ? from : this.#rowFrom(from, lookback);
    const rows = new GatheredRows(this.timeline, before, to, { received, ...(needed && { keys: needed }) });
    this.derived.addTo(rows, keys);
    rows.fill(slice, from - before, keys);
  }

  /** The first row that is at most so much older than one. */
  #rowFrom(row: number, lookback: Micros): number {
    return Math.min(row, this.rowsBefore(this.timeAt(row) - lookback, false));
  }
}
