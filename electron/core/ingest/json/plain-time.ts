import type { Micros } from '#shared/values/time.ts';

/* Times as most devices write them, `"2026-03-02T20:30:21.202946Z"`, from bytes to µs. */

const ZERO = 48;
const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const COLON = 58;
const T = 84;
const Z = 90;

/** Well inside of what a record may carry: other years are read by the careful way. */
const FIRST_YEAR = 1800;
const LAST_YEAR = 2100;

/** Where the time ended that was read last, its quotes included. */
export const timeEnd = { at: 0 };

/** The date that was read last: most records have that of the one before. */
let knownDate = NaN;
let knownMidnight = NaN;

/** The time in quotes that begins at `from`; NaN for what is not of this form, which may be a time nevertheless. */
export function readPlainTime(bytes: Buffer, from: number): Micros {
  if (bytes[from] !== QUOTE || bytes[from + 5] !== MINUS || bytes[from + 8] !== MINUS) return NaN;
  if (bytes[from + 11] !== T || bytes[from + 14] !== COLON || bytes[from + 17] !== COLON) return NaN;
  const midnight = midnightOf(
    two(bytes, from + 1) * 100 + two(bytes, from + 3),
    two(bytes, from + 6),
    two(bytes, from + 9),
  );
  const hour = two(bytes, from + 12);
  const minute = two(bytes, from + 15);
  const second = two(bytes, from + 18);
  // NaN is not within them either.
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return NaN;
  let at = from + 20;
  let micros = 0;
  if (bytes[at] === POINT) {
    const start = ++at;
    let unit = 100_000;
    for (let digit = bytes[at]! - ZERO; digit >>> 0 < 10; digit = bytes[++at]! - ZERO) {
      micros += digit * unit;
      // Below a µs it is cut: the unit is 0 then.
      unit = Math.floor(unit / 10);
    }
    if (at === start || at - start > 9) return NaN;
  }
  if (bytes[at] !== Z || bytes[at + 1] !== QUOTE) return NaN;
  timeEnd.at = at + 2;
  return midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros;
}

/** Two digits; NaN for others. */
function two(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >>> 0 < 10 && ones >>> 0 < 10 ? tens * 10 + ones : NaN;
}

/** NaN where there is no such date. */
function midnightOf(year: number, month: number, day: number): Micros {
  const date = (year * 100 + month) * 100 + day;
  if (date === knownDate) return knownMidnight;
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return NaN;
  const midnight = Date.UTC(year, month - 1, day);
  if (new Date(midnight).getUTCDate() !== day) return NaN;
  knownDate = date;
  knownMidnight = midnight * 1000;
  return knownMidnight;
}
