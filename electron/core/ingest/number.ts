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

/** Where the number ended that was read last. An object for each would cost more than to read it. */
export const numberEnd = { at: 0 };

/** The digit that a byte stands for; anything above 9 for other bytes. */
export function digitOf(byte: number | undefined): number {
  return (byte! - ZERO) >>> 0;
}

/**
 * Reads `-12`, with a decimal mark (the byte of a point or comma, or 0 for none) `-12.5`, and with `exponents`
 * `-1.5e-3`; before other digits zeros may stand. Leaves where it ends in `numberEnd`. NaN for whatever else stands there,
 * and for numbers beyond all doubles. Behind the text stands a byte that is no part of a number.
 */
export function readNumber(bytes: Buffer, from: number, mark: number, exponents: boolean): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  const start = at;
  let digits = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) digits = digits * 10 + digit;
  if (at === start) return NaN;
  let power = 0;
  if (mark !== 0 && bytes[at] === mark) {
    const first = ++at;
    for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
      digits = digits * 10 + digit;
    power = first - at;
    if (power === 0) return NaN;
  }
  if (exponents && (bytes[at]! | LOWER_CASE) === E) {
    power += readExponent(bytes, at + 1);
    at = numberEnd.at;
  }
  numberEnd.at = at;
  if (!(digits <= Number.MAX_SAFE_INTEGER && power >= -MOST_EXACT_POWER && power <= MOST_EXACT_POWER))
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
  numberEnd.at = at;
  return at === start ? NaN : sign * exponent;
}

function readLong(bytes: Buffer, from: number, to: number, mark: number): number {
  const text = bytes.toString('latin1', from, to);
  const number = Number(mark === COMMA ? text.replace(',', '.') : text);
  return Number.isFinite(number) ? number : NaN;
}
