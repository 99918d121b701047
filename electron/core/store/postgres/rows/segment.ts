import type { Micros } from '#shared/values/time.ts';
import { StoreError } from '../../../base/errors.ts';
import { Block } from '../../blocks/block/block.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTable } from '../../blocks/block/key-table.ts';
import type { RowSlice } from '../../blocks/block/row-slice.ts';
import { allocate, ByteReader } from '../../blocks/codec/bytes.ts';
import { Run } from '../../blocks/query/run.ts';
import { rankOf } from '../../blocks/query/sorted-rows.ts';
import type { KeySummary } from '../../store.ts';
import type { DatabaseRow } from '../connection/connections.ts';

/** What a read can have at once, and takes note of what it cannot. */
export interface Supply {
  /** Null where it is not there yet; the read runs again when it is. */
  block(id: number, segment: StoredSegment, index: number): Block | null;
  lacksKey(segment: StoredSegment, key: string): void;
  lacksCounts(segment: StoredSegment): void;
}

let supply: Supply | null = null;

/** Runs a read that asks `of` for blocks. */
export function suppliedBy<T>(of: Supply, read: () => T): T {
  const before = supply;
  supply = of;
  try {
    return read();
  } finally {
    supply = before;
  }
}

function supplier(): Supply {
  if (supply === null) throw new TypeError('blocks of a database are read by Reading alone');
  return supply;
}

/** A segment of the database: what lies in its row, and from elsewhere what was asked for. */
export class StoredSegment extends Run {
  readonly id: number;
  readonly age: number;
  readonly bytes: number;
  readonly received: Micros;
  readonly #rows: number;
  readonly #first: Micros;
  readonly #last: Micros;
  #tableBytes: Buffer;
  #table: BlockTable | null = null;
  readonly #keyTables = new Map<string, KeyTable | null>();
  #counts: readonly KeySummary[] | null = null;

  constructor(row: DatabaseRow) {
    super();
    this.id = row['segment_id'] as number;
    this.age = row['age'] as number;
    this.bytes = row['bytes'] as number;
    this.received = row['received'] as number;
    this.#rows = row['rows'] as number;
    this.#first = row['first'] as number;
    this.#last = row['last'] as number;
    this.#tableBytes = row['blocks'] as Buffer;
  }

  // What the row says is enough to place a segment in time.
  override get rows(): number {
    return this.#rows;
  }

  override get first(): Micros {
    return this.#first;
  }

  override get last(): Micros {
    return this.#last;
  }

  get table(): BlockTable {
    if (this.#table === null) {
      this.#table = BlockTable.read(new ByteReader(aligned(this.#tableBytes)));
      this.#tableBytes = allocate(0);
    }
    return this.#table;
  }

  /** Memory that it takes, about. */
  get weight(): number {
    return 200 + this.#tableBytes.length + 60 * (this.#table?.count ?? 0);
  }

  block(index: number): Block {
    return supplier().block(this.table.offsetOf(index), this, index) ?? new GuessedBlock(this.table, index);
  }

  keyTable(key: string): KeyTable | undefined {
    const known = this.#keyTables.get(key);
    if (known === undefined) supplier().lacksKey(this, key);
    return known ?? undefined;
  }

  keyCounts(): Iterable<KeySummary> {
    if (this.#counts === null) supplier().lacksCounts(this);
    return this.#counts ?? [];
  }

  /** Takes what was read of a key; null where the segment has none. */
  knowKey(key: string, summary: Buffer | null): void {
    const table = summary && KeyTable.read(new ByteReader(aligned(summary)), this.table);
    this.#keyTables.set(key, table);
  }

  knowCounts(counts: readonly KeySummary[]): void {
    this.#counts = counts;
  }
}

/** The numbers of a table lie at addresses that are multiples of 8. */
function aligned(bytes: Buffer): Buffer {
  const copy = allocate(Math.ceil(bytes.length / 8) * 8);
  copy.set(bytes);
  return copy;
}

/**
 * What stands for a block that is not here yet, so that a read goes on and says what else it lacks: its times are as if
 * evenly spaced. What such a read returns is thrown away.
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

  override get isGuess(): true {
    return true;
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
