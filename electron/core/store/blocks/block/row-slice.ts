import type { Value, StoredRecord } from '../../store.ts';
import { ABSENT, BOOLEAN, TEXT } from './cell-kind.ts';

/*
 * Some neighbouring rows of one source, cell by cell, oldest first: what pages, scans and charts read. Slices are
 * reused, so filling one costs no allocation once it has grown.
 */

export class SliceColumn {
  key = '';
  kinds = new Uint8Array(0);
  /** A number, or 1 and 0 for true and false. */
  numbers = new Float64Array(0);
  texts: string[] = [];

  /** The cell as a record holds it; undefined where the row lacks the key. */
  value(row: number): Value | undefined {
    const kind = this.kinds[row];
    if (kind === ABSENT || kind === undefined) return undefined;
    if (kind === TEXT) return this.texts[row];
    const number = this.numbers[row]!;
    return kind === BOOLEAN ? number === 1 : number;
  }
}

export class RowSlice {
  size = 0;
  times = new Float64Array(0);
  received = new Float64Array(0);
  /** In UTF-16 code unit order of their keys. */
  columns: SliceColumn[] = [];
  readonly #spare: SliceColumn[] = [];

  reset(size: number): void {
    this.size = size;
    for (const column of this.columns) this.#spare.push(column);
    this.columns = [];
    if (this.times.length >= size) return;
    const capacity = Math.max(size, this.times.length * 2, 8);
    this.times = new Float64Array(capacity);
    this.received = new Float64Array(capacity);
  }

  /** Adds a column without any cell. Keys are to come in the order of their code units. */
  addColumn(key: string): SliceColumn {
    const column = this.#spare.pop() ?? new SliceColumn();
    column.key = key;
    if (column.kinds.length < this.size) {
      column.kinds = new Uint8Array(this.times.length);
      column.numbers = new Float64Array(this.times.length);
    } else {
      column.kinds.fill(ABSENT, 0, this.size);
    }
    column.texts.length = 0;
    this.columns.push(column);
    return column;
  }

  record(row: number): StoredRecord {
    const keys: string[] = [];
    const values: Value[] = [];
    for (const column of this.columns) {
      const value = column.value(row);
      if (value === undefined) continue;
      keys.push(column.key);
      values.push(value);
    }
    return { timestamp: this.times[row]!, received: this.received[row]!, keys, values };
  }
}

/** Orders texts by UTF-16 code units, as `<` does and `localeCompare` does not. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
