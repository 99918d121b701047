import type { Micros } from '#shared/values/time.ts';
import type { KeySummary } from '../../store.ts';
import type { Block, Projection } from '../block/block.ts';
import { BlockTable } from '../block/block-table.ts';
import { KeyTable } from '../block/key-table.ts';
import type { RowSlice } from '../block/row-slice.ts';
import { pieceAround, type SortedRows } from './sorted-rows.ts';
import { summarizeColumn } from '../block/block-stats.ts';

/** A sorted run of blocks that do not overlap; blocks may touch at equal times, the earlier arrivals first. */
export abstract class Run implements SortedRows {
  abstract readonly table: BlockTable;
  abstract block(index: number): Block;

  /** The same for a reader that asks for many blocks once each, in order; a block is valid until the next one. */
  blocksInPassing(): (index: number) => Block {
    return (index) => this.block(index);
  }

  /** Whether all that it gave so far is what it holds: only what is found out then may be remembered (readable.ts). */
  get isSettled(): boolean {
    return true;
  }

  abstract keyTable(key: string): KeyTable | undefined;
  /** How many cells there are of each key, some keys several times; read as they are asked for. */
  abstract keyCounts(): Iterable<KeySummary>;
  /** Latest time of receipt. */
  abstract readonly received: Micros;

  get rows(): number {
    return this.table.rows;
  }

  get first(): Micros {
    return this.table.firstOf(this.table.blockOf(0));
  }

  get last(): Micros {
    return this.table.lastOf(this.table.blockOf(this.table.rows - 1));
  }

  rowsBefore(time: Micros, inclusive: boolean): number {
    const { table } = this;
    const index = table.blockEnding(time, inclusive);
    if (index === table.count) return table.rows;
    if (table.rowsOf(index) === 0) return table.rowsBefore(index);
    const first = table.firstOf(index);
    const before = table.rowsBefore(index);
    if (first > time || (first === time && !inclusive)) return before;
    return before + this.block(index).rowsBefore(time, inclusive);
  }

  timeAt(row: number): Micros {
    const { table } = this;
    const index = table.blockOf(row);
    const within = row - table.rowsBefore(index);
    if (within === 0) return table.firstOf(index);
    if (within === table.rowsOf(index) - 1) return table.lastOf(index);
    return this.block(index).timeAt(within);
  }

  stretch(row: number): { from: number; to: number } {
    const index = this.table.blockOf(row);
    const before = this.table.rowsBefore(index);
    return pieceAround(row, { before, rows: this.table.rowsOf(index) }, this.block(index).columns.length);
  }

  readInto(slice: RowSlice, from: number, to: number, projection: Projection): void {
    const index = this.table.blockOf(from);
    const start = this.table.rowsBefore(index);
    this.block(index).readInto(slice, from - start, to - start, projection);
  }
}

/** Blocks that wait in memory to become a segment; more may come at the end. */
export class MemoryRun extends Run {
  readonly blocks: Block[] = [];
  bytes = 0;
  #rows = 0;
  #table: BlockTable | null = null;
  /** With how many blocks each has seen. */
  #keyTables: Map<string, { readonly table: KeyTable; blocks: number }> | null = null;

  add(block: Block): void {
    this.blocks.push(block);
    this.bytes += block.bytes.length;
    this.#rows += block.rows;
  }

  override get rows(): number {
    return this.#rows;
  }

  /**
   * Table of the blocks, made at the first read: most of ten thousand devices are not read before their blocks are written
   * elsewhere.
   */
  get table(): BlockTable {
    const table = (this.#table ??= new BlockTable());
    for (let i = table.count; i < this.blocks.length; i++) {
      const block = this.block(i);
      const { rows, first, last } = block;
      const offset = i === 0 ? 0 : table.offsetOf(i - 1) + table.lengthOf(i - 1);
      table.add(offset, block.bytes.length, { rows, first, last, received: block.lastReceived() });
    }
    return table;
  }

  get received(): Micros {
    return this.blocks.reduce((latest, block) => Math.max(latest, block.lastReceived()), -Infinity);
  }

  block(index: number): Block {
    return this.blocks[index]!;
  }

  /** Made when first asked for, of one key: most blocks become a segment before, and others may have thousands of keys. */
  keyTable(key: string): KeyTable | undefined {
    const keyTables = (this.#keyTables ??= new Map());
    const known = keyTables.get(key) ?? { table: new KeyTable(), blocks: 0 };
    for (; known.blocks < this.blocks.length; known.blocks++) {
      const block = this.block(known.blocks);
      const column = block.column(key);
      if (column !== undefined) known.table.add(known.blocks, summarizeColumn(block, column));
    }
    if (known.table.count === 0) return undefined;
    keyTables.set(key, known);
    return known.table;
  }

  keyCounts(): Iterable<KeySummary> {
    return countsOfBlocks(this);
  }
}

/** The first blocks of a run that grows: what a reader saw when it began. */
export class RunPrefix extends Run {
  readonly table: BlockTable;
  readonly #run: Run;

  constructor(run: Run) {
    super();
    this.#run = run;
    this.table = run.table.prefix();
  }

  block(index: number): Block {
    return this.#run.block(index);
  }

  keyTable(key: string): KeyTable | undefined {
    return this.#run.keyTable(key);
  }

  keyCounts(): Iterable<KeySummary> {
    return countsOfBlocks(this);
  }

  get received(): Micros {
    return this.#run.received;
  }
}

function* countsOfBlocks(run: Run): Generator<KeySummary> {
  for (let index = 0; index < run.table.count; index++) yield* run.block(index).columns;
}
