/*
 * Numbers from the bytes of a JSON text to the very double that JSON.parse makes of them.
 */

/**
 * Powers of ten that are doubles: a whole number below 2^53 divided by one of them is rounded once, and so is the double
 * nearest to what was written (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 */
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const PLUS = 43;
const E = 101;
const LOWER_CASE = 32;

/** Where the number ended that was read last. An object for each would cost more than to read it. */
export const numberEnd = { at: 0 };

const isDigit = (byte: number) => (byte - ZERO) >>> 0 < 10;

/**
 * Reads the number that begins at `from` (RFC 8259, section 6) and leaves where it ends in `numberEnd`. NaN for what is
 * none, or too large for a double. Behind the text stands a byte that is no part of a number.
 */
export function readPlainNumber(bytes: Buffer, from: number): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  const start = at;
  let digits = 0;
  for (let digit = bytes[at]! - ZERO; digit >>> 0 < 10; digit = bytes[++at]! - ZERO)
    digits = digits * 10 + digit;
  if (at === start || (bytes[start] === ZERO && at > start + 1)) return NaN;
  let decimals = 0;
  if (bytes[at] === POINT) {
    const point = at++;
    for (let digit = bytes[at]! - ZERO; digit >>> 0 < 10; digit = bytes[++at]! - ZERO)
      digits = digits * 10 + digit;
    decimals = at - point - 1;
    if (decimals === 0) return NaN;
  }
  const hasExponent = (bytes[at]! | LOWER_CASE) === E;
  if (hasExponent) {
    at++;
    if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
    if (!isDigit(bytes[at]!)) return NaN;
    while (isDigit(bytes[at]!)) at++;
  }
  numberEnd.at = at;
  if (hasExponent || digits > Number.MAX_SAFE_INTEGER || decimals >= POWERS.length) {
    const number = Number(bytes.toString('latin1', from, at));
    return Number.isFinite(number) ? number : NaN;
  }
  const size = decimals === 0 ? digits : digits / POWERS[decimals]!;
  return isNegative ? -size : size;
}
