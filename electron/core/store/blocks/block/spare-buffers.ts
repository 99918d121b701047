import type { RowBuffer } from './row-buffer.ts';

export interface SpareLimits {
  readonly buffers: number;
  /** Rows that a buffer has room for, and columns. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Pool of buffers without readers, to be filled again. A new one for each upload, or for each of thousands of devices, would
 * cost more in garbage collection than it is for.
 */
export class SpareBuffers {
  readonly #make: () => RowBuffer;
  readonly #limits: SpareLimits;
  readonly #spares: RowBuffer[] = [];

  constructor(make: () => RowBuffer, limits: SpareLimits) {
    this.#make = make;
    this.#limits = limits;
  }

  /** An empty one. */
  take(): RowBuffer {
    return this.#spares.pop() ?? this.#make();
  }

  /** Gives a buffer back that its owner had to itself; one that was lent or is large is dropped. */
  giveBack(rows: RowBuffer): void {
    const { buffers, rows: mostRows, columns } = this.#limits;
    const isLarge = rows.times.length > mostRows || rows.columns.length > columns;
    if (rows.isLent || isLarge || this.#spares.length >= buffers) return;
    rows.reset();
    this.#spares.push(rows);
  }
}
