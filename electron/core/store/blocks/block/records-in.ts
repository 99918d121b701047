import { StoreError } from '../../../base/errors.ts';
import type { StoredRecord } from '../../store.ts';
import { Block, isBlock } from './block.ts';
import { RowSlice } from './row-slice.ts';

/** The records of a block from outside, in order of time; null where the bytes are no whole block. */
export function recordsIn(bytes: Buffer): readonly StoredRecord[] | null {
  if (!isBlock(bytes)) return null;
  try {
    const block = new Block(bytes);
    const slice = new RowSlice();
    block.readInto(slice, 0, block.rows, { received: true });
    return Array.from({ length: block.rows }, (_, row) => slice.record(row));
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return null;
    throw error;
  }
}
