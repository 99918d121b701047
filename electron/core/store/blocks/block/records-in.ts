import { StoreError } from '../../../base/errors.ts';
import type { StoredRecord } from '../../store.ts';
import { BLOCK_ROWS } from './block-writer.ts';
import { Block, isBlock, rowsOf } from './block.ts';
import { RowSlice } from './row-slice.ts';

/** The records of a block from outside, in order of time; null where the bytes are no whole block. */
export function recordsIn(bytes: Buffer): readonly StoredRecord[] | null {
  if (!isBlock(bytes) || rowsOf(bytes) === 0 || rowsOf(bytes) > BLOCK_ROWS) return null;
  try {
    const block = new Block(bytes);
    const slice = new RowSlice();
    block.readInto(slice, 0, block.rows, { received: true });
    return Array.from({ length: block.rows }, (_, row) => slice.record(row));
  } catch (error) {
    // A length that lies beyond the bytes, or what the block's own checks find.
    if (error instanceof RangeError || (error instanceof StoreError && error.code === 'damaged')) return null;
    throw error;
  }
}
