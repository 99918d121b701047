import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../../store.ts';
import type { Block } from '../block/block.ts';
import { blockOf, isFull } from '../block/rows-to-blocks.ts';
import { RowBuffer } from '../block/row-buffer.ts';
import { SpareBuffers } from '../block/spare-buffers.ts';
import { packedRun } from './packed-run.ts';
import { MemoryRun, RunPrefix } from './run.ts';
import { BufferedRows, type SortedRows } from './sorted-rows.ts';

const spares = new SpareBuffers(() => new RowBuffer(), { buffers: 1024, rows: 256, columns: 16 });

/**
 * Rows by how they arrived. `live` ones were never older than any row before them, so they follow one another; `late`
 * ones were. A late row is older than the newest row of its moment, so of equal times it arrived after the live one.
 */
class Layer {
  live = new MemoryRun();
  liveRows: RowBuffer | null = null;
  late: MemoryRun[] = [];
  lateRows: RowBuffer | null = null;

  sealLive(): void {
    if (this.liveRows === null) return;
    this.live.add(blockOf(this.liveRows));
    this.#emptyLive();
  }

  sealLate(): void {
    if (this.lateRows === null) return;
    this.addLate(blockOf(this.lateRows));
    spares.giveBack(this.lateRows);
    this.lateRows = null;
  }

  #emptyLive(): void {
    if (this.liveRows !== null) spares.giveBack(this.liveRows);
    this.liveRows = null;
  }

  /** Puts all rows into blocks, few of them; who reads what was there goes on reading it. */
  pack(): MemoryRun[] {
    this.sealLate();
    this.live = packedRun(this.live, this.liveRows);
    this.#emptyLive();
    this.late = this.late.map((run) => packedRun(run, null));
    return [this.live, ...this.late];
  }

  /** Blocks that follow the last late run join it: a device that catches up in order makes one run. */
  addLate(block: Block): void {
    let run = this.late.at(-1);
    if (run === undefined || run.last > block.first) {
      run = new MemoryRun();
      this.late.push(run);
    }
    run.add(block);
  }

  /** `lasting` sources stay as they are while more rows arrive. */
  liveSources(lasting: boolean): SortedRows[] {
    const runs = this.live.rows === 0 ? [] : [lasting ? new RunPrefix(this.live) : this.live];
    return this.liveRows === null ? runs : [...runs, new BufferedRows(this.liveRows, lasting)];
  }

  lateSources(lasting: boolean): SortedRows[] {
    const runs = lasting ? this.late.map((run) => new RunPrefix(run)) : this.late;
    return this.lateRows === null ? runs : [...runs, new BufferedRows(this.lateRows, lasting)];
  }
}

/** Memtable: rows of a device that are not yet in a segment. */
export class Memtable {
  readonly layers: Layer[] = [new Layer()];
  rows = 0;
  /** Newest time of the device, here or in older sources. */
  newest: Micros;

  constructor(newest: Micros) {
    this.newest = newest;
  }

  get #layer(): Layer {
    return this.layers.at(-1)!;
  }

  /** Late runs, which make pages slower until they are merged. */
  get lateRuns(): number {
    return this.layers.reduce((count, layer) => count + layer.late.length, this.layers.length - 1);
  }

  /** Roughly the memory that blocks and rows take. */
  get weight(): number {
    let weight = 0;
    for (const { live, late, liveRows, lateRows } of this.layers) {
      weight += live.bytes + (liveRows?.weight ?? 0) + (lateRows?.weight ?? 0);
      for (const run of late) weight += run.bytes;
    }
    return weight;
  }

  add(records: readonly StoredRecord[]): void {
    const layer = this.#layer;
    for (const record of records) {
      if (record.timestamp >= this.newest) {
        this.newest = record.timestamp;
        const rows = (layer.liveRows ??= spares.take());
        rows.add(record);
        if (isFull(rows)) layer.sealLive();
      } else {
        const rows = (layer.lateRows ??= spares.take());
        rows.add(record);
        if (isFull(rows)) layer.sealLate();
      }
    }
    this.rows += records.length;
  }

  /** Adds blocks of one batch; those that start before `newest` overlap what is there. */
  addBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) {
      const { first, last } = block;
      if (first >= this.newest) {
        this.#addLive(block);
      } else if (last < this.newest) {
        this.#layer.sealLate();
        this.#layer.addLate(block);
      } else {
        // It is both: as the first of a new layer it comes after all that arrived before it.
        this.layers.push(new Layer());
        this.#addLive(block);
      }
      this.newest = Math.max(this.newest, last);
      this.rows += block.rows;
    }
  }

  /** Takes in what arrived before everything here. */
  putBefore(older: Memtable): void {
    this.layers.unshift(...older.layers);
    this.rows += older.rows;
  }

  /** Puts all rows into blocks, which are returned: added in their order to an empty table they make the same one. */
  pack(): Block[] {
    return this.layers.flatMap((layer) => layer.pack().flatMap(({ blocks }) => blocks));
  }

  sources(lasting: boolean): SortedRows[] {
    return this.layers.flatMap((layer) => [...layer.liveSources(lasting), ...layer.lateSources(lasting)]);
  }

  #addLive(block: Block): void {
    const layer = this.#layer;
    layer.sealLive();
    layer.live.add(block);
  }
}
