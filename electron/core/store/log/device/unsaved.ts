import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../../store.ts';
import type { Block } from '../../blocks/block/block.ts';
import { Memtable } from '../../blocks/query/memtable.ts';
import { MemoryRun } from '../../blocks/query/run.ts';
import { BufferedRows, type SortedRows } from '../../blocks/query/sorted-rows.ts';

/** The rows of a device that are in no segment yet: what arrived last, and before it what is being written to one. */
export class Unsaved {
  #arrived = new Memtable(-Infinity);
  #flushing: Memtable | null = null;

  add(records: readonly StoredRecord[]): void {
    this.#arrived.add(records);
  }

  addBlocks(blocks: readonly Block[]): void {
    this.#arrived.addBlocks(blocks);
  }

  /** Drops all of it. */
  clear(): void {
    this.#arrived = new Memtable(-Infinity);
    this.#flushing = null;
  }

  /** Whether a row that arrives is late depends on `newest`, in µs; while there are rows, they say it themselves. */
  comesAfter(newest: Micros): void {
    if (this.#arrived.rows === 0) this.#arrived = new Memtable(newest);
  }

  /** Takes what arrived, to be written; what comes now comes after it. */
  take(): Memtable {
    this.#flushing = this.#arrived;
    this.#arrived = new Memtable(this.#arrived.newest);
    return this.#flushing;
  }

  /** Puts what arrived into few blocks, and returns them in order of arrival. */
  pack(): readonly Block[] {
    return this.#arrived.pack();
  }

  /** Whether some of it is being written to a segment. */
  get isFlushing(): boolean {
    return this.#flushing !== null;
  }

  /** Takes rows back that could not be written, before those that came since. */
  takeBack(taken: Memtable): void {
    this.#arrived.putBefore(taken);
    this.#flushing = null;
  }

  /** Drops the taken rows: they, or others up to `newest`, are in segments now. */
  written(newest: Micros): void {
    this.#arrived.newest = Math.max(this.#arrived.newest, newest);
    this.#flushing = null;
  }

  /** In order of arrival; `lasting` ones stay as they are while more rows arrive. */
  sources(lasting: boolean): SortedRows[] {
    return [...(this.#flushing?.sources(lasting) ?? []), ...this.#arrived.sources(lasting)];
  }

  /** Of all rows, some several times. */
  *keys(): Generator<string> {
    for (const source of this.sources(false))
      if (source instanceof BufferedRows) for (const { key } of source.buffer.columns) yield key;
      else if (source instanceof MemoryRun)
        for (const { columns } of source.blocks) for (const { key } of columns) yield key;
  }

  /** Whether rows arrived that were not taken yet. */
  get hasArrived(): boolean {
    return this.#arrived.rows > 0;
  }

  get rows(): number {
    return (this.#flushing?.rows ?? 0) + this.#arrived.rows;
  }

  /** Bytes of memory, about. */
  get weight(): number {
    return (this.#flushing?.weight ?? 0) + this.#arrived.weight;
  }

  get newest(): Micros {
    return this.#arrived.newest;
  }

  get lateRuns(): number {
    return this.#arrived.lateRuns;
  }
}
