import type { Micros } from '#shared/values/time.ts';
import type { ByteReader, ByteWriter } from '../codec/bytes.ts';
import { Numbers, readNumbers } from '../codec/numbers.ts';

/*
 * The index of a sorted run of blocks, column by column in typed arrays: about 60 bytes a block, and as much a key and
 * block that carries it. The same number codec that packs records packs it on disk.
 */

const FIELDS = ['offset', 'length', 'rows', 'first', 'last', 'received'] as const;
type Field = (typeof FIELDS)[number];

/** Table of a run's blocks: place, span, and rows before each. */
export class BlockTable {
  count = 0;
  rows = 0;
  readonly offset = new Numbers();
  readonly length = new Numbers();
  readonly blockRows = new Numbers();
  readonly first = new Numbers();
  readonly last = new Numbers();
  readonly received = new Numbers();
  /** Rows before block i; one entry more than there are blocks. */
  readonly before = new Numbers();

  constructor() {
    this.before.push(0);
  }

  add(
    offset: number,
    length: number,
    block: { rows: number; first: Micros; last: Micros; received: Micros },
  ): void {
    this.offset.push(offset);
    this.length.push(length);
    this.blockRows.push(block.rows);
    this.first.push(block.first);
    this.last.push(block.last);
    this.received.push(block.received);
    this.rows += block.rows;
    this.before.push(this.rows);
    this.count++;
  }

  offsetOf(block: number): number {
    return this.offset.values[block]!;
  }

  lengthOf(block: number): number {
    return this.length.values[block]!;
  }

  rowsOf(block: number): number {
    return this.blockRows.values[block]!;
  }

  firstOf(block: number): Micros {
    return this.first.values[block]!;
  }

  lastOf(block: number): Micros {
    return this.last.values[block]!;
  }

  receivedOf(block: number): Micros {
    return this.received.values[block]!;
  }

  rowsBefore(block: number): number {
    return this.before.values[block]!;
  }

  /** The same blocks in the same places, but those set aside hold no rows. */
  without(setAside: ReadonlySet<number>): BlockTable {
    const table = new BlockTable();
    for (let i = 0; i < this.count; i++)
      table.add(this.offsetOf(i), this.lengthOf(i), {
        rows: setAside.has(i) ? 0 : this.rowsOf(i),
        first: this.firstOf(i),
        last: this.lastOf(i),
        received: this.receivedOf(i),
      });
    return table;
  }

  /** The block that holds a row of the run. */
  blockOf(row: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.before.values[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first block that ends at `time` or later, or after it; `count` when none does. */
  blockEnding(time: Micros, after: boolean): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.last.values[middle]!;
      if (last < time || (after && last === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  equals(other: BlockTable): boolean {
    return (
      this.count === other.count &&
      FIELDS.every((field) => this.#numbers(field).equals(other.#numbers(field)))
    );
  }

  /** The blocks there are now, while more may come. */
  prefix(): BlockTable {
    return Object.assign(Object.create(BlockTable.prototype) as BlockTable, this);
  }

  write(out: ByteWriter): void {
    out.varint(this.count);
    out.align(4);
    for (const field of FIELDS) this.#numbers(field).write(out);
  }

  /** Reads what `write` wrote; the reader's bytes start at a multiple of 8. */
  static read(reader: ByteReader): BlockTable {
    const table = new BlockTable();
    const count = reader.varint();
    reader.align(4);
    const columns = FIELDS.map(() => readNumbers(reader, count));
    const [offset, length, rows, first, last, received] = columns as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let i = 0; i < count; i++)
      table.add(offset[i]!, length[i]!, {
        rows: rows[i]!,
        first: first[i]!,
        last: last[i]!,
        received: received[i]!,
      });
    return table;
  }

  #numbers(field: Field): Numbers {
    return field === 'rows' ? this.blockRows : this[field];
  }
}
