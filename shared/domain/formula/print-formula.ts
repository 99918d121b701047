import { isFunction, UNITS, type Formula, type Operator } from './formula-terms.ts';
import { WORD } from './formula-tokens.ts';

/** Writes a formula so that it is read as the same one. */
export function printFormula(formula: Formula): string {
  return print(formula, 0);
}

const PRECEDENCE: Readonly<Record<Operator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };
const SIGN_PRECEDENCE = 3;

/** `around`: the precedence below which it needs parentheses. */
function print(formula: Formula, around: number): string {
  switch (formula.kind) {
    case 'number':
      return String(formula.value);
    case 'key':
      return printedKey(formula.key);
    case 'negative':
      return `-${print(formula.of, SIGN_PRECEDENCE)}`;
    case 'binary': {
      const own = PRECEDENCE[formula.operator];
      // What is on the right was not reckoned first without parentheses.
      const sides = [print(formula.left, own), formula.operator, print(formula.right, own + 1)].join(' ');
      return own < around ? `(${sides})` : sides;
    }
    case 'call':
      return `${formula.name}(${formula.of.map((each) => print(each, 0)).join(', ')})`;
    case 'mean': {
      const [unit, us] = UNITS.find((each) => formula.over % each[1] === 0) ?? ['us', 1];
      return `mean(${printedKey(formula.key)}, ${formula.over / us}${unit})`;
    }
  }
}

const WHOLE_WORD = new RegExp(`^${WORD}$`, 'u');

const printedKey = (key: string) =>
  WHOLE_WORD.test(key) && key !== 'mean' && !isFunction(key)
    ? key
    : `"${key.replaceAll(/["\\]/g, (mark) => `\\${mark}`)}"`;
