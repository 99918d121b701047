import type { Micros } from '#shared/values/time.ts';
import type { Columnar, StoredRecord } from '../../store.ts';
import { BufferColumn, grown } from './buffer-column.ts';
import { ABSENT } from './cell-kind.ts';
import { byCodeUnits, type RowSlice } from './row-slice.ts';

const INITIAL_ROWS = 16;
const NO_TIMES = new Float64Array(0);
const NO_ORDER = new Uint32Array(0);

/**
 * Rows that are not yet a block, as columns. Rows are only appended, so `size` and a copy of `order` are a snapshot while
 * more arrive.
 */
export class RowBuffer {
  size = 0;
  /** Roughly what the rows take as text and cells, so that a block stays small enough to be read at once. */
  weight = 0;
  times = NO_TIMES;
  received = NO_TIMES;
  /** Rows from the oldest time to the newest; equal times in order of arrival. */
  order = NO_ORDER;
  /** True while rows arrive oldest first, so that order[i] is i. */
  inOrder = true;
  /** Whether somebody goes on reading the rows that were there, while more arrive: it is not to be emptied. */
  isLent = false;
  readonly columns: BufferColumn[] = [];
  readonly #byKey = new Map<string, BufferColumn>();
  /** Columns of the last record, key by key: the next one mostly has the same. */
  #guess: BufferColumn[] = [];
  #sorted: readonly BufferColumn[] = [];
  /** Of rows before `reset`. */
  #spare: BufferColumn[] = [];
  readonly #capacity: number;

  readonly #sorting: boolean;

  /** `capacity`: rows to make room for with the first one. Not `sorting`, it leaves rows as they arrive, to be put in order by `sortRows`. */
  constructor(capacity = INITIAL_ROWS, { sorting = true } = {}) {
    this.#capacity = capacity;
    this.#sorting = sorting;
  }

  /** Drops all rows and keeps their memory for others. */
  reset(): void {
    this.size = this.weight = 0;
    this.inOrder = true;
    if (this.columns.length > 0) this.#spare = this.columns.splice(0);
    // Texts are let go of at once, not when the column is needed again.
    for (const { texts } of this.#spare) texts.length = 0;
    this.#byKey.clear();
    this.#guess = [];
    this.#sorted = [];
  }

  add(record: StoredRecord): void {
    const row = this.addRow(record.timestamp, record.received);
    const { keys, values } = record;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      let column = this.#guess[i];
      if (column === undefined || column.key !== key) {
        column = this.column(key);
        this.#guess[i] = column;
      }
      const value = values[i]!;
      column.add(row, value);
      this.weight += typeof value === 'string' ? value.length + 12 : 12;
    }
  }

  /** Adds rows [from, to) of some columns. */
  addRows({ times, received, columns }: Columnar, from: number, to: number): void {
    const first = this.size;
    if (this.#sorting) for (let i = from; i < to; i++) this.addRow(times[i]!, received);
    else this.#addUnsorted(times, received, from, to);
    for (const cells of columns) this.weight += this.column(cells.key).addCells(cells, from, to, first);
  }

  /** Starts a row; its cells follow through `column(key).put`. */
  addRow(time: Micros, received: Micros): number {
    const row = this.size;
    if (row === this.times.length) this.#grow();
    this.times[row] = time;
    this.received[row] = received;
    this.weight += 16;
    let place = row;
    if (row > 0 && this.times[this.order[row - 1]!]! > time) {
      this.inOrder = false;
      if (this.#sorting) {
        place = this.#placeAfter(time);
        this.order.copyWithin(place + 1, place, row);
      }
    }
    this.order[place] = row;
    this.size = row + 1;
    return row;
  }

  /** Starts many rows, which are left as they arrive. */
  #addUnsorted(times: Float64Array, received: Micros, from: number, to: number): void {
    const first = this.size;
    const size = first + to - from;
    while (this.times.length < size) this.#grow();
    this.times.set(times.subarray(from, to), first);
    this.received.fill(received, first, size);
    for (let row = first; row < size; row++) this.order[row] = row;
    for (let row = Math.max(1, first); this.inOrder && row < size; row++)
      if (this.times[row - 1]! > this.times[row]!) this.inOrder = false;
    this.weight += 16 * (size - first);
    this.size = size;
  }

  /** Takes in a row of a slice. */
  addFrom(slice: RowSlice, row: number): void {
    const at = this.addRow(slice.times[row]!, slice.received[row]!);
    for (const column of slice.columns) {
      const kind = column.kinds[row]!;
      if (kind === ABSENT) continue;
      const text = column.texts[row] ?? '';
      this.column(column.key).put(at, kind, column.numbers[row]!, text);
      this.weight += 12 + text.length;
    }
  }

  column(key: string): BufferColumn {
    let column = this.#byKey.get(key);
    if (column === undefined) {
      // A key that the first rows lack is taken to be a rare one.
      column = this.#spare.pop();
      if (column === undefined)
        column = new BufferColumn(key, this.size <= 1 ? this.#capacity : INITIAL_ROWS);
      else column.reset(key);
      this.#byKey.set(key, column);
      this.columns.push(column);
    }
    return column;
  }

  find(key: string): BufferColumn | undefined {
    return this.#byKey.get(key);
  }

  /** The columns of the keys, absent: all, in UTF-16 code unit order. */
  columnsOf(keys?: ReadonlySet<string>): readonly BufferColumn[] {
    if (keys !== undefined && keys.size < this.columns.length) {
      const found = [...keys].map((key) => this.#byKey.get(key)).filter((column) => column !== undefined);
      return found.toSorted((a, b) => byCodeUnits(a.key, b.key));
    }
    // Columns only ever come: so many are the same ones.
    if (this.#sorted.length !== this.columns.length)
      this.#sorted = this.columns.toSorted((a, b) => byCodeUnits(a.key, b.key));
    return keys === undefined ? this.#sorted : this.#sorted.filter(({ key }) => keys.has(key));
  }

  /** Time of the row at a place of the sorted order. */
  timeAt(place: number): Micros {
    return this.times[this.order[place]!]!;
  }

  /** First place whose time is later. */
  #placeAfter(time: Micros): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.timeAt(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const capacity = this.times.length === 0 ? this.#capacity : this.times.length * 2;
    this.times = grown(this.times, new Float64Array(capacity));
    this.received = grown(this.received, new Float64Array(capacity));
    this.order = grown(this.order, new Uint32Array(capacity));
  }
}
