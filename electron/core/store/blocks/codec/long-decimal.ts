import { TRIPLES } from './ascii.ts';

/*
 * The shortest decimal that reads back as the same double, and of those the nearest to it, as bytes: what JSON.stringify
 * writes of a number with 15 to 17 digits, such as a reading that was calibrated. The number times the power of ten that leaves
 * 17 digits before the point is worked out exactly, as a sum of two doubles (Dekker, "A floating-point technique for extending
 * the available precision", 1971), and compared with half the distance to the neighbouring doubles.
 */

const ZERO = 48;
const DOT = 46;
const DIGITS = 17;
/** 17 digits are two numbers: nine of them, and eight. */
const LAST = 1e8;
/** Higher powers of ten are no doubles. */
const HIGHEST_POWER = 22;
/** Splits a double into two of half the digits each. */
const SPLITTER = 2 ** 27 + 1;
/** A number and so many times itself is the next double (Rump and others, "Computing predecessor and successor", 2009). */
const TO_NEXT = 2 ** -53 * (1 + 2 ** -52);
/** Nearer than so to a tie or to an edge, in units of the 17th digit, it is left to the runtime. */
const GUARD = 1e-6;
const UNSURE = 1000;

/** Of `000` to `999`: digits without zeros at the end. */
const LENGTHS = Uint8Array.from({ length: 1000 }, (_, i) => (i % 10 ? 3 : i % 100 ? 2 : 1));

const POWERS = Float64Array.from({ length: HIGHEST_POWER + 1 }, (_, k) => Number(`1e${k}`));
const POWER_HIGHS = POWERS.map(highOf);

/** The upper half of the digits of a double. */
function highOf(value: number): number {
  const large = SPLITTER * value;
  return large - (large - value);
}

/**
 * Writes a number that is not whole, from 0.000001 to 10^15, as JSON.stringify does, and returns the next place; -1 where that
 * is left to the runtime.
 */
export function writeLongDecimal(view: DataView, from: number, size: number): number {
  const decimals = decimalsOf(size);
  const power = POWERS[decimals]!;
  const product = size * power;
  if (!(product > 1e16 && product < 1e17)) return -1;
  const high = highOf(size);
  const low = size - high;
  const powerHigh = POWER_HIGHS[decimals]!;
  const powerLow = power - powerHigh;
  /** What the double lacks of the exact product. */
  const rest = low * powerLow - (product - high * powerHigh - low * powerHigh - high * powerLow);

  const next = size + size * TO_NEXT;
  const before = size - size * TO_NEXT;
  if (next - size !== size - before) return -1;
  /** All that is nearer reads back as the same double. */
  const half = (next - size) * 0.5 * power;

  const whole = Math.floor(rest + 0.5);
  let first = (product * 1e-8) | 0;
  let last = (product - first * LAST + whole) | 0;
  if (last < 0) {
    last += LAST;
    first--;
  } else if (last >= LAST) {
    last -= LAST;
    first++;
  }
  const change = changeOf(last, rest - whole, half);
  if (change === UNSURE) return -1;
  last += change;
  if (last >= LAST) {
    last -= LAST;
    first++;
  }
  return first < 1e9 ? writeDigits(view, from, first, last, decimals) : -1;
}

/** How many decimals leave 17 digits in all. */
function decimalsOf(size: number): number {
  if (size < 1) {
    let decimals = DIGITS;
    while (decimals < HIGHEST_POWER && size * POWERS[decimals]! < 1e16) decimals++;
    return decimals;
  }
  let wholes = 1;
  while (wholes < DIGITS && size >= POWERS[wholes]!) wholes++;
  return DIGITS - wholes;
}

/**
 * Returns what leads from `last` to the nearest number of 15 digits, of 16 or of all 17: of the first that is less than `half`
 * away from `last` + `fraction`. UNSURE where that is too close to call.
 */
function changeOf(last: number, fraction: number, half: number): number {
  const hundredths = last % 100;
  let change = hundredths < 50 ? 0 - hundredths : 100 - hundredths;
  let away = Math.abs(change - fraction);
  if (away < half - GUARD) return change;
  if (away < half + GUARD) return UNSURE;
  const tenths = last % 10;
  change = tenths + fraction < 5 ? 0 - tenths : 10 - tenths;
  away = Math.abs(change - fraction);
  if (away < half - GUARD) return away < 5 - GUARD ? change : UNSURE;
  if (away < half + GUARD) return UNSURE;
  return Math.abs(fraction) < 0.5 - GUARD ? 0 : UNSURE;
}

/** Writes 17 digits with so many decimals, without zeros at the end. */
function writeDigits(view: DataView, from: number, first: number, last: number, decimals: number): number {
  const wholes = DIGITS - decimals;
  let at = from + 1;
  if (wholes <= 0) {
    view.setUint8(from, ZERO);
    view.setUint8(from + 1, DOT);
    for (at = from + 2; at < from + 2 - wholes; at++) view.setUint8(at, ZERO);
  }
  // Five numbers of three digits and one of two.
  const a = (first / 1e6) | 0;
  const firstRest = first - a * 1_000_000;
  const b = (firstRest / 1000) | 0;
  const c = firstRest - b * 1000;
  const d = (last / 100_000) | 0;
  const lastRest = last - d * 100_000;
  const e = (lastRest / 100) | 0;
  const f = lastRest - e * 100;
  view.setInt32(at, TRIPLES[a]!, true);
  view.setInt32(at + 3, TRIPLES[b]!, true);
  view.setInt32(at + 6, TRIPLES[c]!, true);
  view.setInt32(at + 9, TRIPLES[d]!, true);
  view.setInt32(at + 12, TRIPLES[e]!, true);
  view.setInt32(at + 15, TRIPLES[f]! >>> 8, true);
  if (wholes > 0) {
    for (let i = from; i < from + wholes; i++) view.setUint8(i, view.getUint8(i + 1));
    view.setUint8(from + wholes, DOT);
  }
  if (f !== 0) return at + 14 + LENGTHS[f]!;
  if (e !== 0) return at + 12 + LENGTHS[e]!;
  if (d !== 0) return at + 9 + LENGTHS[d]!;
  return c === 0 ? (b === 0 ? at + LENGTHS[a]! : at + 3 + LENGTHS[b]!) : at + 6 + LENGTHS[c]!;
}
