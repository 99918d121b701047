import type { Micros } from '#shared/values/time.ts';
import type { Block } from '../../blocks/block/block.ts';
import { summarize, type BlockStats, type KeyStats } from '../../blocks/block/block-stats.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { BLOCK_ROWS } from '../../blocks/block/block-writer.ts';
import { KeyTables } from '../../blocks/block/key-table.ts';
import { RowBuffer } from '../../blocks/block/row-buffer.ts';
import type { RowSlice } from '../../blocks/block/row-slice.ts';
import { blockOf, isFull } from '../../blocks/block/rows-to-blocks.ts';
import { ByteWriter } from '../../blocks/codec/bytes.ts';
import type { Run } from '../../blocks/query/run.ts';
import { keyBytes } from './key-bytes.ts';

/** A segment that is in no row yet. */
export interface MadeSegment {
  readonly rows: number;
  readonly bytes: number;
  readonly first: Micros;
  readonly last: Micros;
  readonly received: Micros;
  /** Its BlockTable. */
  readonly blocks: Buffer;
  readonly keys: readonly MadeKey[];
}

export interface MadeKey {
  readonly key: Buffer;
  readonly cells: number;
  readonly numeric: number;
  /** Its KeyTable. */
  readonly summary: Buffer;
}

/** A block that is in no row yet. */
export interface MadeBlock {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Takes rows and blocks in order of time and cuts them into blocks and segments. */
export class Building {
  readonly #segmentRows: number;
  readonly #newBlock: () => number;
  #rows = new RowBuffer(BLOCK_ROWS);
  #table = new BlockTable();
  #keys = new KeyTables();
  #bytes = 0;
  readonly #made: MadeSegment[] = [];
  #fresh: MadeBlock[] = [];

  /** `newBlock` gives each new block its number. */
  constructor(segmentRows: number, newBlock: () => number) {
    this.#segmentRows = segmentRows;
    this.#newBlock = newBlock;
  }

  /** Number of new blocks not taken yet. */
  get freshBlocks(): number {
    return this.#fresh.length;
  }

  /** Takes the new blocks. */
  takeBlocks(): readonly MadeBlock[] {
    return this.#fresh.splice(0);
  }

  row(slice: RowSlice, row: number): void {
    this.#rows.addFrom(slice, row);
    if (isFull(this.#rows)) this.cut();
  }

  /** A block that is in no row yet. */
  block(block: Block): void {
    this.cut();
    this.#write(block);
  }

  /** A block that another segment has, as it is. The keys of that segment are known. */
  again(segment: Run, index: number, keys: readonly string[]): void {
    this.cut();
    const { table } = segment;
    const stats = new Map<string, KeyStats>();
    for (const key of keys) {
      const keyTable = segment.keyTable(key);
      const entry = keyTable?.entryFrom(index) ?? 0;
      if (keyTable && entry < keyTable.count && keyTable.blockOf(entry) === index)
        stats.set(key, keyTable.summary(entry));
    }
    this.#add(table.offsetOf(index), table.lengthOf(index), {
      rows: table.rowsOf(index),
      first: table.firstOf(index),
      last: table.lastOf(index),
      received: table.receivedOf(index),
      keys: stats,
    });
  }

  /** Makes a block of the rows taken so far. */
  cut(): void {
    if (this.#rows.size === 0) return;
    const block = blockOf(this.#rows);
    this.#rows = new RowBuffer(BLOCK_ROWS);
    this.#write(block);
  }

  /** Ends the segment: what comes next may be older. */
  end(): void {
    this.cut();
    if (this.#table.count === 0) return;
    const table = this.#table;
    const keys = Array.from(this.#keys.byKey, ([key, keyTable]) => ({
      key: keyBytes(key),
      cells: keyTable.cells,
      numeric: keyTable.numeric,
      summary: written((out) => keyTable.write(out, table)),
    }));
    const blocks = written((out) => table.write(out));
    let received = -Infinity;
    for (let index = 0; index < table.count; index++) received = Math.max(received, table.receivedOf(index));
    this.#made.push({
      rows: table.rows,
      bytes: keys.reduce((sum, { summary }) => sum + summary.length, this.#bytes + blocks.length),
      first: table.firstOf(0),
      last: table.lastOf(table.count - 1),
      received,
      blocks,
      keys,
    });
    this.#table = new BlockTable();
    this.#keys = new KeyTables();
    this.#bytes = 0;
  }

  /** Ends the last segment, and returns all that were made. */
  finish(): readonly MadeSegment[] {
    this.end();
    return this.#made;
  }

  #write(block: Block): void {
    const id = this.#newBlock();
    this.#fresh.push({ id, bytes: block.bytes });
    this.#add(id, block.bytes.length, summarize(block));
  }

  #add(id: number, length: number, stats: BlockStats): void {
    this.#keys.add(this.#table.count, stats);
    this.#table.add(id, length, stats);
    this.#bytes += length;
    if (this.#table.rows >= this.#segmentRows) this.end();
  }
}

function written(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter(4096);
  write(out);
  return out.copy();
}
