import { MOST_WHOLE, type ByteReader, type ByteWriter } from './bytes.ts';

/*
 * Numbers as few bytes, to the last bit: decimals as whole numbers and a scale, few different ones (those of a calibration are no
 * decimals any more) as places in a list of them, all others as they lie in memory, one byte of each after the other. What follows
 * is deflated, so differences are worth more than short codes.
 */

const MOST_SCALE = 9;
const UNITS = Array.from({ length: MOST_SCALE + 1 }, (_, scale) => 10 ** scale);
/** In place of a scale. */
const LISTED = 0x7e;
const PLAIN = 0x7f;
/** Different numbers of a list at most, and how often each has to be there on average. */
const MOST_LISTED = 16_384;
const OFTEN = 4;

export function packNumbers(numbers: Float64Array, to: ByteWriter): void {
  to.whole(numbers.length);
  if (numbers.length === 0) return;
  const decimals = decimalsOf(numbers);
  if (decimals !== null) return packDecimals(decimals, to);
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

interface Decimals {
  readonly scale: number;
  /** Each number times the unit of the scale. */
  readonly wholes: Float64Array;
}

/** With the digits behind the point that all numbers have at most; null where they are no decimals. */
function decimalsOf(numbers: Float64Array): Decimals | null {
  let scale = 0;
  for (const value of numbers)
    while (wholeOf(value, UNITS[scale]!) === null) if (++scale > MOST_SCALE) return null;
  const unit = UNITS[scale]!;
  const wholes = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    const whole = wholeOf(numbers[at]!, unit);
    if (whole === null) return null;
    wholes[at] = whole;
  }
  return { scale, wholes };
}

/** A whole number divided by a power of ten is rounded as the decimal is when it is read: there is one double for both. */
function wholeOf(value: number, unit: number): number | null {
  const whole = Math.round(value * unit);
  if (Math.abs(whole) > MOST_WHOLE || whole / unit !== value) return null;
  // -0 is the one value that is no decimal.
  return whole === 0 && Object.is(value, -0) ? null : whole;
}

function packDecimals({ scale, wholes }: Decimals, to: ByteWriter): void {
  to.whole(scale);
  let before = 0;
  for (const whole of wholes) {
    to.signed(whole - before);
    before = whole;
  }
}

/** The different numbers, ascending, a negative zero before all; null where they are too many. */
function listOf(numbers: Float64Array): Float64Array | null {
  const most = Math.min(MOST_LISTED, Math.floor(numbers.length / OFTEN));
  const seen = new Set<number>();
  let hasNegativeZero = false;
  for (const value of numbers) {
    // A set has one zero.
    if (Object.is(value, -0)) hasNegativeZero = true;
    else seen.add(value);
    if (seen.size > most) return null;
  }
  const list = Float64Array.from(seen).toSorted();
  return hasNegativeZero ? Float64Array.of(-0, ...list) : list;
}

function packListed(numbers: Float64Array, list: Float64Array, to: ByteWriter): void {
  to.whole(LISTED);
  to.whole(list.length);
  packPlain(list, to);
  // A map has one zero, too: that of the list behind its negative one.
  const places = new Map<number, number>();
  for (const [place, value] of list.entries()) places.set(value, place);
  let before = 0;
  for (const value of numbers) {
    const place = Object.is(value, -0) ? 0 : (places.get(value) ?? 0);
    to.signed(place - before);
    before = place;
  }
}

/** As the machine has the bytes of a number: the first of them is the last of its planes, or the first. */
const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function packPlain(numbers: Float64Array, to: ByteWriter): void {
  const { length } = numbers;
  const stored = new Uint8Array(numbers.buffer, numbers.byteOffset, 8 * length);
  const bytes = new Uint8Array(8 * length);
  for (let plane = 0; plane < 8; plane++) {
    const place = isLittle ? 7 - plane : plane;
    for (let at = 0; at < length; at++) bytes[plane * length + at] = stored[8 * at + place]!;
  }
  to.bytes(bytes);
}

function unpackPlain(from: ByteReader, length: number): Float64Array {
  const bytes = from.bytes(8 * length);
  const numbers = new Float64Array(length);
  const view = new DataView(numbers.buffer);
  for (let plane = 0; plane < 8; plane++) {
    const place = isLittle ? 7 - plane : plane;
    for (let at = 0; at < length; at++) view.setUint8(8 * at + place, bytes[plane * length + at] ?? 0);
  }
  return numbers;
}
