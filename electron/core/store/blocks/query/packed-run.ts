import { BLOCK_ROWS } from '../block/block-writer.ts';
import { RowBuffer } from '../block/row-buffer.ts';
import { RowSlice } from '../block/row-slice.ts';
import { SpareBuffers } from '../block/spare-buffers.ts';
import { blockOf, isFull } from '../block/rows-to-blocks.ts';
import { MemoryRun } from './run.ts';
import { BufferedRows, pieceAround, type SortedRows } from './sorted-rows.ts';

/** Blocks of at least so many rows stay as they are. */
const LARGE_ROWS = 512;
/** Room that rows begin with, key by key: a device may have thousands. */
const FIRST_ROWS = BLOCK_ROWS / 16;
const EVERYTHING = { received: true };

const slice = new RowSlice();
const spares = new SpareBuffers(() => new RowBuffer(FIRST_ROWS), {
  buffers: 1,
  rows: BLOCK_ROWS,
  columns: 32,
});

/**
 * The blocks of a run and the rows behind them as another run, of few blocks; neither of the two is changed. A block with
 * more rows than follow it stays as it is: packed again and again, a row is moved a few times and not each time.
 */
export function packedRun(run: MemoryRun, rows: RowBuffer | null): MemoryRun {
  const packed = new MemoryRun();
  let gathered = spares.take();
  const seal = () => {
    if (gathered.size > 0) packed.add(blockOf(gathered));
    spares.giveBack(gathered);
    gathered = spares.take();
  };
  const take = (source: Pick<SortedRows, 'readInto'>, count: number, columns: number) => {
    for (let from = 0, to = 0; from < count; from = to) {
      ({ to } = pieceAround(from, { before: 0, rows: count }, columns));
      source.readInto(slice, from, to, EVERYTHING);
      for (let row = 0; row < to - from; row++) {
        gathered.addFrom(slice, row);
        if (isFull(gathered)) seal();
      }
    }
  };
  const kept = keptBlocks(run, rows?.size ?? 0);
  for (const block of run.blocks.slice(0, kept)) packed.add(block);
  for (const block of run.blocks.slice(kept)) take(block, block.rows, block.columns.length);
  if (rows !== null) take(new BufferedRows(rows, false), rows.size, rows.columns.length);
  seal();
  spares.giveBack(gathered);
  return packed;
}

/** How many blocks stay, of a run that `following` rows come after; where none do, it is the last block that came last. */
function keptBlocks({ blocks }: MemoryRun, following: number): number {
  const before = following > 0 ? blocks.length : Math.max(0, blocks.length - 1);
  let gathered = following > 0 ? following : (blocks.at(-1)?.rows ?? 0);
  let kept = before;
  for (; kept > 0; kept--) {
    const { rows } = blocks[kept - 1]!;
    if (rows >= LARGE_ROWS || rows > gathered) break;
    gathered += rows;
  }
  return kept === before && following === 0 ? blocks.length : kept;
}
