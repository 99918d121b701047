import type { Micros } from '#shared/values/time.ts';
import { StoreError } from '../../../base/errors.ts';
import { Block } from '../../blocks/block/block.ts';
import type { BlockTable } from '../../blocks/block/block-table.ts';
import type { KeyTable } from '../../blocks/block/key-table.ts';
import type { RowSlice } from '../../blocks/block/row-slice.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import { Run } from '../../blocks/query/run.ts';
import { rankOf } from '../../blocks/query/sorted-rows.ts';
import type { KeySummary } from '../../store.ts';
import type { StoredSegment } from './segment.ts';

/** Demand-driven loading: blocks in memory, and notes of missing ones; once these are loaded, the read runs again. */
export interface Supply {
  /** Whether something was asked for that is not there yet. */
  readonly isLacking: boolean;
  /** Null where it is not there yet. */
  block(id: number): Block | null;
  lacksKey(segment: StoredSegment, key: string): void;
  lacksCounts(segment: StoredSegment): void;
}

/** Segment of the database for one read, which loads blocks on demand from `supply`. */
export class SuppliedSegment extends Run {
  readonly stored: StoredSegment;
  readonly supply: Supply;

  constructor(stored: StoredSegment, supply: Supply) {
    super();
    this.stored = stored;
    this.supply = supply;
  }

  override get isSettled(): boolean {
    return !this.supply.isLacking;
  }

  // What the row says is enough to place a segment in time.
  override get rows(): number {
    return this.stored.rows;
  }

  override get first(): Micros {
    return this.stored.first;
  }

  override get last(): Micros {
    return this.stored.last;
  }

  get age(): number {
    return this.stored.age;
  }

  get received(): Micros {
    return this.stored.received;
  }

  get table(): BlockTable {
    return this.stored.table;
  }

  block(index: number): Block {
    return this.supply.block(this.table.offsetOf(index)) ?? new GuessedBlock(this.table, index);
  }

  keyTable(key: string): KeyTable | undefined {
    const known = this.stored.keyTable(key);
    if (known === undefined) this.supply.lacksKey(this.stored, key);
    return known ?? undefined;
  }

  keyCounts(): Iterable<KeySummary> {
    const { counts } = this.stored;
    if (counts === null) this.supply.lacksCounts(this.stored);
    return counts ?? [];
  }
}

/**
 * Placeholder for a block that is not loaded, so that a read goes on and asks for others: its times are as if evenly spaced.
 * The result of such a read is thrown away.
 */
class GuessedBlock extends Block {
  readonly #first: Micros;
  readonly #step: number;

  constructor(table: BlockTable, index: number) {
    const [first, last, rows] = [table.firstOf(index), table.lastOf(index), table.rowsOf(index)];
    const header = allocate(24);
    header.writeUInt32LE(rows, 12);
    super(header, { first, last, received: table.receivedOf(index) });
    this.#first = first;
    this.#step = rows > 1 ? (last - first) / (rows - 1) : 0;
  }

  override get columns(): never[] {
    return [];
  }

  override get times(): never {
    throw new StoreError('io', 'Stored records were not read before they were needed. Try again.');
  }

  override column(): undefined {
    return undefined;
  }

  override timeAt(row: number): Micros {
    return row === this.rows - 1 ? this.last : Math.floor(this.#first + row * this.#step);
  }

  override rowsBefore(time: Micros, inclusive: boolean): number {
    return rankOf(this, time, inclusive);
  }

  override readInto(slice: RowSlice, from: number, to: number): void {
    slice.reset(to - from);
    for (let row = from; row < to; row++) slice.times[row - from] = this.timeAt(row);
    slice.received.fill(this.#first, 0, to - from);
  }
}
