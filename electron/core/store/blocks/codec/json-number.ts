import { packed, TRIPLES, writeAscii, writeSixDigits } from './ascii.ts';
import { keepText, writeKnown } from './known-texts.ts';
import { writeLongDecimal } from './long-decimal.ts';

/*
 * JSON text of numbers as bytes: each function writes at a place and returns the next. Digits of a number that is an
 * integer / 10^k come from that integer: with at most 15 digits it is the shortest text that reads back as the same
 * double (any two decimals of 15 digits are different doubles), which is what JSON.stringify writes.
 *
 * Digits go out by threes, as numbers of four bytes from tables: up to three bytes too many are written, which what
 * follows overwrites.
 */

const DOT = 46;
const MINUS = 45;

const POWERS = Float64Array.from({ length: 10 }, (_, k) => 10 ** k);
const MAX_DECIMALS = 9;
const MAX_DIGITS = 1e15;
/** JSON writes smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6;
/** The longest number: `-1.2345678901234567e+308`; and what is written too many. */
export const NUMBER_BYTES = 32;

/** `0` to `999`; in the highest byte, how many digits that is. */
const WHOLES = Int32Array.from({ length: 1000 }, (_, i) => packed(String(i)) | (String(i).length << 24));
/** `` for none, `.001` to `.999` for so many thousandths, without zeros at the end. */
const FRACTIONS = Int32Array.from({ length: 1000 }, (_, i) => packed(fractionText(i)));
const FRACTION_LENGTHS = Uint8Array.from({ length: 1000 }, (_, i) => fractionText(i).length);

function fractionText(thousandths: number): string {
  return thousandths === 0 ? '' : `.${String(thousandths).padStart(3, '0').replace(/0+$/, '')}`;
}

/**
 * Writes a number as JSON.stringify does. `decimals[i]` is how many decimals the column had last, where to begin trying;
 * `~decimals`, which is less than 0, where one of its numbers had no short form: no others are tried from there on.
 */
export function writeNumber(
  view: DataView,
  from: number,
  value: number,
  decimals: number[],
  i: number,
): number {
  const k = decimals[i]!;
  // Whole numbers too, which need none of the decimals of their column.
  if (k > 0 && k <= 3) {
    const size = Math.abs(value);
    const power = POWERS[k]!;
    const integer = Math.floor(size * power + 0.5);
    if (integer < 1e9 && integer / power === size)
      return writeShort(view, writeSign(view, from, value), integer | 0, k);
  }
  return writeOther(view, from, value, decimals, i);
}

/** Writes integer / 10^k of at most nine digits, for k from 1 to 3: what sensors send, so with the least work. */
function writeShort(view: DataView, from: number, integer: number, k: number): number {
  let whole = 0;
  let thousandths = 0;
  if (k === 1) {
    whole = (integer / 10) | 0;
    thousandths = (integer - whole * 10) * 100;
  } else if (k === 2) {
    whole = (integer / 100) | 0;
    thousandths = (integer - whole * 100) * 10;
  } else {
    whole = (integer / 1000) | 0;
    thousandths = integer - whole * 1000;
  }
  const at = writeSmall(view, from, whole);
  view.setInt32(at, FRACTIONS[thousandths]!, true);
  return at + FRACTION_LENGTHS[thousandths]!;
}

/** Longer, or with other decimals than the number of its column before. */
function writeOther(view: DataView, from: number, value: number, decimals: number[], i: number): number {
  const size = Math.abs(value);
  if (size >= MIN_PLAIN && size < MAX_DIGITS) {
    const start = writeSign(view, from, value);
    if (Math.floor(size) === size) return writeWhole(view, start, size);
    return decimals[i]! >= 0
      ? writeDecimals(view, start, size, decimals, i)
      : writeLong(view, start, size, decimals, i);
  }
  return size === 0 ? writeWhole(view, from, 0) : writeAscii(view, from, String(value));
}

/** Writes a number that is not whole with as few decimals as do, from those on that its column had last. */
function writeDecimals(view: DataView, from: number, size: number, decimals: number[], i: number): number {
  for (let k = decimals[i]!; k <= MAX_DECIMALS; k++) {
    const integer = integerOf(size, k);
    if (integer < 0) continue;
    decimals[i] = k;
    return writeInteger(view, from, integer, k);
  }
  decimals[i] = ~decimals[i]!;
  return writeLong(view, from, size, decimals, i);
}

/** Writes a number of a column with long ones. */
function writeLong(view: DataView, from: number, size: number, decimals: number[], i: number): number {
  const known = writeKnown(view, from, size);
  if (known >= 0) return known;
  const k = ~decimals[i]!;
  const integer = integerOf(size, k);
  let at = integer < 0 ? writeLongDecimal(view, from, size) : writeInteger(view, from, integer, k);
  if (at < 0) at = writeAscii(view, from, String(size));
  keepText(view, from, at, size);
  return at;
}

/** Returns the integer of which a number is the 10^kth part; -1 where there is none of at most 15 digits. */
function integerOf(size: number, k: number): number {
  const power = POWERS[k]!;
  const integer = Math.floor(size * power + 0.5);
  return integer < MAX_DIGITS && integer / power === size ? integer : -1;
}

function writeInteger(view: DataView, from: number, integer: number, k: number): number {
  const power = POWERS[k]!;
  const whole = Math.floor(integer / power);
  const at = writeWhole(view, from, whole);
  return writeFraction(view, at, (integer - whole * power) * POWERS[MAX_DECIMALS - k]!);
}

/** -0 has none, as JSON has it. */
function writeSign(view: DataView, at: number, value: number): number {
  if (value >= 0) return at;
  view.setUint8(at, MINUS);
  return at + 1;
}

/** Writes billionths, not none, without zeros at the end. */
function writeFraction(view: DataView, at: number, billionths: number): number {
  const first = (billionths / 1e6) | 0;
  const rest = billionths - first * 1e6;
  if (rest === 0) return writeLastDigits(view, at, FRACTIONS[first]!, FRACTION_LENGTHS[first]!);
  view.setUint8(at, DOT);
  view.setInt32(at + 1, TRIPLES[first]!, true);
  const second = (rest / 1000) | 0;
  const third = rest - second * 1000;
  if (third === 0)
    return writeLastDigits(view, at + 4, FRACTIONS[second]! >>> 8, FRACTION_LENGTHS[second]! - 1);
  view.setInt32(at + 4, TRIPLES[second]!, true);
  return writeLastDigits(view, at + 7, FRACTIONS[third]! >>> 8, FRACTION_LENGTHS[third]! - 1);
}

function writeLastDigits(view: DataView, at: number, digits: number, length: number): number {
  view.setInt32(at, digits, true);
  return at + length;
}

/** Writes a whole number of at most 15 digits. */
function writeWhole(view: DataView, at: number, value: number): number {
  if (value < 1e9) return writeSmall(view, at, value | 0);
  const billions = Math.floor(value / 1e9);
  const next = writeSmall(view, at, billions | 0);
  const rest = (value - billions * 1e9) | 0;
  const millions = (rest / 1e6) | 0;
  view.setInt32(next, TRIPLES[millions]!, true);
  return writeSixDigits(view, next + 3, rest - millions * 1_000_000);
}

function writeSmall(view: DataView, at: number, value: number): number {
  if (value < 1000) {
    const text = WHOLES[value]!;
    view.setInt32(at, text, true);
    return at + (text >>> 24);
  }
  if (value < 1e6) {
    const thousands = (value / 1000) | 0;
    const text = WHOLES[thousands]!;
    view.setInt32(at, text, true);
    const next = at + (text >>> 24);
    view.setInt32(next, TRIPLES[value - thousands * 1000]!, true);
    return next + 3;
  }
  const millions = (value / 1e6) | 0;
  const text = WHOLES[millions]!;
  view.setInt32(at, text, true);
  return writeSixDigits(view, at + (text >>> 24), value - millions * 1_000_000);
}
