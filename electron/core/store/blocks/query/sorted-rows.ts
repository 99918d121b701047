import type { Micros } from '#shared/time.ts';
import type { Projection } from '../block/block.ts';
import type { RowBuffer } from '../block/row-buffer.ts';
import { byCodeUnits, type RowSlice } from '../block/row-slice.ts';

/**
 * Rows sorted by time, equal times in order of arrival: a run of blocks, or rows that are not yet a block. Rows are
 * counted from the oldest.
 */
export interface SortedRows {
  readonly rows: number;
  readonly first: Micros;
  readonly last: Micros;
  /** Rows before `time`, or also those at it. */
  rowsBefore(time: Micros, inclusive: boolean): number;
  timeAt(row: number): Micros;
  /** The stretch of rows around a row that one `readInto` may ask for. */
  stretch(row: number): { readonly from: number; readonly to: number };
  readInto(slice: RowSlice, from: number, to: number, projection: Projection): void;
}

/** The rows of a buffer as they are now; more may arrive in it meanwhile. */
export class BufferedRows implements SortedRows {
  readonly rows: number;
  readonly buffer: RowBuffer;
  readonly #order: Uint32Array;

  /** `lasting` keeps the view right while the buffer takes more rows. */
  constructor(buffer: RowBuffer, lasting: boolean) {
    this.buffer = buffer;
    this.rows = buffer.size;
    this.#order = lasting ? buffer.order.slice(0, buffer.size) : buffer.order;
  }

  get first(): Micros {
    return this.timeAt(0);
  }

  get last(): Micros {
    return this.timeAt(this.rows - 1);
  }

  timeAt(row: number): Micros {
    return this.buffer.times[this.#order[row]!]!;
  }

  rowsBefore(time: Micros, inclusive: boolean): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.timeAt(middle);
      if (at < time || (inclusive && at === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  stretch(): { from: number; to: number } {
    return { from: 0, to: this.rows };
  }

  readInto(slice: RowSlice, from: number, to: number, { keys, received }: Projection): void {
    const { buffer } = this;
    const order = this.#order;
    slice.reset(to - from);
    for (let i = from; i < to; i++) slice.times[i - from] = buffer.times[order[i]!]!;
    if (received) for (let i = from; i < to; i++) slice.received[i - from] = buffer.received[order[i]!]!;
    const columns = buffer.columns.filter((column) => keys === undefined || keys.has(column.key));
    for (const column of columns.toSorted((a, b) => byCodeUnits(a.key, b.key))) {
      const out = slice.addColumn(column.key);
      for (let i = from; i < to; i++) {
        const cell = column.indexOf(order[i]!, buffer.size);
        if (cell < 0) continue;
        out.kinds[i - from] = column.kindOf(cell);
        out.numbers[i - from] = column.numbers[cell]!;
        const text = column.texts[cell];
        if (text !== undefined) out.texts[i - from] = text;
      }
    }
  }
}
