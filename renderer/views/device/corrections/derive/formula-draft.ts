import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import {
  FormulaError,
  keysOfFormula,
  type Formula,
  type Operator,
} from '#shared/domain/formula/formula-terms.ts';
import { quote } from '#shared/values/validate.ts';
import { lengthText } from '#shared/values/length-text.ts';

/* A formula as it is typed, and what it means in words. */

/** Keys of a device that are named where a formula asks for one that it does not have. */
const MOST_NAMED = 8;

export type FormulaRead =
  | { readonly formula: Formula; readonly keys: readonly string[] }
  /** Null: nothing was typed yet. */
  | { readonly problem: string | null };

/** Reads what was typed. `known`: the keys of the device; `own`: the key that is computed. */
export function readFormula(text: string, known: readonly string[], own: string): FormulaRead {
  if (text.trim() === '') return { problem: null };
  let formula: Formula;
  try {
    formula = parseFormula(text);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { problem: `Not a formula yet: ${error.message}.` };
  }
  const keys = [...keysOfFormula(formula)];
  if (keys.length === 0) return { problem: 'A formula asks for at least one key of the device.' };
  if (own !== '' && keys.includes(own)) return { problem: `${quote(own)} cannot be computed of itself.` };
  const missing = keys.find((key) => !known.includes(key));
  if (missing === undefined) return { formula, keys };
  const named = known.filter((key) => key !== own).slice(0, MOST_NAMED);
  const more = known.length > named.length ? ' and others' : '';
  return {
    problem: `The device has no key ${quote(missing)}. It has ${named.map(quote).join(', ')}${more}.`,
  };
}

/** `(air − humidity) ÷ 2`, with keys by their names; printed as it is computed. */
export function formulaWords(formula: Formula, nameOf: (key: string) => string): string {
  return print(formula, 0, nameOf);
}

const SIGNS: Readonly<Record<Operator, readonly [sign: string, precedence: number]>> = {
  '+': ['+', 1],
  '-': ['−', 1],
  '*': ['×', 2],
  '/': ['÷', 2],
};
const OF_A_SIGN = 3;

function print(formula: Formula, around: number, nameOf: (key: string) => string): string {
  const of = (part: Formula, least = 0) => print(part, least, nameOf);
  switch (formula.kind) {
    case 'number':
      return String(formula.value);
    case 'key':
      return nameOf(formula.key);
    case 'negative':
      return `−${of(formula.of, OF_A_SIGN)}`;
    case 'binary': {
      const [sign, own] = SIGNS[formula.operator];
      const sides = `${of(formula.left, own)} ${sign} ${of(formula.right, own + 1)}`;
      return own < around ? `(${sides})` : sides;
    }
    case 'call': {
      const parts = formula.of.map((part) => of(part)).join(', ');
      return {
        min: `least of (${parts})`,
        max: `most of (${parts})`,
        abs: `|${parts}|`,
        sqrt: `√(${parts})`,
      }[formula.name];
    }
    case 'mean':
      return `mean of ${nameOf(formula.key)} over ${lengthText(formula.over)}`;
  }
}

/** Which records have a value: of one operand those that have it; of several, those that have all, or one and the others not long before. */
export function recordWords(
  keys: readonly string[],
  within_s: number,
  nameOf: (key: string) => string,
): string {
  const names = keys.map(nameOf);
  if (names.length === 1) return `Each record with ${names[0]} has a value.`;
  const listed = (word: string) => `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
  return within_s === 0
    ? `Each record with ${listed('and')} has a value.`
    : `Each record with ${listed('or')} has a value, where the others are at most ${lengthText(within_s * 1e6)} old.`;
}
