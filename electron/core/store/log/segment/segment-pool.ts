import type { Files } from '../../../disk/files.ts';
import type { Block } from '../../blocks/block/block.ts';
import type { KeyTable } from '../../blocks/block/key-table.ts';
import { Lru } from '../../blocks/query/lru.ts';
import type { OpenSegment } from './segment-file.ts';

/** Pool of all segments of a store: bounded memory and file handles. */
export interface SegmentPool {
  readonly files: Files;
  readonly open: Lru<SegmentCache, OpenSegment>;
  readonly blocks: Lru<number, Block>;
  readonly keyTables: Lru<string, KeyTable>;
}

export interface PoolLimits {
  /** Segment files held open, fewer where their indexes are large. */
  readonly handles: number;
  /** Bytes of blocks held in memory. */
  readonly blockBytes: number;
  /** Bytes of summaries held in memory. */
  readonly summaryBytes: number;
}

export function createPool(files: Files, limits: PoolLimits): SegmentPool {
  return {
    files,
    open: new Lru(limits.handles, (segment) => segment.release()),
    blocks: new Lru(limits.blockBytes),
    keyTables: new Lru(limits.summaryBytes),
  };
}

/** Blocks a process may number without reusing a number of the block cache: 2^21 a segment. */
const CACHE_STRIDE = 2 ** 21;
const SUMMARY_BYTES = 80;
/** Of a table of summaries, however few are in it: four arrays of numbers, each with a buffer of its own. */
const TABLE_BYTES = 1400;
/** Of a column of a block that was read. */
const COLUMN_BYTES = 128;
/** An open file whose index takes no more counts as one of `handles`; a larger one as several. */
const HANDLE_BYTES = 1 << 16;
let serials = 0;

/** Cache of one segment in the pool; undefined where evicted. */
export class SegmentCache {
  readonly #pool: SegmentPool;
  #serial = serials++;
  /** Keys whose tables were kept, if any were; the pool may have dropped some since. */
  #tables: Set<string> | null = null;

  constructor(pool: SegmentPool) {
    this.#pool = pool;
  }

  /** Its file, with the index. */
  get open(): OpenSegment | undefined {
    return this.#pool.open.get(this);
  }

  keepOpen(open: OpenSegment): void {
    this.#pool.open.set(this, open, Math.max(1, open.indexBytes / HANDLE_BYTES));
  }

  close(): void {
    this.#pool.open.delete(this);
  }

  block(index: number): Block | undefined {
    return this.#pool.blocks.get(this.#serial * CACHE_STRIDE + index);
  }

  keepBlock(index: number, block: Block): void {
    const cost = block.bytes.length + block.columns.length * COLUMN_BYTES;
    this.#pool.blocks.set(this.#serial * CACHE_STRIDE + index, block, cost);
  }

  keyTable(key: string): KeyTable | undefined {
    return this.#pool.keyTables.get(this.#idOf(key));
  }

  keepKeyTable(key: string, table: KeyTable): void {
    const id = this.#idOf(key);
    this.#pool.keyTables.set(id, table, TABLE_BYTES + table.count * SUMMARY_BYTES + id.length);
    (this.#tables ??= new Set()).add(key);
  }

  /** Room for those of segments that are still there. Blocks are pushed out sooner than they are worth finding. */
  forgetKeyTables(): void {
    for (const key of this.#tables ?? []) this.#pool.keyTables.delete(this.#idOf(key));
    this.#tables = null;
  }

  /** The segment's blocks are numbered anew. */
  forgetAll(): void {
    this.forgetKeyTables();
    this.close();
    this.#serial = serials++;
  }

  #idOf(key: string): string {
    return `${this.#serial}/${key}`;
  }
}
