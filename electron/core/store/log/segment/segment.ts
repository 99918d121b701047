import { StoreError } from '../../../base/errors.ts';
import type { Micros } from '#shared/values/time.ts';
import type { KeySummary } from '../../store.ts';
import { allocate, allocateShared } from '../../blocks/codec/bytes.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import type { BlockTable } from '../../blocks/block/block-table.ts';
import { DamagedBlock, DamagedIndex } from './damage-errors.ts';
import type { Files } from '../../../disk/files.ts';
import { KeyTable } from '../../blocks/block/key-table.ts';
import { Run } from '../../blocks/query/run.ts';
import { OpenSegment, openSegment, readKeyTable, readNow } from './segment-file.ts';
import { SegmentCache, type SegmentPool } from './segment-pool.ts';
import { SegmentPlace, type Lender } from './lender.ts';
import { scanSegment } from './segment-scan.ts';
import type { SegmentMeta } from './segment-writer.ts';
import { summarizeColumn } from '../../blocks/block/block-stats.ts';

/** Read at once for a chart that asks for one block after the other. */
const PASSING_BYTES = 1 << 16;
/** Of blocks that are asked for one after the other: a read of all between them costs less than a read more. */
const NEAR_BLOCKS = 6;

/** Of a key that the file has no summary of. */
const NOWHERE = { offset: 0, length: 0, crc: 0 };

/** An immutable file of blocks. Its file and index are opened when needed and closed again when others need the room. */
export class Segment extends Run {
  readonly meta: SegmentMeta;
  readonly #place: SegmentPlace;
  readonly #files: Files;
  readonly #cache: SegmentCache;
  readonly #setAside = new Set<number>();
  #rebuilt: { readonly table: BlockTable; readonly keys: ReadonlyMap<string, KeyTable> } | null = null;
  #rows: number;
  #first: Micros;
  #last: Micros;

  /** `lender`: of whose snapshot the file is, until `own`. */
  constructor(pool: SegmentPool, path: string, meta: SegmentMeta, lender: Lender | null = null) {
    super();
    this.meta = meta;
    this.#place = new SegmentPlace(path, lender);
    this.#files = pool.files;
    this.#cache = new SegmentCache(pool);
    this.#rows = meta.rows;
    this.#first = meta.first;
    this.#last = meta.last;
  }

  get path(): string {
    return this.#place.path;
  }

  /** Whether its file is a snapshot's, and none of the device's. */
  get isLent(): boolean {
    return this.#place.isLent;
  }

  /** From now on its file is the device's own: the same bytes under another name. */
  own(path: string): void {
    this.#place.own(path);
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

  get age(): number {
    return this.meta.age;
  }

  get table(): BlockTable {
    return this.#open().table;
  }

  *keyCounts(): Generator<KeySummary> {
    for (const { key, cells, numeric } of this.#open().keys.values()) {
      const table = this.#setAside.size === 0 ? undefined : this.keyTable(key);
      yield { key, count: table?.cells ?? cells, numeric: table?.numeric ?? numeric };
    }
  }

  keyTable(key: string): KeyTable | undefined {
    const known = this.#cache.keyTable(key);
    if (known !== undefined) return known;
    const open = this.#open();
    const entry = open.keys.get(key);
    if (entry === undefined) return undefined;
    const read = this.#rebuilt?.keys.get(key) ?? readKeyTable(open, entry) ?? rebuildKeyTable(this, key);
    const table = this.#setAside.size === 0 ? read : read.without(this.#setAside);
    this.#cache.keepKeyTable(key, table);
    return table;
  }

  block(index: number): Block {
    const known = this.#cache.block(index);
    if (known !== undefined) return known;
    const { file, table } = this.#open();
    const bytes = allocateShared(table.lengthOf(index));
    return this.#keep(index, bytes, readNow(file, bytes, table.offsetOf(index)));
  }

  override blocksInPassing(): (index: number) => Block {
    let chunk = allocate(0);
    let first = 0;
    let end = 0;
    let before = -NEAR_BLOCKS - 1;
    return (index) => {
      const known = this.#cache.block(index);
      if (known !== undefined) return known;
      const { file, table } = this.#open();
      if (index >= end || index < first) {
        // Reading on pays only where the next one that is asked for is near.
        const isNear = index > before && index - before <= NEAR_BLOCKS;
        end = isNear ? this.#uncachedUntil(index, PASSING_BYTES) : index + 1;
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
    if (this.#cache.block(index) !== undefined) return;
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

  /** Leaves a damaged block out from now on. Returns how many rows are lost with it. Throws DamagedIndex, and has no effect then. */
  setAside(index: number): number {
    const open = this.#open();
    const lost = open.table.rowsOf(index);
    this.#setAside.add(index);
    open.table = open.table.without(this.#setAside);
    this.#cache.forgetKeyTables();
    this.#keepOnly(open.table);
    return lost;
  }

  get blocksSetAside(): ReadonlySet<number> {
    return this.#setAside;
  }

  /** Keeps the file on disk until `free`. */
  use(): void {
    this.#place.use();
  }

  /**
   * Ends one use; the device's own ends when the manifest no longer names the segment. After the last, the file goes.
   * Resolves with whether it did; that it stays gone is for DeviceFolder.confirm to see to.
   */
  async free(): Promise<boolean> {
    if (!this.#place.free()) return false;
    this.#cache.forgetKeyTables();
    this.#cache.close();
    if (!this.isLent) await this.#files.remove(this.path);
    return true;
  }

  /** Closes the file until it is needed again. */
  close(): void {
    this.#cache.close();
  }

  /** The block after the last of those, from `index` on, that are not cached and take about so many bytes. */
  #uncachedUntil(index: number, most: number): number {
    const { table } = this.#open();
    let end = index;
    for (let bytes = 0; end < table.count && bytes < most; end++) {
      if (end > index && (this.#cache.block(end) !== undefined || table.rowsOf(end) === 0)) break;
      bytes += table.lengthOf(end);
    }
    return end;
  }

  #keep(index: number, bytes: Buffer, complete: boolean): Block {
    if (!complete || !isBlock(bytes)) throw new DamagedBlock(this, index);
    const block = new Block(bytes);
    this.#cache.keepBlock(index, block);
    return block;
  }

  /** Whether the index was found to be damaged. */
  get isRebuilt(): boolean {
    return this.#rebuilt !== null;
  }

  /** Finds the blocks without the index. Returns how many rows of the manifest are lost. */
  rebuildIndex(): number {
    const file = this.#files.openForReading(this.path);
    try {
      this.#rebuilt = scanSegment(file);
    } finally {
      file.close();
    }
    // It found whole blocks alone, and the numbers that they have now are not those that they had.
    this.#setAside.clear();
    this.#cache.forgetAll();
    const lost = this.#rows - this.#rebuilt.table.rows;
    this.#keepOnly(this.#rebuilt.table);
    return lost;
  }

  /** No more rows are left than the table says. */
  #keepOnly(table: BlockTable): void {
    this.#rows = table.rows;
    if (table.rows === 0) return;
    this.#first = table.firstOf(table.blockOf(0));
    this.#last = table.lastOf(table.blockOf(table.rows - 1));
  }

  #read(): OpenSegment {
    if (this.#rebuilt !== null) {
      const { table, keys } = this.#rebuilt;
      const entries = Array.from(
        keys,
        ([key, { cells, numeric }]) => [key, { key, cells, numeric, ...NOWHERE }] as const,
      );
      return new OpenSegment(this.#files.openForReading(this.path), null, table, new Map(entries));
    }
    try {
      return openSegment(this.#files, this.path);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'damaged')
        throw new DamagedIndex(this, { cause: error });
      throw error;
    }
  }

  #open(): OpenSegment {
    let open = this.#cache.open;
    if (open === undefined) {
      open = this.#read();
      if (this.#setAside.size > 0) open.table = open.table.without(this.#setAside);
      this.#cache.keepOpen(open);
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
