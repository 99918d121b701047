import type { Micros } from '../../values/time.ts';

/*
 * What formulas of derived keys are made of (docs/local-api.md, "Formulas"): numbers, keys, + - * / with their usual precedence,
 * parentheses, min, max, abs, sqrt, and mean(key, 10min), the mean of a key over so long up to the moment.
 */

export const FUNCTIONS = ['min', 'max', 'abs', 'sqrt'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];
export type Operator = '+' | '-' | '*' | '/';

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'negative'; readonly of: Formula }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: Formula;
      readonly right: Formula;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly of: readonly Formula[] }
  | { readonly kind: 'mean'; readonly key: string; readonly over: Micros };

export const isFunction = (name: string): name is FunctionName => FUNCTIONS.some((each) => each === name);

export const MOST_FORMULA_CHARACTERS = 1000;
/** Parentheses, calls and signs within one another. */
export const MOST_FORMULA_DEPTH = 64;
/** Ten years, in µs. */
export const LONGEST_MEAN: Micros = 315_360_000e6;

/** Units of a duration and their µs, the largest first. */
export const UNITS: readonly (readonly [name: string, us: Micros])[] = [
  ['d', 86_400e6],
  ['h', 3_600e6],
  ['min', 60e6],
  ['s', 1e6],
  ['ms', 1e3],
  ['us', 1],
];

/** What a formula is not; the message says where, in characters from 1. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  readonly at: number;

  constructor(what: string, at: number) {
    super(`${what} at character ${at}`);
    this.at = at;
  }
}

/** Returns the keys that a formula asks for, each once. */
export function keysOfFormula(formula: Formula): ReadonlySet<string> {
  const keys = new Set<string>();
  const left = [formula];
  for (let part = left.pop(); part; part = left.pop())
    switch (part.kind) {
      case 'number':
        break;
      case 'key':
      case 'mean':
        keys.add(part.key);
        break;
      case 'negative':
        left.push(part.of);
        break;
      case 'binary':
        left.push(part.left, part.right);
        break;
      case 'call':
        left.push(...part.of);
        break;
    }
  return keys;
}

/** Returns the moving means that a formula asks for. */
export function meansOfFormula(formula: Formula): readonly Extract<Formula, { kind: 'mean' }>[] {
  switch (formula.kind) {
    case 'mean':
      return [formula];
    case 'negative':
      return meansOfFormula(formula.of);
    case 'binary':
      return [...meansOfFormula(formula.left), ...meansOfFormula(formula.right)];
    case 'call':
      return formula.of.flatMap(meansOfFormula);
    default:
      return [];
  }
}
