import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import {
  FormulaError,
  keysOfFormula,
  MOST_FORMULA_CHARACTERS,
  MOST_FORMULA_DEPTH,
  type Formula,
} from '#shared/domain/formula/formula-terms.ts';
import { printFormula } from '#shared/domain/formula/print-formula.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* docs/local-api.md, "Formulas". */

const key = (name: string): Formula => ({ kind: 'key', key: name });
const number = (value: number): Formula => ({ kind: 'number', value });
const binary = (left: Formula, operator: '+' | '-' | '*' | '/', right: Formula): Formula => ({
  kind: 'binary',
  operator,
  left,
  right,
});

/** What a formula is refused for. */
function whyNot(text: string): string {
  try {
    return JSON.stringify(parseFormula(text));
  } catch (error) {
    if (error instanceof FormulaError) return error.message;
    throw error;
  }
}

describe('a formula is read', () => {
  test.each<[string, Formula]>([
    ['a - b', binary(key('a'), '-', key('b'))],
    ['a-b-c', binary(binary(key('a'), '-', key('b')), '-', key('c'))],
    ['a - (b - c)', binary(key('a'), '-', binary(key('b'), '-', key('c')))],
    ['0.5 * a + 2', binary(binary(number(0.5), '*', key('a')), '+', number(2))],
    ['2 + a / 3', binary(number(2), '+', binary(key('a'), '/', number(3)))],
    ['-a * b', binary({ kind: 'negative', of: key('a') }, '*', key('b'))],
    ['-(a * b)', { kind: 'negative', of: binary(key('a'), '*', key('b')) }],
    ['a − b', binary(key('a'), '-', key('b'))],
    ['a × 2 ÷ b', binary(binary(key('a'), '*', number(2)), '/', key('b'))],
    ['1.5e3', number(1500)],
    ['.5', number(0.5)],
    ['min(a, b, 3)', { kind: 'call', name: 'min', of: [key('a'), key('b'), number(3)] }],
    ['sqrt (abs(a))', { kind: 'call', name: 'sqrt', of: [{ kind: 'call', name: 'abs', of: [key('a')] }] }],
    // A function without a parenthesis is a key.
    ['max', key('max')],
    ['"relative humidity" - "a\\"b\\\\"', binary(key('relative humidity'), '-', key('a"b\\'))],
    ['température.außen', key('température.außen')],
    ['mean(temperature, 10min)', { kind: 'mean', key: 'temperature', over: 600e6 }],
    ['mean("t 1", 1.5 h)', { kind: 'mean', key: 't 1', over: 5_400e6 }],
    ['mean(a, 250us)', { kind: 'mean', key: 'a', over: 250 }],
  ])('%s', (text, formula) => {
    expect(parseFormula(text)).toEqual(formula);
  });

  test('and says its keys, each once', () => {
    expect([...keysOfFormula(parseFormula('a + mean(b, 1h) - max(a, -c)'))].toSorted()).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

describe('what is none is refused, with its place', () => {
  test.each([
    ['', 'there must be a number, a key, a function or "(", it ends at character 1'],
    ['a +', 'there must be a number, a key, a function or "(", it ends at character 4'],
    ['a b', 'there must be an operator (+ - * /) or the end, got "b" at character 3'],
    ['(a + b', 'there is no ")" for the "(" at character 1'],
    ['a)', 'there must be an operator (+ - * /) or the end, got ")" at character 2'],
    ['min(a, b', 'there is no ")" for the "(" at character 4'],
    ['log(a)', 'there is no function "log", only min, max, abs, sqrt and mean, at character 1'],
    ['a + é(b)', 'there is no function "é", only min, max, abs, sqrt and mean, at character 5'],
    ['abs(a, b)', 'abs takes one value, got 2, at character 1'],
    ['"𝄞" % 2', '"%" means nothing at character 5'],
    ['"a', 'there is no closing quote for the one at character 1'],
    ['1e999', '1e999 is larger than a number can be at character 1'],
    ['"a,b"', 'a key must be text of 1 to 128 characters without ",", got "a,b" at character 1'],
    ['mean(a)', 'there must be "," and a duration such as 10min, got ")" at character 7'],
    ['mean(a, b)', 'there must be a duration such as 10min, got "b" at character 9'],
    ['mean(a, 10)', 'there must be a unit of time (d, h, min, s, ms, us), got ")" at character 11'],
    ['mean(a, 0s)', 'a mean must be over at least 1us, at most 3650d, at character 9'],
    ['mean(1, 1s)', 'there must be a key, got "1" at character 6'],
  ])('%s', (text, why) => {
    expect(whyNot(text)).toBe(why);
  });

  test('too long, and too deep', () => {
    const long = `a${' '.repeat(MOST_FORMULA_CHARACTERS - 1)}`;
    expect(parseFormula(long)).toEqual(key('a'));
    expect(whyNot(`${long} `)).toContain('at character 1001');
    const nested = (depth: number, open: string, close: string) =>
      `${open.repeat(depth)}a${close.repeat(depth)}`;
    for (const [open, close] of [
      ['(', ')'],
      ['-', ''],
      ['abs(', ')'],
    ] as const) {
      expect(() => parseFormula(nested(MOST_FORMULA_DEPTH, open, close))).not.toThrow();
      const at = MOST_FORMULA_DEPTH * open.length + 1;
      expect(whyNot(nested(MOST_FORMULA_DEPTH + 1, open, close))).toBe(
        `it nests more than ${MOST_FORMULA_DEPTH} deep at character ${at}`,
      );
    }
  });
});

const keys = fc.oneof(
  fc.constantFrom(
    'a',
    'temperature',
    't_1',
    'a.b',
    'min',
    'mean',
    'relative humidity',
    'é',
    '10',
    '"',
    '\\',
    'a\\"',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((made) => !made.includes(',')),
);
const durations = fc.oneof(
  fc.integer({ min: 1, max: 315_360_000e6 }),
  fc.constantFrom(1, 1000, 1e6, 90e6, 60e6, 3600e6, 86_400e6),
);
const formulas = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 6 },
    fc.record({ kind: fc.constant('key' as const), key: keys }),
    fc.record({
      kind: fc.constant('number' as const),
      value: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    }),
    fc.record({ kind: fc.constant('mean' as const), key: keys, over: durations }),
    fc.record({ kind: fc.constant('negative' as const), of: tie('formula') }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
      left: tie('formula'),
      right: tie('formula'),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('min' as const, 'max' as const),
      of: fc.array(tie('formula'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('abs' as const, 'sqrt' as const),
      of: tie('formula').map((of) => [of]),
    }),
  ),
})).formula;

test('a formula that is printed is read as the same one', () => {
  fc.assert(
    fc.property(formulas, (formula) => {
      const text = printFormula(formula);
      fc.pre(text.length <= MOST_FORMULA_CHARACTERS);
      expect(parseFormula(text)).toEqual(formula);
    }),
    { numRuns: someRuns(8000) },
  );
});

test('text of whatever kind is a formula, or is refused with a place in it', () => {
  const parts = fc.constantFrom(
    'a',
    '"',
    '\\',
    '(',
    ')',
    ',',
    '+',
    '-',
    '*',
    '/',
    'min(',
    'mean(',
    '1',
    '.',
    'e',
    '10min',
    ' ',
    '𝄞',
    '\0',
    '\ud800',
  );
  const texts = fc.oneof(
    fc.array(parts, { maxLength: 40 }).map((all) => all.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
    formulas
      .map(printFormula)
      .chain((text) => fc.nat({ max: text.length }).map((at) => text.slice(0, at) + text.slice(at + 1))),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const formula = parseFormula(text);
        const printed = printFormula(formula);
        if (printed.length <= MOST_FORMULA_CHARACTERS) expect(parseFormula(printed)).toEqual(formula);
      } catch (error) {
        expect(error).toBeInstanceOf(FormulaError);
        const { at } = error as FormulaError;
        expect(at).toBeGreaterThanOrEqual(1);
        expect(at).toBeLessThanOrEqual(Array.from(text).length + 1);
      }
    }),
    { numRuns: someRuns(16_000) },
  );
});
