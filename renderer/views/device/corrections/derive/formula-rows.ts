import { meansOfFormula, type Formula } from '#shared/domain/formula/formula-terms.ts';
import { valueOfFormula, type FormulaOperand } from '#shared/domain/formula/formula-value.ts';
import type { Micros } from '#shared/values/time.ts';
import type { ColumnView } from '../../../../chart/records/columns.ts';
import type { TrendColumns } from '../../../../chart/draw/trend-path.ts';

/* Values of a computed key over records at hand, as the service reads them, for a preview. */

/** A record that has a value. */
export interface FormulaRow {
  readonly at: Micros;
  /** The operands that it was computed of, in the order of the keys. */
  readonly of: readonly number[];
  readonly value: number;
}

interface Rule {
  readonly formula: Formula;
  /** The keys of the columns. */
  readonly keys: readonly string[];
  /** How old an operand may be that a record lacks, µs. */
  readonly within: Micros;
}

/** The records that have a value, oldest first. `isCut`: older ones are not at hand, and what may reach back to them is left out. */
export function formulaRows(
  { timestamps, columns }: ColumnView,
  { formula, keys, within }: Rule,
  isCut: boolean,
): readonly FormulaRow[] {
  const operands = columns.map((column) => operandOf(timestamps, column, within));
  const value = valueOfFormula(formula, (key) => operands[keys.indexOf(key)] ?? NOTHING);
  const back = Math.max(within, ...meansOfFormula(formula).map(({ over }) => over));
  const first = isCut ? (timestamps[0] ?? 0) + back : -Infinity;
  const rows: FormulaRow[] = [];
  for (const [row, at] of timestamps.entries()) {
    if (at < first || columns.every((column) => Number.isNaN(column[row]))) continue;
    const number = value(row);
    if (Number.isFinite(number)) rows.push({ at, of: operands.map((each) => each.at(row)), value: number });
  }
  return rows;
}

const NOTHING: FormulaOperand = { at: () => NaN, meanAt: () => NaN };

function operandOf(timestamps: Float64Array, column: Float64Array, within: Micros): FormulaOperand {
  const numberAt = (row: number) => column[row] ?? NaN;
  const timeAt = (row: number) => timestamps[row] ?? 0;
  return {
    at(row) {
      const own = numberAt(row);
      if (!Number.isNaN(own) || within === 0) return own;
      for (let before = row - 1; before >= 0 && timeAt(row) - timeAt(before) <= within; before--)
        if (!Number.isNaN(numberAt(before))) return numberAt(before);
      return NaN;
    },
    meanAt(row, over) {
      let [sum, count] = [0, 0];
      for (let at = row; at >= 0 && timeAt(at) > timeAt(row) - over; at--) {
        if (Number.isNaN(numberAt(at))) continue;
        sum += numberAt(at);
        count++;
      }
      return count === 0 ? NaN : sum / count;
    },
  };
}

/** Rows as columns of a curve of so many pixels; null for none. */
export function curveOf(rows: readonly FormulaRow[], width: number): TrendColumns | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return null;
  const min = Array.from({ length: width }, (): number | null => null);
  const max = [...min];
  const span = Math.max(1, last.at - first.at);
  for (const { at, value } of rows) {
    const column = Math.min(width - 1, Math.floor(((at - first.at) / span) * width));
    min[column] = Math.min(min[column] ?? Infinity, value);
    max[column] = Math.max(max[column] ?? -Infinity, value);
  }
  return { min, max };
}
