/* Numbers from bytes to the very double that `Number` and JSON.parse make of their text. */

/**
 * Powers of ten that are doubles: a whole number below 2^53 times or divided by one of them is rounded once, and so is the
 * double that is nearest to what was written (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 */
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);
const MOST_EXACT_POWER = 22;
const ZERO = 48;
const COMMA = 44;
const MINUS = 45;
const PLUS = 43;
const E = 101;
const LOWER_CASE = 32;

/** What stands where no number is read. */
export const NO_NUMBER = -1;

/** The digit that a byte stands for; anything above 9 for other bytes. */
export function digitOf(byte: number | undefined): number {
  return (byte! - ZERO) >>> 0;
}

/**
 * Reads `-12`, with a decimal mark (the byte of a point or comma, or 0 for none) `-12.5`, and with `exponents`
 * `-1.5e-3`; before other digits zeros may stand. Puts the number at `numbers[index]`, since a double that is returned is
 * an object, and returns where its text ends; NO_NUMBER for whatever else stands there, and for numbers beyond all
 * doubles. Behind the text stands a byte that is no part of a number.
 */
export function readNumber(
  bytes: Buffer,
  from: number,
  mark: number,
  exponents: boolean,
  numbers: Float64Array,
  index: number,
): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  let at = start;
  let digits = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) digits = digits * 10 + digit;
  if (at === start) return NO_NUMBER;
  let power = 0;
  if (mark !== 0 && bytes[at] === mark) {
    const first = ++at;
    for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
      digits = digits * 10 + digit;
    power = first - at;
    if (power === 0) return NO_NUMBER;
  }
  if (exponents && (bytes[at]! | LOWER_CASE) === E) {
    at = readExponent(bytes, at + 1, numbers, index);
    if (at === NO_NUMBER) return NO_NUMBER;
    power += numbers[index]!;
  }
  if (!(digits <= Number.MAX_SAFE_INTEGER && power >= -MOST_EXACT_POWER && power <= MOST_EXACT_POWER))
    return readLong(bytes, from, at, mark, numbers, index);
  const size = power < 0 ? digits / POWERS[-power]! : digits * POWERS[power]!;
  numbers[index] = isNegative ? -size : size;
  return at;
}

function readExponent(bytes: Buffer, from: number, numbers: Float64Array, index: number): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative || bytes[from] === PLUS ? from + 1 : from;
  let at = start;
  let exponent = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
    exponent = exponent * 10 + digit;
  numbers[index] = isNegative ? -exponent : exponent;
  return at === start ? NO_NUMBER : at;
}

function readLong(
  bytes: Buffer,
  from: number,
  to: number,
  mark: number,
  numbers: Float64Array,
  index: number,
): number {
  const text = bytes.toString('latin1', from, to);
  const number = Number(mark === COMMA ? text.replace(',', '.') : text);
  numbers[index] = number;
  return Number.isFinite(number) ? to : NO_NUMBER;
}
