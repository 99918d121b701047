import { RowBuffer } from './row-buffer.ts';

/*
 * Buffers that nobody reads any more, to be filled again. Thousands of devices that send a record each now and then
 * would otherwise make and drop tens of arrays each a minute, which takes longer than to store what they hold.
 */

const MOST_BUFFERS = 1024;
const MOST_ROWS = 256;
const MOST_COLUMNS = 16;

const spares: RowBuffer[] = [];

/** An empty one. */
export function takeBuffer(): RowBuffer {
  return spares.pop() ?? new RowBuffer();
}

/** For whoever had it to itself and has it no longer; one that was lent or is large goes with its memory. */
export function giveBack(rows: RowBuffer): void {
  const isLarge = rows.times.length > MOST_ROWS || rows.columns.length > MOST_COLUMNS;
  if (rows.isLent || isLarge || spares.length >= MOST_BUFFERS) return;
  rows.reset();
  spares.push(rows);
}
