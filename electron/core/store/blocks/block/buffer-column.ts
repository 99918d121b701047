import type { CellColumn, Value } from '../../store.ts';
import { ABSENT, BOOLEAN, NUMBER, TEXT } from './cell-kind.ts';

const NO_ROWS = new Uint32Array(0);
const NO_KINDS = new Uint8Array(0);

/**
 * The cells of one key, in order of arrival; only rows that carry it take room. Most keys are in every row and of one
 * kind: which row a cell is of, and which kind, is written down from the first on that differs.
 */
export class BufferColumn {
  key: string;
  count = 0;
  /** Bit per kind of cell seen: 1 << NUMBER and so on. */
  seen = 0;
  /** A number, or 1 and 0 for true and false. */
  numbers: Float64Array;
  readonly texts: string[] = [];
  #texts = 0;
  /** Whether cell i is of row i so far; `#rows` is not filled then, nor `#kinds` while all are of one kind. */
  #everyRow = true;
  #rows = NO_ROWS;
  #kinds = NO_KINDS;

  constructor(key: string, capacity: number) {
    this.key = key;
    this.numbers = new Float64Array(capacity);
  }

  /** Begins anew, for another key. */
  reset(key: string): void {
    this.key = key;
    this.count = this.seen = this.#texts = 0;
    this.#everyRow = true;
  }

  /** Cells that a chart can draw: numbers and booleans. */
  get numeric(): number {
    return this.count - this.#texts;
  }

  rowOf(cell: number): number {
    return this.#everyRow ? cell : this.#rows[cell]!;
  }

  kindOf(cell: number): number {
    return this.#isUniform ? 31 - Math.clz32(this.seen) : this.#kinds[cell]!;
  }

  add(row: number, value: Value): void {
    if (typeof value === 'number') this.put(row, NUMBER, value, '');
    else if (typeof value === 'boolean') this.put(row, BOOLEAN, value ? 1 : 0, '');
    else this.put(row, TEXT, 0, value);
  }

  put(row: number, kind: number, number: number, text: string): void {
    const i = this.count;
    if (i === this.numbers.length) this.numbers = grown(this.numbers, new Float64Array(i * 2));
    if (i !== row || !this.#everyRow) this.#noteRow(i, row);
    const seen = 1 << kind;
    if (this.seen !== seen) this.#noteKind(i, kind);
    this.count = i + 1;
    if (kind === TEXT) {
      // Filled from 0 so that the array never has holes.
      while (this.texts.length < i) this.texts.push('');
      this.texts.push(text);
      this.#texts++;
    } else {
      this.numbers[i] = number;
    }
  }

  /** Adds cells [from, to) as those of the rows from `row` on, and returns what they weigh (RowBuffer). */
  addCells({ kinds, numbers, texts }: CellColumn, from: number, to: number, row: number): number {
    if (row === this.count && this.#everyRow && isAll(kinds, NUMBER, from, to)) {
      this.#addNumbers(numbers, from, to);
      return (to - from) * 12;
    }
    let weight = 0;
    for (let i = from; i < to; i++) {
      const kind = kinds[i]!;
      if (kind === ABSENT) continue;
      const text = kind === TEXT ? texts[i]! : '';
      this.put(row + i - from, kind, numbers[i]!, text);
      weight += text.length + 12;
    }
    return weight;
  }

  /** Fast path for sensors: a number in every row, copied as it is. */
  #addNumbers(from: Float64Array, start: number, end: number): void {
    if (start === end) return;
    const count = this.count + end - start;
    if (count > this.numbers.length)
      this.numbers = grown(this.numbers, new Float64Array(Math.max(count, this.numbers.length * 2)));
    if (this.seen !== 1 << NUMBER) this.#noteKind(this.count, NUMBER);
    if (!this.#isUniform) {
      if (this.#kinds.length < this.numbers.length)
        this.#kinds = grown(this.#kinds, new Uint8Array(this.numbers.length));
      this.#kinds.fill(NUMBER, this.count, count);
    }
    this.numbers.set(from.subarray(start, end), this.count);
    this.count = count;
  }

  /** The cell of a row, or -1. */
  indexOf(row: number, size: number): number {
    if (this.count === size) return row;
    const cell = this.cellFrom(row);
    return cell < this.count && this.rowOf(cell) === row ? cell : -1;
  }

  /** The first cell of this row or a later one; `count` when there is none. */
  cellFrom(row: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.rowOf(middle) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #isUniform(): boolean {
    return (this.seen & (this.seen - 1)) === 0;
  }

  #noteRow(cell: number, row: number): void {
    if (this.#rows.length < this.numbers.length)
      this.#rows = grown(this.#rows, new Uint32Array(this.numbers.length));
    if (this.#everyRow) for (let i = 0; i < cell; i++) this.#rows[i] = i;
    this.#everyRow = false;
    this.#rows[cell] = row;
  }

  /** Of a cell that is the first, or not of the one kind that all others are of. */
  #noteKind(cell: number, kind: number): void {
    const first = this.#isUniform ? this.kindOf(0) : null;
    this.seen |= 1 << kind;
    if (cell === 0) return;
    if (this.#kinds.length < this.numbers.length)
      this.#kinds = grown(this.#kinds, new Uint8Array(this.numbers.length));
    if (first !== null) this.#kinds.fill(first, 0, cell);
    this.#kinds[cell] = kind;
  }
}

function isAll(kinds: Uint8Array, kind: number, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (kinds[i] !== kind) return false;
  return true;
}

/** Copies an array into a longer one. */
export function grown<T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
