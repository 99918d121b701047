import { keyFault, MAX_KEYS } from '../record.ts';

/*
 * What stands between the values of a record: devices write the same names in the same order, and the same blanks, over
 * and over again.
 */

export interface Shape {
  /** All that stands before, between and behind the values, one after the other; part i ends at ends[i]. */
  readonly text: Uint8Array;
  readonly ends: readonly number[];
  /** Index of the value that is the record's time; -1 for none. */
  readonly time: number;
  /** The data keys of the others, in their order. */
  readonly keys: readonly string[];
}

const BACKSLASH = 92;
const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BLANK = 32;

/**
 * The shape of a record at [from, to) that was read well; null where its names and values do not simply follow one another:
 * nested ones, names with escapes, or the same name twice.
 */
export function shapeOf(bytes: Buffer, from: number, to: number): Shape | null {
  /** Where each part begins and ends: most records that come here have no shape, and need no bytes of their own. */
  const parts: (readonly [from: number, to: number])[] = [];
  const names: string[] = [];
  let partFrom = from;
  for (let at = from; bytes[at] !== CLOSE_OBJECT;) {
    // Behind the brace, or the comma.
    at = skipBlanks(bytes, at + 1);
    if (bytes[at] !== QUOTE) return null;
    const nameEnd = endOfText(bytes, at);
    const name = bytes.toString('utf8', at + 1, nameEnd - 1);
    if (name.includes('\\')) return null;
    names.push(name);
    if (names.length > MAX_KEYS + 1) return null;
    at = skipBlanks(bytes, skipBlanks(bytes, nameEnd) + 1);
    parts.push([partFrom, at]);
    const first = bytes[at]!;
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) return null;
    at = first === QUOTE ? endOfText(bytes, at) : endOfWord(bytes, at);
    partFrom = at;
    at = skipBlanks(bytes, at);
  }
  parts.push([partFrom, to]);
  const keys = names.filter((name) => name !== 'timestamp');
  if (new Set(names).size < names.length || keys.length === 0 || keys.length > MAX_KEYS) return null;
  if (keys.some((key) => keyFault(key) !== null)) return null;
  let end = 0;
  return {
    text: Buffer.concat(parts.map(([start, stop]) => bytes.subarray(start, stop))),
    ends: parts.map(([start, stop]) => (end += stop - start)),
    time: names.indexOf('timestamp'),
    keys,
  };
}

export function isSameShape(a: Shape, b: Shape): boolean {
  return Buffer.compare(a.text, b.text) === 0 && a.ends.every((end, i) => end === b.ends[i]);
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! <= BLANK && bytes[at]! > 0) at++;
  return at;
}

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  for (; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

function endOfWord(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! > BLANK && bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT) at++;
  return at;
}
