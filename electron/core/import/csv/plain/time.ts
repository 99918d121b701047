import type { Micros } from '#shared/values/time.ts';
import { digitOf } from '../../../ingest/number.ts';
import { daysIn, type DateOrder, type EpochUnit } from '../../time/time-format.ts';
import { BLANK, COLON, COMMA, MINUS, place, POINT } from './place.ts';

/*
 * Times as most files write them, from bytes to µs: what time/time-format.ts makes of their texts. Each function leaves
 * where it ends in `place`; NaN for whatever it does not know, which is then read as text.
 */

const SLASH = 47;
const T = 84;
const A = 65;
const P = 80;
const M = 77;
const Z = 90;
const PLUS = 43;
const UPPER_CASE = 0xdf;

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;

/** Far enough inside of what a record may carry that no zone leads out of it. */
const FIRST_YEAR = 1701;
const LAST_YEAR = 2199;

/** Of a time in µs that is a safe integer, as all are that a record may carry. */
const MOST_DIGITS = 16;

/** The date that was read last: most rows have that of the row before. */
let knownDate = NaN;
let knownTime = NaN;

/** Reads a date of numbers; µs since 1970 of its midnight. */
export function readPlainDate(bytes: Buffer, from: number, order: DateOrder): Micros {
  const first = readDigits(bytes, from);
  const firstLength = place.end - from;
  const separator = bytes[place.end]!;
  if (separator !== MINUS && separator !== POINT && separator !== SLASH) return NaN;
  const secondAt = place.end + 1;
  const second = readDigits(bytes, secondAt);
  const secondLength = place.end - secondAt;
  if (secondLength < 1 || secondLength > 2 || bytes[place.end] !== separator) return NaN;
  const thirdAt = place.end + 1;
  const third = readDigits(bytes, thirdAt);
  const thirdLength = place.end - thirdAt;
  if (order === 'year-first') {
    if (firstLength !== 4 || thirdLength < 1 || thirdLength > 2) return NaN;
    return midnightOf(first, second, third);
  }
  if (thirdLength !== 4 || firstLength < 1 || firstLength > 2) return NaN;
  return order === 'day-first' ? midnightOf(third, second, first) : midnightOf(third, first, second);
}

function midnightOf(year: number, month: number, day: number): Micros {
  // Of two digits each, so that no other date, real or not, has the same number.
  const date = (year * 100 + month) * 100 + day;
  if (date === knownDate) return knownTime;
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return NaN;
  if (day < 1 || day > daysIn(year, month)) return NaN;
  knownDate = date;
  knownTime = Date.UTC(year, month - 1, day) * 1000;
  return knownTime;
}

/** Whether the date that ends there is followed by a time of day. */
export function hasTimeOfDay(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!;
  return (byte & UPPER_CASE) === T || (byte === BLANK && digitOf(bytes[at + 1]) < 10);
}

/**
 * Reads a time of day, perhaps with AM or PM and a zone behind it; µs since midnight, of UTC where it says a zone. Where
 * the fields of the file are separated by commas, none stands before a fraction.
 */
export function readPlainTimeOfDay(bytes: Buffer, from: number, delimiter: number): Micros {
  place.zoned = false;
  const hour = readDigits(bytes, from);
  const hourLength = place.end - from;
  if (hourLength < 1 || hourLength > 2 || bytes[place.end] !== COLON) return NaN;
  const minute = readTwo(bytes, place.end + 1);
  let time = minute * MINUTE;
  if (!(minute <= 59)) return NaN;
  if (bytes[place.end] === COLON) {
    const second = readTwo(bytes, place.end + 1);
    if (!(second <= 59)) return NaN;
    time += second * 1_000_000;
    const mark = bytes[place.end]!;
    if (mark === POINT || (mark === COMMA && delimiter !== COMMA)) time += readFraction(bytes, place.end + 1);
  }
  return readBehind(bytes, place.end, hour, time);
}

/** What may stand behind a time of day: AM or PM, a zone, or nothing. */
function readBehind(bytes: Buffer, from: number, hour: number, time: Micros): Micros {
  let at = from;
  let hours = hour;
  const half = bytes[bytes[at] === BLANK ? at + 1 : at]! & UPPER_CASE;
  if (half === A || half === P) {
    if (bytes[at] === BLANK) at++;
    if ((bytes[at + 1]! & UPPER_CASE) !== M || hour < 1 || hour > 12) return NaN;
    hours = (hour % 12) + (half === P ? 12 : 0);
    at += 2;
  }
  if (hours > 23) return NaN;
  place.end = at;
  return hours * HOUR + time - readOffset(bytes, at);
}

/** µs east of UTC; 0, and no zone, where none stands there. */
function readOffset(bytes: Buffer, from: number): Micros {
  const at = bytes[from] === BLANK ? from + 1 : from;
  const sign = bytes[at]!;
  if ((sign & UPPER_CASE) === Z) {
    place.zoned = true;
    place.end = at + 1;
    return 0;
  }
  if (sign !== PLUS && sign !== MINUS) return 0;
  const hours = readTwo(bytes, at + 1);
  if (!(hours <= 23)) return NaN;
  place.zoned = true;
  let offset = hours * HOUR;
  const minutesAt = bytes[place.end] === COLON ? place.end + 1 : place.end;
  if (minutesAt > place.end || digitOf(bytes[minutesAt]) < 10) {
    const minutes = readTwo(bytes, minutesAt);
    if (!(minutes <= 59)) return NaN;
    offset += minutes * MINUTE;
  }
  return sign === MINUS ? -offset : offset;
}

/** A number in seconds, milliseconds, microseconds or nanoseconds since 1970, cut to the µs. */
export function readPlainEpoch(
  bytes: Buffer,
  from: number,
  { unit, least, below, shift }: EpochShape,
  delimiter: number,
): Micros {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  const cut = shift < 0 ? -shift : 0;
  const whole = readDigits(bytes, start);
  const length = place.end - start;
  if (length <= cut || length > MOST_DIGITS + cut) return NaN;
  if (whole < least || whole >= below) return NaN;
  let time = whole;
  if (unit === 'ns') time = readUpTo(bytes, start, length - cut);
  else time = whole * 10 ** shift;
  place.end = start + length;
  const mark = bytes[place.end]!;
  if (mark === POINT || (mark === COMMA && delimiter !== COMMA)) {
    const fraction = place.end + 1;
    const micros = readMicros(bytes, fraction, Math.max(0, shift));
    if (place.end === fraction) return NaN;
    time += micros;
  }
  if (!Number.isSafeInteger(time)) return NaN;
  return isNegative ? -time || 0 : time;
}

export interface EpochShape {
  readonly unit: EpochUnit;
  /** Numbers of other sizes, which other units write, are no times. */
  readonly least: number;
  readonly below: number;
  /** Digits behind the decimal point that make µs. */
  readonly shift: number;
}

function readUpTo(bytes: Buffer, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at++) number = number * 10 + digitOf(bytes[at]);
  return number;
}

/** One to nine digits behind a decimal mark, as µs. */
function readFraction(bytes: Buffer, from: number): Micros {
  const micros = readMicros(bytes, from, 6);
  const length = place.end - from;
  return length >= 1 && length <= 9 ? micros : NaN;
}

/** Digits, as many as there are: the number of the first `count`, as if zeros followed them. */
function readMicros(bytes: Buffer, from: number, count: number): Micros {
  let at = from;
  let micros = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
    if (at - from < count) micros = micros * 10 + digit;
  place.end = at;
  for (let length = at - from; length < count; length++) micros *= 10;
  return micros;
}

function readDigits(bytes: Buffer, from: number): number {
  let at = from;
  let number = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) number = number * 10 + digit;
  place.end = at;
  return number;
}

/** Two digits; NaN for fewer. */
function readTwo(bytes: Buffer, at: number): number {
  const [tens, ones] = [digitOf(bytes[at]), digitOf(bytes[at + 1])];
  place.end = at + 2;
  return tens < 10 && ones < 10 ? tens * 10 + ones : NaN;
}
