import type { FormulaOperand } from '#shared/domain/formula/formula-value.ts';
import type { Micros } from '#shared/values/time.ts';
import { ABSENT, TEXT } from '../block/cell-kind.ts';
import type { SliceColumn } from '../block/row-slice.ts';
import type { GatheredRows } from './gathered-rows.ts';

/** A key that a formula asks for, over rows in order. Booleans count as 1 and 0, texts as nothing. */
export class Operand implements FormulaOperand {
  readonly #rows: GatheredRows;
  readonly #column: SliceColumn | undefined;
  readonly #within: Micros;
  /** The last row with a number up to each row; -1 for none. */
  readonly #last: Int32Array;

  constructor(rows: GatheredRows, key: string, within: Micros) {
    this.#rows = rows;
    this.#column = rows.columns.get(key);
    this.#within = within;
    this.#last = new Int32Array(rows.size);
    for (let row = 0, last = -1; row < rows.size; row++) {
      if (this.isAt(row)) last = row;
      this.#last[row] = last;
    }
  }

  /** Whether the record itself has it. */
  isAt(row: number): boolean {
    const kind = this.#column?.kinds[row] ?? ABSENT;
    return kind !== ABSENT && kind !== TEXT;
  }

  /** The record's own number, or the newest one before it that is not too old; NaN where there is none. */
  at(row: number): number {
    const last = this.#last[row]!;
    if (last < 0) return NaN;
    if (last < row && this.#rows.timeAt(row) - this.#rows.timeAt(last) > this.#allowed) return NaN;
    return this.#column!.numbers[last]!;
  }

  /** Of nothing older than the record itself where no age is allowed, not even of the same instant. */
  get #allowed(): Micros {
    return this.#within === 0 ? -1 : this.#within;
  }

  /** The mean of its numbers after so long before the record, up to and with it; added up from the oldest. */
  meanAt(row: number, over: Micros): number {
    const from = this.#rows.timeAt(row) - over;
    let first = row + 1;
    for (
      let at = this.#last[row]!;
      at >= 0 && this.#rows.timeAt(at) > from;
      at = at > 0 ? this.#last[at - 1]! : -1
    )
      first = at;
    let [sum, count] = [0, 0];
    for (let at = first; at <= row; at++)
      if (this.isAt(at)) {
        sum += this.#column!.numbers[at]!;
        count++;
      }
    return count === 0 ? NaN : sum / count;
  }
}
