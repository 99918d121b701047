import { lowerBound } from '#shared/values/lower-bound.ts';
import type { Micros } from '#shared/values/time.ts';
import type { BlockTable } from './block-table.ts';
import { ByteWriter, type ByteReader } from '../codec/bytes.ts';
import { writeNumbers } from '../codec/number-writer.ts';
import { Numbers, readNumbers } from '../codec/numbers.ts';
import type { BlockStats, KeyStats } from './block-stats.ts';

const words = new ByteWriter(4096);
const STATS = ['min', 'max', 'first', 'last', 'firstTime', 'lastTime'] as const;
const STRIDE = STATS.length;

/** Table of one key in the blocks of a run; blocks without the key take no room. */
export class KeyTable {
  count = 0;
  cells = 0;
  numeric = 0;
  readonly #block = new Numbers();
  readonly #cells = new Numbers();
  readonly #numeric = new Numbers();
  readonly #stats = new Numbers(4 * STRIDE);

  add(block: number, summary: KeyStats): void {
    this.#block.push(block);
    this.#cells.push(summary.cells);
    this.#numeric.push(summary.numeric);
    for (const stat of STATS) this.#stats.push(summary[stat]);
    this.cells += summary.cells;
    this.numeric += summary.numeric;
    this.count++;
  }

  /** The first entry of a block at or after this one. */
  entryFrom(block: number): number {
    return lowerBound(this.#block.values, 0, this.count, block);
  }

  blockOf(entry: number): number {
    return this.#block.values[entry]!;
  }

  cellsOf(entry: number): number {
    return this.#cells.values[entry]!;
  }

  numericOf(entry: number): number {
    return this.#numeric.values[entry]!;
  }

  minOf(entry: number): number {
    return this.#stats.values[entry * STRIDE]!;
  }

  maxOf(entry: number): number {
    return this.#stats.values[entry * STRIDE + 1]!;
  }

  firstOf(entry: number): number {
    return this.#stats.values[entry * STRIDE + 2]!;
  }

  lastOf(entry: number): number {
    return this.#stats.values[entry * STRIDE + 3]!;
  }

  firstTimeOf(entry: number): Micros {
    return this.#stats.values[entry * STRIDE + 4]!;
  }

  lastTimeOf(entry: number): Micros {
    return this.#stats.values[entry * STRIDE + 5]!;
  }

  summary(entry: number): KeyStats {
    return {
      cells: this.cellsOf(entry),
      numeric: this.numericOf(entry),
      min: this.minOf(entry),
      max: this.maxOf(entry),
      first: this.firstOf(entry),
      last: this.lastOf(entry),
      firstTime: this.firstTimeOf(entry),
      lastTime: this.lastTimeOf(entry),
    };
  }

  equals(other: KeyTable): boolean {
    return (
      this.#block.equals(other.#block) &&
      this.#cells.equals(other.#cells) &&
      this.#numeric.equals(other.#numeric) &&
      this.#stats.equals(other.#stats)
    );
  }

  without(setAside: ReadonlySet<number>): KeyTable {
    const table = new KeyTable();
    for (let entry = 0; entry < this.count; entry++)
      if (!setAside.has(this.blockOf(entry))) table.add(this.blockOf(entry), this.summary(entry));
    return table;
  }

  /** Times are written as distances from the block's ends, which are 0 where every row carries the key. */
  write(out: ByteWriter, blocks: BlockTable): void {
    const columns = [
      this.#block.values,
      this.#cells.values,
      this.#numeric.values,
      ...STATS.map(() => new Float64Array(this.count)),
    ];
    for (let entry = 0; entry < this.count; entry++)
      for (let i = 0; i < STRIDE; i++) columns[3 + i]![entry] = this.#stats.values[entry * STRIDE + i]!;
    const firstTimes = columns[7]!;
    const lastTimes = columns[8]!;
    const asDistances = this.#timesAreNear(blocks);
    if (asDistances)
      for (let entry = 0; entry < this.count; entry++) {
        if (this.numericOf(entry) === 0) continue;
        firstTimes[entry] = firstTimes[entry]! - blocks.firstOf(this.blockOf(entry));
        lastTimes[entry] = blocks.lastOf(this.blockOf(entry)) - lastTimes[entry]!;
      }
    out.varint(this.count);
    out.u8(asDistances ? 1 : 0);
    out.align(4);
    for (const values of columns) writeNumbers(values, 0, this.count, out, words);
  }

  static read(reader: ByteReader, blocks: BlockTable): KeyTable {
    const table = new KeyTable();
    const count = reader.varint();
    const asDistances = reader.u8() === 1;
    reader.align(4);
    const columns = Array.from({ length: 3 + STRIDE }, () => readNumbers(reader, count));
    const value = (column: number, entry: number) => columns[column]![entry]!;
    for (let entry = 0; entry < count; entry++) {
      const block = value(0, entry);
      const numeric = value(2, entry);
      const near = asDistances && numeric > 0;
      table.add(block, {
        cells: value(1, entry),
        numeric,
        min: value(3, entry),
        max: value(4, entry),
        first: value(5, entry),
        last: value(6, entry),
        firstTime: value(7, entry) + (near ? blocks.firstOf(block) : 0),
        lastTime: near ? blocks.lastOf(block) - value(8, entry) : value(8, entry),
      });
    }
    return table;
  }

  /** A block may span five centuries, whose distances in µs are no safe integers. */
  #timesAreNear(blocks: BlockTable): boolean {
    for (let entry = 0; entry < this.count; entry++) {
      const block = this.blockOf(entry);
      if (!Number.isSafeInteger(blocks.lastOf(block) - blocks.firstOf(block))) return false;
    }
    return true;
  }
}

/** The tables of every key of a run, as blocks are added to it. */
export class KeyTables {
  readonly byKey = new Map<string, KeyTable>();

  add(block: number, summary: BlockStats): void {
    for (const [key, stats] of summary.keys) {
      let table = this.byKey.get(key);
      if (table === undefined) this.byKey.set(key, (table = new KeyTable()));
      table.add(block, stats);
    }
  }
}
