import type { PackedRecords, StoredRecord } from '#core/store/store.ts';
import { Block } from '#core/store/blocks/block/block.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';

/** The records that the append log's packer packed; their keys in the order of their names. */
export function unpack(packed: PackedRecords): StoredRecord[] {
  const block = new Block(Buffer.from(packed.buffer));
  const slice = new RowSlice();
  block.readInto(slice, 0, block.rows, { received: true });
  return Array.from({ length: block.rows }, (_, row) => slice.record(row));
}
