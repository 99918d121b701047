import { quote } from '../../values/validate.ts';
import type { Micros } from '../../values/time.ts';
import {
  FormulaError,
  FUNCTIONS,
  isFunction,
  LONGEST_MEAN,
  MOST_FORMULA_CHARACTERS,
  MOST_FORMULA_DEPTH,
  UNITS,
  type Formula,
  type Operator,
} from './formula-terms.ts';
import { blanksEnd, errorAt, tokenAt, type Token } from './formula-tokens.ts';

/* Formulas of derived keys, read (docs/local-api.md, "Formulas"). */

const MOST_KEY_CHARACTERS = 128;
const UNIT_NAMES = UNITS.map(([name]) => name).join(', ');

/** Reads a formula. Throws FormulaError. */
export function parseFormula(text: string): Formula {
  if (text.length > MOST_FORMULA_CHARACTERS)
    throw new FormulaError(
      `it has more than ${MOST_FORMULA_CHARACTERS} characters: there is one too many`,
      MOST_FORMULA_CHARACTERS + 1,
    );
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  /** The token that is read next. */
  #token: Token;
  #end = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#read();
  }

  whole(): Formula {
    const formula = this.#sum();
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator (+ - * /) or the end');
    return formula;
  }

  #sum(): Formula {
    let left = this.#product();
    for (let operator = this.#operator('+-'); operator; operator = this.#operator('+-'))
      left = { kind: 'binary', operator, left, right: this.#product() };
    return left;
  }

  #product(): Formula {
    let left = this.#factor();
    for (let operator = this.#operator('*/'); operator; operator = this.#operator('*/'))
      left = { kind: 'binary', operator, left, right: this.#factor() };
    return left;
  }

  #factor(): Formula {
    const { from } = this.#token;
    if (this.#takes('-')) return this.#within(from, () => ({ kind: 'negative', of: this.#factor() }));
    if (this.#takes('('))
      return this.#within(from, () => {
        const inner = this.#sum();
        this.#close(from);
        return inner;
      });
    return this.#primary();
  }

  #primary(): Formula {
    const token = this.#token;
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: this.#number() };
      case 'quoted':
        return { kind: 'key', key: this.#key() };
      case 'word': {
        const { text, from } = token;
        if (!this.#isBeforeParenthesis()) return { kind: 'key', key: this.#key() };
        this.#next();
        return this.#within(from, () => this.#call(text, from));
      }
      default:
        throw this.#unexpected('a number, a key, a function or "("');
    }
  }

  #isBeforeParenthesis(): boolean {
    return this.#text[blanksEnd(this.#text, this.#end)] === '(';
  }

  #call(name: string, at: number): Formula {
    const { from } = this.#token;
    if (name !== 'mean' && !isFunction(name))
      throw this.#error(`there is no function ${quote(name)}, only ${FUNCTIONS.join(', ')} and mean,`, at);
    this.#next();
    if (name === 'mean') {
      if (this.#token.kind !== 'word' && this.#token.kind !== 'quoted') throw this.#unexpected('a key');
      const key = this.#key();
      if (!this.#takes(',')) throw this.#unexpected('"," and a duration such as 10min');
      const over = this.#duration();
      this.#close(from);
      return { kind: 'mean', key, over };
    }
    const of = [this.#sum()];
    while (this.#takes(',')) of.push(this.#sum());
    this.#close(from);
    if (of.length > 1 && (name === 'abs' || name === 'sqrt'))
      throw this.#error(`${name} takes one value, got ${of.length},`, at);
    return { kind: 'call', name, of };
  }

  #number(): number {
    const { text, from } = this.#token;
    const value = Number(text);
    if (!Number.isFinite(value)) throw this.#error(`${text} is larger than a number can be`, from);
    this.#next();
    return value;
  }

  #key(): string {
    const { text, from } = this.#token;
    if (text === '' || Array.from(text).length > MOST_KEY_CHARACTERS || text.includes(','))
      throw this.#error(
        `a key must be text of 1 to ${MOST_KEY_CHARACTERS} characters without ",", got ${quote(text)}`,
        from,
      );
    this.#next();
    return text;
  }

  #duration(): Micros {
    const { from, kind } = this.#token;
    if (kind !== 'number') throw this.#unexpected('a duration such as 10min');
    const value = this.#number();
    const us = UNITS.find(([name]) => this.#token.kind === 'word' && name === this.#token.text)?.[1];
    if (us === undefined) throw this.#unexpected(`a unit of time (${UNIT_NAMES})`);
    const over = Math.round(value * us);
    if (over < 1 || over > LONGEST_MEAN)
      throw this.#error('a mean must be over at least 1us, at most 3650d,', from);
    this.#next();
    return over;
  }

  /** `open`: where the parenthesis began. */
  #close(open: number): void {
    if (this.#takes(')')) return;
    if (this.#token.kind === 'end') throw this.#error('there is no ")" for the "("', open);
    throw this.#unexpected('an operator (+ - * /), "," or ")"');
  }

  #within<T>(from: number, parse: () => T): T {
    if (++this.#depth > MOST_FORMULA_DEPTH)
      throw this.#error(`it nests more than ${MOST_FORMULA_DEPTH} deep`, from);
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  #operator(which: string): Operator | null {
    const { kind, text } = this.#token;
    if (kind !== 'sign' || !which.includes(text)) return null;
    this.#next();
    return text as Operator;
  }

  #takes(sign: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) return false;
    this.#next();
    return true;
  }

  #next(): void {
    this.#token = this.#read();
  }

  #read(): Token {
    const { token, end } = tokenAt(this.#text, this.#end);
    this.#end = end;
    return token;
  }

  #unexpected(wanted: string): FormulaError {
    const { kind, text, from } = this.#token;
    const got = kind === 'end' ? 'it ends' : `got ${quote(text)}`;
    return this.#error(`there must be ${wanted}, ${got}`, from);
  }

  #error(what: string, from: number): FormulaError {
    return errorAt(this.#text, what, from);
  }
}
