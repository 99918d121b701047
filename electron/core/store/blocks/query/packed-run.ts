import { BLOCK_ROWS } from '../block/block-writer.ts';
import { RowBuffer } from '../block/row-buffer.ts';
import { RowSlice } from '../block/row-slice.ts';
import { blockOf, isFull } from '../block/rows-to-blocks.ts';
import { MemoryRun } from './run.ts';
import { BufferedRows, pieceAround, type SortedRows } from './sorted-rows.ts';

/** Blocks of at least so many rows stay as they are. */
const LARGE_ROWS = 512;
const EVERYTHING = { received: true };

const slice = new RowSlice();

/** The blocks of a run and the rows behind them as another run, of few blocks; neither of the two is changed. */
export function packedRun(run: MemoryRun, rows: RowBuffer | null): MemoryRun {
  const packed = new MemoryRun();
  let some = new RowBuffer();
  const seal = () => {
    if (some.size > 0) packed.add(blockOf(some));
    some = new RowBuffer(BLOCK_ROWS / 16);
  };
  const take = (source: Pick<SortedRows, 'readInto'>, count: number, columns: number) => {
    for (let from = 0, to = 0; from < count; from = to) {
      ({ to } = pieceAround(from, { before: 0, rows: count }, columns));
      source.readInto(slice, from, to, EVERYTHING);
      for (let row = 0; row < to - from; row++) {
        some.addFrom(slice, row);
        if (isFull(some)) seal();
      }
    }
  };
  for (const block of run.blocks) {
    if (block.rows < LARGE_ROWS) {
      take(block, block.rows, block.columns.length);
      continue;
    }
    seal();
    packed.add(block);
  }
  if (rows !== null) take(new BufferedRows(rows, false), rows.size, rows.columns.length);
  seal();
  return packed;
}
