import type { Micros } from '#shared/values/time.ts';
import { recordsOf, type RecordColumns } from '../../store/record-columns.ts';
import type { Columnar, StoredRecord } from '../../store/store.ts';
import { ODD_VALUE, PlainRecords } from './plain-records.ts';
import { isSameShape, shapeOf, type Shape } from './shape.ts';

/** Some records in the order in which they were read: as they are, or as columns. */
export type Batch = readonly StoredRecord[] | Columnar;

export const isColumnar = (batch: Batch): batch is Columnar => 'columns' in batch;

/** Shapes that are known at once: devices that send several kinds of records take turns with them. */
const MOST_SHAPES = 4;
/** Fewer rows are not worth columns of their own. */
const LEAST_ROWS = 16;
/** Records that are passed on at once. */
const MOST_RECORDS = 1024;

interface Lent {
  readonly plain: PlainRecords;
  readonly columns: RecordColumns;
}

/** Gathers records, those of a known shape as columns. */
export class Batches {
  readonly #received: Micros;
  /** The one that was used last is the first. */
  readonly #plain: PlainRecords[] = [];
  /** Of the record that was read last the careful way: the second of its kind makes it known. */
  #candidate: Shape | null = null;
  /** Whether the record that `plain` gave up last has a known shape, and an odd value. */
  #isKnown = false;
  #made: Batch[] = [];
  /** Owners of lent columns, of this take and of the last one. */
  #madeOf: Lent[] = [];
  #lent: readonly Lent[] = [];
  /** Records before the rows of the first shape; later shapes have none. */
  #records: StoredRecord[] = [];

  constructor(received: Micros) {
    this.#received = received;
  }

  /**
   * Reads a plain record that begins at `from`, and returns where it ends; -1 where the careful way has to read it.
   * `isEnd` may still refuse it by what follows.
   */
  plain(bytes: Buffer, from: number, isEnd: (end: number) => boolean): number {
    this.#isKnown = false;
    for (let i = 0; i < this.#plain.length; i++) {
      const plain = this.#plain[i]!;
      const end = plain.read(bytes, from);
      if (end === ODD_VALUE) this.#isKnown = true;
      if (end < 0) continue;
      if (!isEnd(end)) return -1;
      if (i > 0) {
        this.#flushColumns();
        this.#plain.splice(i, 1);
        this.#plain.unshift(plain);
      }
      plain.keep();
      if (plain.isFull) this.#flush();
      return end;
    }
    return -1;
  }

  /** Adds a record that was read the careful way from the bytes at [from, to). */
  add(record: StoredRecord, bytes: Buffer, from: number, to: number): void {
    this.#flushColumns();
    this.#records.push(record);
    if (this.#records.length >= MOST_RECORDS) this.#flush();
    if (!this.#isKnown) this.#learn(bytes, from, to);
  }

  /** Returns the batches since the last call. Columns are lent until the next one. */
  take(): readonly Batch[] {
    for (const { plain, columns } of this.#lent) plain.giveBack(columns);
    this.#flush();
    this.#lent = this.#madeOf;
    this.#madeOf = [];
    const made = this.#made;
    this.#made = [];
    return made;
  }

  #learn(bytes: Buffer, from: number, to: number): void {
    const shape = shapeOf(bytes, from, to);
    const candidate = this.#candidate;
    this.#candidate = shape;
    if (shape === null || candidate === null || !isSameShape(shape, candidate)) return;
    if (this.#plain.some((known) => isSameShape(known.shape, shape))) return;
    this.#flushColumns();
    this.#plain.unshift(new PlainRecords(shape, this.#received));
    if (this.#plain.length > MOST_SHAPES) this.#plain.pop();
  }

  #flush(): void {
    this.#flushColumns();
    if (this.#records.length === 0) return;
    this.#made.push(this.#records);
    this.#records = [];
  }

  #flushColumns(): void {
    const [plain] = this.#plain;
    if (plain === undefined || plain.columns.size === 0) return;
    if (plain.columns.size < LEAST_ROWS) {
      this.#records.push(...recordsOf(plain.columns));
      plain.clear();
      return;
    }
    if (this.#records.length > 0) {
      this.#made.push(this.#records);
      this.#records = [];
    }
    const columns = plain.take();
    this.#made.push(columns);
    this.#madeOf.push({ plain, columns });
  }
}
