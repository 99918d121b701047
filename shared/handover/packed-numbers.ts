import { MOST_WHOLE, type ByteReader, type ByteWriter } from './bytes.ts';

/*
 * Numbers as few bytes, to the last bit: decimals as whole numbers and a scale, few different ones (those of a calibration are no
 * decimals any more) as places in a list of them, all others as they lie in memory, one byte of each after the other. What follows
 * is deflated, so differences are worth more than short codes.
 */

const MOST_SCALE = 9;
/** In place of a scale. */
const LISTED = 0x7e;
const PLAIN = 0x7f;
/** Different numbers of a list at most, and how often each has to be there on average. */
const MOST_LISTED = 16_384;
const OFTEN = 4;

export function packNumbers(numbers: readonly number[], to: ByteWriter): void {
  to.whole(numbers.length);
  if (numbers.length === 0) return;
  const scale = scaleOf(numbers);
  if (scale !== null) return packDecimals(numbers, scale, to);
  const list = listOf(numbers);
  if (list !== null) return packListed(numbers, list, to);
  to.whole(PLAIN);
  packPlain(numbers, to);
}

export function unpackNumbers(from: ByteReader): Float64Array {
  const numbers = new Float64Array(from.whole());
  if (numbers.length === 0) return numbers;
  const how = from.whole();
  if (how === PLAIN) return unpackPlain(from, numbers.length);
  if (how === LISTED) {
    const list = unpackPlain(from, from.whole());
    let place = 0;
    for (let i = 0; i < numbers.length; i++) numbers[i] = list[(place += from.signed())] ?? Number.NaN;
    return numbers;
  }
  const unit = 10 ** how;
  let whole = 0;
  for (let i = 0; i < numbers.length; i++) numbers[i] = (whole += from.signed()) / unit;
  return numbers;
}

/** The digits behind the point that all numbers have at most; null where they are no decimals. */
function scaleOf(numbers: readonly number[]): number | null {
  let scale = 0;
  for (const value of numbers) while (!isDecimal(value, scale)) if (++scale > MOST_SCALE) return null;
  return numbers.every((value) => isDecimal(value, scale)) ? scale : null;
}

/** A whole number divided by a power of ten is rounded as the decimal is when it is read: there is one double for both. */
function isDecimal(value: number, scale: number): boolean {
  const unit = 10 ** scale;
  const whole = Math.round(value * unit);
  return Math.abs(whole) <= MOST_WHOLE && whole / unit === value && !Object.is(value, -0);
}

function packDecimals(numbers: readonly number[], scale: number, to: ByteWriter): void {
  to.whole(scale);
  let before = 0;
  for (const value of numbers) {
    // Without the sign of a zero that a small negative number is rounded to.
    const whole = Math.round(value * 10 ** scale) + 0;
    to.signed(whole - before);
    before = whole;
  }
}

/** The different numbers, ascending; null where they are too many. */
function listOf(numbers: readonly number[]): readonly number[] | null {
  const most = Math.min(MOST_LISTED, Math.floor(numbers.length / OFTEN));
  const seen = new Set<number>();
  let hasNegativeZero = false;
  for (const value of numbers) {
    // A set has one zero.
    if (Object.is(value, -0)) hasNegativeZero = true;
    else seen.add(value);
    if (seen.size > most) return null;
  }
  const list = [...seen].toSorted((a, b) => a - b);
  return hasNegativeZero ? [-0, ...list] : list;
}

function packListed(numbers: readonly number[], list: readonly number[], to: ByteWriter): void {
  to.whole(LISTED);
  to.whole(list.length);
  packPlain(list, to);
  // A map has one zero, too: that of the list behind its negative one.
  const places = new Map(list.map((value, place) => [value, place] as const));
  let before = 0;
  for (const value of numbers) {
    const place = Object.is(value, -0) ? 0 : (places.get(value) ?? 0);
    to.signed(place - before);
    before = place;
  }
}

function packPlain(numbers: readonly number[], to: ByteWriter): void {
  const bytes = new Uint8Array(8 * numbers.length);
  const view = new DataView(new ArrayBuffer(8));
  for (const [at, value] of numbers.entries()) {
    view.setFloat64(0, value);
    for (let plane = 0; plane < 8; plane++) bytes[plane * numbers.length + at] = view.getUint8(plane);
  }
  to.bytes(bytes);
}

function unpackPlain(from: ByteReader, length: number): Float64Array {
  const bytes = from.bytes(8 * length);
  const numbers = new Float64Array(length);
  const view = new DataView(numbers.buffer);
  // As the machine has them.
  const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  for (let plane = 0; plane < 8; plane++) {
    const place = isLittle ? 7 - plane : plane;
    for (let at = 0; at < length; at++) view.setUint8(8 * at + place, bytes[plane * length + at] ?? 0);
  }
  return numbers;
}
