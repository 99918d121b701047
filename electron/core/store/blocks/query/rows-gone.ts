import type { SortedRows } from './sorted-rows.ts';

/**
 * Thrown by a reader that counts on the rows of a source, some of which another reader has found damaged since: all behind
 * them moved.
 */
export class RowsGone extends Error {
  override readonly name = 'RowsGone';

  constructor() {
    super('Rows of a source were left out while it was read.');
  }
}

/** Throws RowsGone unless the source still has so many rows. */
export function checkRows(source: SortedRows, rows: number): void {
  if (source.rows !== rows) throw new RowsGone();
}
