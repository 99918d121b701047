import { digitOf, NO_NUMBER, readNumber } from '../../../ingest/number.ts';
import { CR, LF, MINUS, ODD } from './place.ts';

const MOST_WHOLE_DIGITS = 15;
const ZERO = 48;

/** Digits of a number that is a whole one of 31 bits without its mark. */
const MOST_SHORT_DIGITS = 9;
const POWERS = Float64Array.from({ length: MOST_SHORT_DIGITS + 1 }, (_, k) => 10 ** k);

/**
 * Fast path for sensors: reads what `readPlainNumber` reads of a field without quotes or blanks, where it has few digits, as most have.
 * ODD for whatever else stands there.
 */
export function readShortNumber(
  bytes: Buffer,
  from: number,
  mark: number,
  delimiter: number,
  numbers: Float64Array,
  index: number,
): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  let at = start;
  let digits = 0;
  // Digits beyond 31 bits overflow; their number is left to readPlainNumber below.
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
    digits = (Math.imul(digits, 10) + digit) | 0;
  const whole = at - start;
  if (whole === 0) return ODD;
  let byte = bytes[at]!;
  let decimals = 0;
  if (byte === mark && mark !== 0) {
    const first = ++at;
    for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
      digits = (Math.imul(digits, 10) + digit) | 0;
    decimals = at - first;
    if (decimals === 0) return ODD;
    byte = bytes[at]!;
  } else if (whole > 1 && bytes[start] === ZERO) return ODD;
  if (byte !== delimiter && byte !== LF && byte !== CR) return ODD;
  if (whole + decimals > MOST_SHORT_DIGITS) return ODD;
  const size = digits / POWERS[decimals]!;
  numbers[index] = isNegative ? -size : size;
  return at;
}

/**
 * Reads `-12`, and with a decimal mark (a byte, or 0 for none) `-12.5`; with `exponents` also `-1.5e-3`, as `readNumber`
 * does. NO_NUMBER for whatever else stands there: whole numbers that begin with zeros or have more digits than every
 * double holds, signs other than "-", and numbers beyond all doubles.
 */
export function readPlainNumber(
  bytes: Buffer,
  from: number,
  mark: number,
  exponents: boolean,
  numbers: Float64Array,
  index: number,
): number {
  const end = readNumber(bytes, from, mark, exponents, numbers, index);
  const start = bytes[from] === MINUS ? from + 1 : from;
  const mayBeName = end - start > MOST_WHOLE_DIGITS || (bytes[start] === ZERO && end > start + 1);
  return mayBeName && isWhole(bytes, start, end) ? NO_NUMBER : end;
}

function isWhole(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (digitOf(bytes[at]) > 9) return false;
  return true;
}
