import type { RowBuffer } from './row-buffer.ts';

export interface SpareLimits {
  readonly buffers: number;
  /** Rows that a buffer has room for, and columns. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Buffers that nobody reads any more, to be filled again. Who takes a buffer for each upload, or for each of thousands of
 * devices, would otherwise make and drop so many arrays that clearing them away takes longer than what they are for.
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

  /** For whoever had it to itself and has it no longer; one that was lent or is large goes with its memory. */
  giveBack(rows: RowBuffer): void {
    const { buffers, rows: mostRows, columns } = this.#limits;
    const isLarge = rows.times.length > mostRows || rows.columns.length > columns;
    if (rows.isLent || isLarge || this.#spares.length >= buffers) return;
    rows.reset();
    this.#spares.push(rows);
  }
}
