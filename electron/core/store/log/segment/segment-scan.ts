import { allocate } from '../../blocks/codec/bytes.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { BLOCK_ALIGNMENT, BLOCK_HEADER_BYTES, BLOCK_MARK } from '../../blocks/block/block-writer.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTables, type KeyTable } from '../../blocks/block/key-table.ts';
import type { OpenFile } from '../../../disk/files.ts';
import { SEGMENT_HEADER_BYTES } from './segment-writer.ts';
import { summarize } from '../../blocks/block/block-stats.ts';

/**
 * Finds every whole block of a segment without its index. One that begins before the end of the one before is no block of
 * it (docs/storage-format.md, "Segments"): a disk has put those bytes there once more.
 */
export function scanSegment(file: OpenFile): { table: BlockTable; keys: ReadonlyMap<string, KeyTable> } {
  const { size } = file;
  const table = new BlockTable();
  const keys = new KeyTables();
  const header = allocate(BLOCK_HEADER_BYTES);
  for (let at = SEGMENT_HEADER_BYTES; at + BLOCK_HEADER_BYTES <= size;) {
    const length = file.readNow(header, at) === header.length ? claimedLength(header, size - at) : 0;
    const bytes = allocate(length);
    if (length > 0 && file.readNow(bytes, at) === length && isBlock(bytes)) {
      const summary = summarize(new Block(bytes));
      if (table.count === 0 || summary.first >= table.lastOf(table.count - 1)) {
        keys.add(table.count, summary);
        table.add(at, length, summary);
      }
      at += length;
    } else {
      at += BLOCK_ALIGNMENT;
    }
  }
  return { table, keys: keys.byKey };
}

function claimedLength(header: Buffer, most: number): number {
  const length = header.readUInt32LE(4);
  return header.readUInt32LE(8) === BLOCK_MARK && length <= most ? length : 0;
}
