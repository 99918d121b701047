import type { Micros } from '#shared/values/time.ts';
import type { Projection } from '../block/block.ts';
import type { BufferColumn } from '../block/buffer-column.ts';
import type { RowBuffer } from '../block/row-buffer.ts';
import type { RowSlice, SliceColumn } from '../block/row-slice.ts';

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
  /** Of rows that are read through others: the stored rows with which a read that begins at a row begins. */
  storedAt?(row: number): readonly StoredPlace[];
}

/** Place of a row in the source that stores it. */
export interface StoredPlace {
  readonly source: SortedRows;
  readonly row: number;
}

/** Cells that are read at once, those that rows lack included: a slice has room for each key in each row. */
const PIECE_CELLS = 1 << 16;
const LEAST_ROWS = 16;

/** The rows around one that are read at once, of `rows` that come after `before` others and have so many columns. */
export function pieceAround(
  row: number,
  { before, rows }: { readonly before: number; readonly rows: number },
  columns: number,
): { from: number; to: number } {
  const most = Math.max(LEAST_ROWS, Math.floor(PIECE_CELLS / Math.max(1, columns)));
  const from = row - ((row - before) % most);
  return { from, to: Math.min(before + rows, from + most) };
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
    buffer.isLent ||= lasting;
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
    return rankOf(this, time, inclusive);
  }

  stretch(row: number): { from: number; to: number } {
    return pieceAround(row, { before: 0, rows: this.rows }, this.buffer.columns.length);
  }

  readInto(slice: RowSlice, from: number, to: number, { keys, received }: Projection): void {
    const { buffer } = this;
    const order = this.#order;
    slice.reset(to - from);
    for (let i = from; i < to; i++) slice.times[i - from] = buffer.times[order[i]!]!;
    if (received) for (let i = from; i < to; i++) slice.received[i - from] = buffer.received[order[i]!]!;
    const size = to - from;
    let placeOf: Uint32Array | null = null;
    for (const column of buffer.columnsOf(keys)) {
      let out: SliceColumn | null = null;
      if (column.count === buffer.size || column.count > size) {
        for (let i = from; i < to; i++) {
          const cell = column.indexOf(order[i]!, buffer.size);
          if (cell >= 0) put((out ??= slice.addColumn(column.key)), i - from, column, cell);
        }
        continue;
      }
      // Fewer cells than rows: a device with thousands of keys is read by what is there, not by what is not.
      placeOf ??= this.#places();
      for (let cell = 0; cell < column.count; cell++) {
        const place = placeOf[column.rowOf(cell)]!;
        if (place < from || place >= to) continue;
        put((out ??= slice.addColumn(column.key)), place - from, column, cell);
      }
    }
  }

  /** The place of each row in the order; beyond the last where the row has arrived since. */
  #places(): Uint32Array {
    const placeOf = new Uint32Array(this.buffer.size).fill(this.rows);
    for (let place = 0; place < this.rows; place++) placeOf[this.#order[place]!] = place;
    return placeOf;
  }
}

function put(out: SliceColumn, row: number, column: BufferColumn, cell: number): void {
  out.kinds[row] = column.kindOf(cell);
  out.numbers[row] = column.numbers[cell]!;
  const text = column.texts[cell];
  if (text !== undefined) out.texts[row] = text;
}

/** Returns the rows before `time`, or also at it, by bisecting. */
export function rankOf(rows: Pick<SortedRows, 'rows' | 'timeAt'>, time: Micros, inclusive: boolean): number {
  let low = 0;
  let high = rows.rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = rows.timeAt(middle);
    if (at < time || (inclusive && at === time)) low = middle + 1;
    else high = middle;
  }
  return low;
}
