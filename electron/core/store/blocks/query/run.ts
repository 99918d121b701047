import type { Micros } from '#shared/time.ts';
import type { Block, Projection } from '../block/block.ts';
import { BlockTable } from '../block/block-table.ts';
import { KeyTables, type KeyTable } from '../block/key-table.ts';
import type { RowSlice } from '../block/row-slice.ts';
import type { SortedRows } from './sorted-rows.ts';
import { summarize } from '../block/block-stats.ts';

/** A sorted run of blocks that do not overlap; blocks may touch at equal times, the earlier arrivals first. */
export abstract class Run implements SortedRows {
  abstract readonly table: BlockTable;
  abstract block(index: number): Block;

  /** The same for a reader that asks for many blocks once each, in order; a block is valid until the next one. */
  blocksInPassing(): (index: number) => Block {
    return (index) => this.block(index);
  }

  abstract keyTable(key: string): KeyTable | undefined;
  abstract readonly keys: Iterable<{
    readonly key: string;
    readonly cells: number;
    readonly numeric: number;
  }>;
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
    const from = this.table.rowsBefore(index);
    return { from, to: from + this.table.rowsOf(index) };
  }

  readInto(slice: RowSlice, from: number, to: number, projection: Projection): void {
    const index = this.table.blockOf(from);
    const start = this.table.rowsBefore(index);
    this.block(index).readInto(slice, from - start, to - start, projection);
  }
}

/** Blocks that wait in memory to become a segment; more may come at the end. */
export class MemoryRun extends Run {
  readonly table = new BlockTable();
  readonly blocks: Block[] = [];
  readonly #keys = new KeyTables();
  #summarized = 0;
  bytes = 0;
  received: Micros = -Infinity;

  add(block: Block): void {
    const { rows, first, last } = block;
    const received = block.lastReceived();
    this.table.add(this.bytes, block.bytes.length, { rows, first, last, received });
    this.blocks.push(block);
    this.bytes += block.bytes.length;
    if (received > this.received) this.received = received;
  }

  block(index: number): Block {
    return this.blocks[index]!;
  }

  keyTable(key: string): KeyTable | undefined {
    return this.#summaries().get(key);
  }

  get keys(): { key: string; cells: number; numeric: number }[] {
    return Array.from(this.#summaries(), ([key, { cells, numeric }]) => ({ key, cells, numeric }));
  }

  /** Made when first asked for: most blocks become a segment before. */
  #summaries(): ReadonlyMap<string, KeyTable> {
    for (; this.#summarized < this.blocks.length; this.#summarized++)
      this.#keys.add(this.#summarized, summarize(this.block(this.#summarized)));
    return this.#keys.byKey;
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

  get keys(): Run['keys'] {
    return this.#run.keys;
  }

  get received(): Micros {
    return this.#run.received;
  }
}
