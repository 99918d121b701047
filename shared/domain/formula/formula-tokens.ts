import { quote } from '../../values/validate.ts';
import { FormulaError } from './formula-terms.ts';

/** A key, or the name of a function, without quotes. */
export const WORD = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_.]*`;

/** A word, a number or a sign of a formula. */
export interface Token {
  readonly kind: 'number' | 'word' | 'quoted' | 'sign' | 'end';
  /** As it is meant: a quoted key without its quotes. */
  readonly text: string;
  /** UTF-16 units before it. */
  readonly from: number;
}

/** In the order in which they are tried; all sticky. */
const TOKENS = {
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  word: new RegExp(WORD, 'uy'),
  quoted: /"(?:[^"\\]|\\[\s\S])*"/y,
  sign: /[+\-*/(),×÷−]/y,
} as const;
/** How signs are written by hand. */
const WRITTEN: Readonly<Record<string, string>> = { '×': '*', '÷': '/', '−': '-' };
const BLANKS = /\s*/y;

/** Returns the token behind so many UTF-16 units of the text, and how many units end it. Throws FormulaError. */
export function tokenAt(text: string, at: number): { readonly token: Token; readonly end: number } {
  const from = blanksEnd(text, at);
  if (from === text.length) return { token: { kind: 'end', text: '', from }, end: from };
  for (const kind of ['number', 'word', 'quoted', 'sign'] as const) {
    const pattern = TOKENS[kind];
    pattern.lastIndex = from;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    return { token: { kind, text: meaning(kind, found), from }, end: from + found.length };
  }
  const mark = String.fromCodePoint(text.codePointAt(from) ?? 0);
  const what = mark === '"' ? 'there is no closing quote for the one' : `${quote(mark)} means nothing`;
  throw errorAt(text, what, from);
}

/** Returns where the blanks that begin there end. */
export function blanksEnd(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}

/** `from`: UTF-16 units before the place. */
export const errorAt = (text: string, what: string, from: number) =>
  new FormulaError(what, Array.from(text.slice(0, from)).length + 1);

/** In quotes a backslash stands before a quote or a backslash that is meant, and for itself elsewhere. */
function meaning(kind: Token['kind'], found: string): string {
  if (kind === 'quoted') return found.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return kind === 'sign' ? (WRITTEN[found] ?? found) : found;
}
