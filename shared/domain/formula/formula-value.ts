import type { Micros } from '../../values/time.ts';
import type { Formula, FunctionName, Operator } from './formula-terms.ts';

type Value = (row: number) => number;

/** A key that a formula asks for, over rows in order of time. */
export interface FormulaOperand {
  /** Its number in a row, or the newest one before it that is not too old; NaN where there is none. */
  at(row: number): number;
  /** The mean of its numbers after so long before a row, up to and with it; NaN where there is none. */
  meanAt(row: number, over: Micros): number;
}

/** Returns what gives the value of a formula in each row: NaN where an operand is missing. */
export function valueOfFormula(formula: Formula, operand: (key: string) => FormulaOperand): Value {
  const of = (part: Formula) => valueOfFormula(part, operand);
  switch (formula.kind) {
    case 'number':
      return () => formula.value;
    case 'key': {
      const read = operand(formula.key);
      return (row) => read.at(row);
    }
    case 'mean': {
      const read = operand(formula.key);
      return (row) => read.meanAt(row, formula.over);
    }
    case 'negative': {
      const value = of(formula.of);
      return (row) => -value(row);
    }
    case 'binary': {
      const [left, right] = [of(formula.left), of(formula.right)];
      const calculate = OPERATORS[formula.operator];
      return (row) => calculate(left(row), right(row));
    }
    case 'call': {
      const values = formula.of.map(of);
      const calculate = FUNCTIONS[formula.name];
      return (row) => calculate(...values.map((value) => value(row)));
    }
  }
}

const OPERATORS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

const FUNCTIONS: Readonly<Record<FunctionName, (...values: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
};
