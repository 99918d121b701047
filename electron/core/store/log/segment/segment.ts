import { StoreError } from '../../../errors.ts';
import type { Micros } from '#shared/time.ts';
import { allocate, allocateShared } from '../../blocks/codec/bytes.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import type { BlockTable } from '../../blocks/block/block-table.ts';
import { DamagedBlock, DamagedIndex } from './damage-errors.ts';
import type { Files } from '../../../disk/files.ts';
import { KeyTable } from '../../blocks/block/key-table.ts';
import { Lru } from '../../blocks/query/lru.ts';
import { Run } from '../../blocks/query/run.ts';
import { OpenSegment, openSegment, readKeyTable, readNow, type KeyEntry } from './segment-file.ts';
import { scanSegment } from './segment-scan.ts';
import type { SegmentMeta } from './segment-writer.ts';
import { summarizeColumn } from '../../blocks/block/block-stats.ts';

/** What all segments of a store share: bounded memory and file handles. */
export interface SegmentPool {
  readonly files: Files;
  readonly open: Lru<Segment, OpenSegment>;
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

/** Read at once for a chart that asks for one block after the other. */
const PASSING_BYTES = 1 << 16;

/** Of a key that the file has no summary of. */
const NOWHERE = { offset: 0, length: 0, crc: 0 };

/** Blocks a process may number without reusing a number of the block cache: 2^21 a segment. */
const CACHE_STRIDE = 2 ** 21;
const SUMMARY_BYTES = 80;
/** Of a table of summaries, however few are in it, and of a column of a block that was read. */
const TABLE_BYTES = 640;
const COLUMN_BYTES = 128;
/** An open file whose index takes no more counts as one of `handles`; a larger one as several. */
const HANDLE_BYTES = 1 << 16;
let serials = 0;

/** An immutable file of blocks. Its file and index are opened when needed and closed again when others need the room. */
export class Segment extends Run {
  readonly meta: SegmentMeta;
  readonly path: string;
  readonly #pool: SegmentPool;
  readonly #serial = serials++;
  readonly #setAside = new Set<number>();
  #rebuilt: { readonly table: BlockTable; readonly keys: ReadonlyMap<string, KeyTable> } | null = null;
  #users = 1;
  #rows: number;
  #first: Micros;
  #last: Micros;

  constructor(pool: SegmentPool, path: string, meta: SegmentMeta) {
    super();
    this.meta = meta;
    this.path = path;
    this.#pool = pool;
    this.#rows = meta.rows;
    this.#first = meta.first;
    this.#last = meta.last;
  }

  // What the manifest says is enough to place a segment in time: its file is not opened for that.
  override get rows(): number {
    return this.#rows;
  }

  override get first(): Micros {
    return this.#first;
  }

  override get last(): Micros {
    return this.#last;
  }

  get received(): Micros {
    return this.meta.received;
  }

  get table(): BlockTable {
    return this.#open().table;
  }

  get keys(): Iterable<KeyEntry> {
    const keys = this.#open().keys.values();
    if (this.#setAside.size === 0) return keys;
    return Array.from(keys, (entry) => {
      const table = this.keyTable(entry.key);
      return table === undefined ? entry : { ...entry, cells: table.cells, numeric: table.numeric };
    });
  }

  keyTable(key: string): KeyTable | undefined {
    const id = `${this.#serial}/${key}`;
    const known = this.#pool.keyTables.get(id);
    if (known !== undefined) return known;
    const open = this.#open();
    const entry = open.keys.get(key);
    if (entry === undefined) return undefined;
    const read = this.#rebuilt?.keys.get(key) ?? readKeyTable(open, entry) ?? rebuildKeyTable(this, key);
    const table = this.#setAside.size === 0 ? read : read.without(this.#setAside);
    this.#pool.keyTables.set(id, table, TABLE_BYTES + table.count * SUMMARY_BYTES + id.length);
    return table;
  }

  block(index: number): Block {
    const known = this.#cached(index);
    if (known !== undefined) return known;
    const { file, table } = this.#open();
    const bytes = allocateShared(table.lengthOf(index));
    return this.#keep(index, bytes, readNow(file, bytes, table.offsetOf(index)));
  }

  override blocksInPassing(): (index: number) => Block {
    let chunk = allocate(0);
    let first = 0;
    let end = 0;
    let before = -2;
    return (index) => {
      const known = this.#cached(index);
      if (known !== undefined) return known;
      const { file, table } = this.#open();
      if (index >= end || index < first) {
        // Reading on pays only where neighbours are asked for.
        end = index === before + 1 ? this.#uncachedUntil(index, PASSING_BYTES) : index + 1;
        first = index;
        const length = table.offsetOf(end - 1) + table.lengthOf(end - 1) - table.offsetOf(index);
        if (chunk.buffer.byteLength < length) chunk = allocate(Math.max(length, PASSING_BYTES));
        chunk = Buffer.from(chunk.buffer, 0, length);
        if (!readNow(file, chunk, table.offsetOf(index))) return this.block(index);
      }
      before = index;
      const bytes = slice(chunk, table.offsetOf(index) - table.offsetOf(first), table.lengthOf(index));
      if (!isBlock(bytes)) throw new DamagedBlock(this, index);
      return new Block(bytes);
    };
  }

  /** Reads blocks from `index` on, up to about `most` bytes, so that `block` finds them in memory. */
  async prefetch(index: number, most: number): Promise<void> {
    const open = this.#open();
    const { table } = open;
    if (this.#cached(index) !== undefined) return;
    const end = this.#uncachedUntil(index, most);
    const offset = table.offsetOf(index);
    const chunk = allocate(table.offsetOf(end - 1) + table.lengthOf(end - 1) - offset);
    open.pins++;
    try {
      if ((await open.file.read(chunk, offset)) < chunk.length) return;
    } finally {
      open.pins--;
      open.closeWhenUnused();
    }
    for (let i = index; i < end; i++) {
      const bytes = slice(chunk, table.offsetOf(i) - offset, table.lengthOf(i));
      if (isBlock(bytes)) this.#keep(i, bytes, true);
    }
  }

  /** The bytes of a block as they are on disk, damaged or not. */
  rawBlock(index: number): Buffer {
    const { file, table } = this.#open();
    const bytes = allocate(table.lengthOf(index));
    file.readNow(bytes, table.offsetOf(index));
    return bytes;
  }

  /** Leaves a damaged block out from now on. Returns how many rows are lost with it. */
  setAside(index: number): number {
    const lost = this.table.rowsOf(index);
    this.#setAside.add(index);
    for (const key of this.#open().keys.keys()) this.#pool.keyTables.delete(`${this.#serial}/${key}`);
    this.#pool.open.delete(this);
    this.#rows -= lost;
    if (this.#rows > 0) {
      this.#first = super.first;
      this.#last = super.last;
    }
    return lost;
  }

  get blocksSetAside(): ReadonlySet<number> {
    return this.#setAside;
  }

  /** Keeps the file on disk until `free`. */
  use(): void {
    this.#users++;
  }

  /**
   * Ends one use; the device's own ends when the manifest no longer names the segment. After the last, the file goes.
   * Resolves with whether it did; that it stays gone is for DeviceFolder.confirm to see to.
   */
  async free(): Promise<boolean> {
    if (--this.#users > 0) return false;
    this.#pool.open.delete(this);
    await this.#pool.files.remove(this.path);
    return true;
  }

  /** Closes the file until it is needed again. */
  close(): void {
    this.#pool.open.delete(this);
  }

  #cached(index: number): Block | undefined {
    return this.#pool.blocks.get(this.#serial * CACHE_STRIDE + index);
  }

  /** The block after the last of those, from `index` on, that are not cached and take about so many bytes. */
  #uncachedUntil(index: number, most: number): number {
    const { table } = this.#open();
    let end = index;
    for (let bytes = 0; end < table.count && bytes < most; end++) {
      if (end > index && (this.#cached(end) !== undefined || table.rowsOf(end) === 0)) break;
      bytes += table.lengthOf(end);
    }
    return end;
  }

  #keep(index: number, bytes: Buffer, complete: boolean): Block {
    if (!complete || !isBlock(bytes)) throw new DamagedBlock(this, index);
    const block = new Block(bytes);
    const cost = bytes.length + block.columns.length * COLUMN_BYTES;
    this.#pool.blocks.set(this.#serial * CACHE_STRIDE + index, block, cost);
    return block;
  }

  /** Whether the index was found to be damaged. */
  get isRebuilt(): boolean {
    return this.#rebuilt !== null;
  }

  /** Finds the blocks without the index. Returns how many rows of the manifest are lost. */
  rebuildIndex(): number {
    this.#pool.open.delete(this);
    const file = this.#pool.files.openForReading(this.path);
    try {
      this.#rebuilt = scanSegment(file);
    } finally {
      file.close();
    }
    const lost = this.#rows - this.#rebuilt.table.rows;
    this.#rows = this.#rebuilt.table.rows;
    if (this.#rows > 0) {
      this.#first = super.first;
      this.#last = super.last;
    }
    return lost;
  }

  #read(): OpenSegment {
    if (this.#rebuilt !== null) {
      const { table, keys } = this.#rebuilt;
      const entries = Array.from(
        keys,
        ([key, { cells, numeric }]) => [key, { key, cells, numeric, ...NOWHERE }] as const,
      );
      return new OpenSegment(this.#pool.files.openForReading(this.path), null, table, new Map(entries));
    }
    try {
      return openSegment(this.#pool.files, this.path);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'damaged')
        throw new DamagedIndex(this, { cause: error });
      throw error;
    }
  }

  #open(): OpenSegment {
    let open = this.#pool.open.get(this);
    if (open === undefined) {
      open = this.#read();
      if (this.#setAside.size > 0) open.table = open.table.without(this.#setAside);
      this.#pool.open.set(this, open, Math.max(1, open.indexBytes / HANDLE_BYTES));
    }
    return open;
  }
}

/** A damaged summary is no loss: the blocks hold it too. */
function rebuildKeyTable(segment: Segment, key: string): KeyTable {
  const table = new KeyTable();
  for (let index = 0; index < segment.table.count; index++) {
    if (segment.table.rowsOf(index) === 0) continue;
    const block = segment.block(index);
    const column = block.column(key);
    if (column !== undefined) table.add(index, summarizeColumn(block, column));
  }
  return table;
}

function slice(chunk: Buffer, from: number, length: number): Buffer {
  return chunk.subarray(from, from + length);
}
