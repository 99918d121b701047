import { digitOf, MINUS, place } from './place.ts';

/* Numbers as most files write them, from bytes to the very double that `Number` makes of the text. */

/**
 * Powers of ten that are doubles: a whole number below 2^53 times or divided by one of them is rounded once, and so is the
 * double that is nearest to what was written (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 */
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);
const MOST_EXACT_POWER = 22;
const MOST_WHOLE_DIGITS = 15;
const ZERO = 48;
const E = 101;
const PLUS = 43;
const LOWER_CASE = 32;

/**
 * Reads `-12`, and with a decimal mark (a byte, or 0 for none) `-12.5`; with `exponents` also `-1.5e-3`. Leaves where it
 * ends in `place`. NaN for whatever else stands there: whole numbers that begin with zeros or have more digits than every
 * double holds, signs other than "-", and numbers beyond all doubles.
 */
export function readPlainNumber(bytes: Buffer, from: number, mark: number, exponents: boolean): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  const start = at;
  let digits = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) digits = digits * 10 + digit;
  const whole = at - start;
  if (whole === 0) return NaN;
  let decimals = 0;
  if (mark !== 0 && bytes[at] === mark) {
    const point = at;
    for (let digit = digitOf(bytes[++at]); digit < 10; digit = digitOf(bytes[++at]))
      digits = digits * 10 + digit;
    decimals = at - point - 1;
    if (decimals === 0) return NaN;
  }
  let exponent = 0;
  const hasExponent = exponents && (bytes[at]! | LOWER_CASE) === E;
  if (hasExponent) {
    exponent = readExponent(bytes, at + 1);
    at = place.end;
  } else if (decimals === 0 && (whole > MOST_WHOLE_DIGITS || (whole > 1 && bytes[start] === ZERO)))
    return NaN;
  place.end = at;
  const power = exponent - decimals;
  if (
    digits > Number.MAX_SAFE_INTEGER ||
    power < -MOST_EXACT_POWER ||
    power > MOST_EXACT_POWER ||
    power !== power
  )
    return readLong(bytes, from, at, mark);
  const size = power < 0 ? digits / POWERS[-power]! : digits * POWERS[power]!;
  return isNegative ? -size : size;
}

/** NaN where no exponent stands. */
function readExponent(bytes: Buffer, from: number): number {
  let at = from;
  const sign = bytes[at] === MINUS ? -1 : 1;
  if (bytes[at] === MINUS || bytes[at] === PLUS) at++;
  const start = at;
  let exponent = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
    exponent = exponent * 10 + digit;
  place.end = at;
  return at === start ? NaN : sign * exponent;
}

function readLong(bytes: Buffer, from: number, to: number, mark: number): number {
  const text = bytes.toString('latin1', from, to);
  const number = Number(mark === 0 ? text : text.replace(String.fromCharCode(mark), '.'));
  return Number.isFinite(number) ? number : NaN;
}
