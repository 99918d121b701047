import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../../store.ts';
import { Block } from './block.ts';
import { BLOCK_ROWS, encodeBlock } from './block-writer.ts';
import { RowBuffer } from './row-buffer.ts';
import { RowSlice } from './row-slice.ts';
import { SpareBuffers } from './spare-buffers.ts';

/* Where rows are divided into blocks. */

/** A block is closed early when its cells take about this much: it is read as a whole. */
const BLOCK_WEIGHT = 1 << 18;

export function isFull(rows: RowBuffer): boolean {
  return rows.size >= BLOCK_ROWS || rows.weight >= BLOCK_WEIGHT;
}

/** Makes a block of the rows at places [from, to). */
export function blockOf(rows: RowBuffer, from = 0, to = rows.size): Block {
  let received = -Infinity;
  for (let place = from; place < to; place++)
    received = Math.max(received, rows.received[rows.order[place]!]!);
  const span = { first: rows.timeAt(from), last: rows.timeAt(to - 1), received };
  return new Block(encodeBlock(rows, from, to), span);
}

const spares = new SpareBuffers(() => new RowBuffer(BLOCK_ROWS), { buffers: 1, rows: 1 << 12, columns: 32 });

/** Blocks of a batch, sorted; those before `newest` apart from the others. */
export function blocksOf(records: readonly StoredRecord[], newest: Micros): Block[] {
  const rows = spares.take();
  try {
    for (const record of inOrder(records)) rows.add(record);
    let late = 0;
    while (late < rows.size && rows.timeAt(late) < newest) late++;
    const parts = [...partsOf(rows, 0, late), ...partsOf(rows, late, rows.size)];
    return parts.map(({ from, to }) => blockOf(rows, from, to));
  } finally {
    spares.giveBack(rows);
  }
}

/** A block as it is, or in two where some rows are before `time` and others are not. */
export function dividedAt(block: Block, time: Micros): Block[] {
  if (block.first >= time || block.last < time) return [block];
  const before = block.rowsBefore(time, false);
  return [partOf(block, 0, before), partOf(block, before, block.rows)];
}

function partOf(block: Block, from: number, to: number): Block {
  const slice = new RowSlice();
  block.readInto(slice, from, to, { received: true });
  const rows = spares.take();
  for (let row = 0; row < to - from; row++) rows.addFrom(slice, row);
  const part = blockOf(rows);
  spares.giveBack(rows);
  return part;
}

/** Divides the rows at places [from, to) for blocks of equal size: a last block of a few rows would pack badly. */
export function* partsOf(
  rows: RowBuffer,
  from = 0,
  to = rows.size,
): Generator<{ readonly from: number; readonly to: number }> {
  const rowsAtMost = Math.max(1, Math.min(BLOCK_ROWS, Math.floor((BLOCK_WEIGHT * rows.size) / rows.weight)));
  const parts = Math.ceil((to - from) / rowsAtMost);
  const placeOf = (part: number) => from + Math.floor(((to - from) * part) / parts);
  for (let part = 0; part < parts; part++) yield { from: placeOf(part), to: placeOf(part + 1) };
}

function inOrder(records: readonly StoredRecord[]): readonly StoredRecord[] {
  for (let i = 1; i < records.length; i++)
    if (records[i]!.timestamp < records[i - 1]!.timestamp)
      return records.toSorted((a, b) => a.timestamp - b.timestamp);
  return records;
}
