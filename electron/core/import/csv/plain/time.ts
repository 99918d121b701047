import type { Micros } from '#shared/values/time.ts';
import { digitOf } from '../../../ingest/number.ts';
import { daysIn, type DateOrder, type EpochUnit } from '../../time/time-format.ts';
import { BLANK, COLON, COMMA, found, MINUS, ODD, POINT } from './place.ts';

/*
 * Times as most files write them, from bytes to µs: what time/time-format.ts makes of their texts. Each function leaves
 * the time in `found` and returns where its text ends; ODD for whatever it does not know, which is then read as text.
 */

const SLASH = 47;
const T = 84;
const A = 65;
const P = 80;
const M = 77;
const Z = 90;
const PLUS = 43;
const UPPER_CASE = 0xdf;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Far enough inside of what a record may carry that no zone leads out of it. */
const FIRST_YEAR = 1701;
const LAST_YEAR = 2199;

/** Of a time in µs that is a safe integer, as all are that a record may carry. */
const MOST_DIGITS = 16;
/** Digits of a fraction of a second. */
const MOST_FRACTION = 9;
/** Digits of the fraction that a time in µs has. */
const MICRO_PLACES = 6;

/** Where the digits ended that were read last. */
let digitsEnd = 0;

/** The date that was read last: most rows have that of the row before. */
let knownDate = NaN;
let knownTime = NaN;

/** Reads a date of numbers; µs since 1970 of its midnight. */
export function readPlainDate(bytes: Buffer, from: number, order: DateOrder): number {
  const first = readDigits(bytes, from);
  const firstEnd = digitsEnd;
  const separator = bytes[firstEnd]!;
  if (separator !== MINUS && separator !== POINT && separator !== SLASH) return ODD;
  const second = readDigits(bytes, firstEnd + 1);
  const secondEnd = digitsEnd;
  if (!isShort(firstEnd + 1, secondEnd) || bytes[secondEnd] !== separator) return ODD;
  const third = readDigits(bytes, secondEnd + 1);
  const end = digitsEnd;
  if (order === 'year-first') {
    if (firstEnd - from !== 4 || !isShort(secondEnd + 1, end)) return ODD;
    return findMidnight(first, second, third) ? end : ODD;
  }
  if (end - secondEnd !== 5 || !isShort(from, firstEnd)) return ODD;
  const isDayFirst = order === 'day-first';
  return findMidnight(third, isDayFirst ? second : first, isDayFirst ? first : second) ? end : ODD;
}

/** Whether one or two bytes stand there. */
function isShort(from: number, to: number): boolean {
  return to - from === 1 || to - from === 2;
}

/** Says no to what is no date. */
function findMidnight(year: number, month: number, day: number): boolean {
  // Of two digits each, so that no other date, real or not, has the same number.
  const date = (year * 100 + month) * 100 + day;
  if (date !== knownDate) {
    if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return false;
    if (day < 1 || day > daysIn(year, month)) return false;
    knownDate = date;
    knownTime = Date.UTC(year, month - 1, day) * 1000;
  }
  found.time[0] = knownTime;
  return true;
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
export function readPlainTimeOfDay(bytes: Buffer, from: number, delimiter: number): number {
  found.zoned = false;
  const hour = readDigits(bytes, from);
  let at = digitsEnd;
  if (!isShort(from, at) || bytes[at] !== COLON) return ODD;
  const minute = readTwo(bytes, at + 1);
  if (minute > 59) return ODD;
  at += 3;
  if (bytes[at] === COLON) return readPlainSeconds(bytes, at + 1, hour, minute, delimiter);
  found.time[0] = minute * MINUTE;
  return readBehind(bytes, at, hour);
}

/** The same from the seconds on, behind an hour and a minute that are known. */
export function readPlainSeconds(
  bytes: Buffer,
  from: number,
  hour: number,
  minute: number,
  delimiter: number,
): number {
  found.zoned = false;
  const second = readTwo(bytes, from);
  if (second > 59) return ODD;
  let at = from + 2;
  found.time[0] = minute * MINUTE + second * SECOND;
  const mark = bytes[at]!;
  if (mark === POINT || (mark === COMMA && delimiter !== COMMA)) {
    found.time[0] += readMicros(bytes, at + 1, 6);
    const length = digitsEnd - at - 1;
    if (length < 1 || length > MOST_FRACTION) return ODD;
    at = digitsEnd;
  }
  return readBehind(bytes, at, hour);
}

/**
 * Fast path for loggers: µs of seconds that are followed by at most six digits of a fraction and "Z", whose end is left in `found`; ODD for
 * another form. They fit 31 bits.
 */
export function readSecondsInUtc(bytes: Buffer, from: number): number {
  const second = readTwo(bytes, from);
  if (second > 59) return ODD;
  let at = from + 2;
  let micros = second;
  let places = 0;
  if (bytes[at] === POINT) {
    for (let digit = digitOf(bytes[++at]); digit < 10; digit = digitOf(bytes[++at]), places++)
      if (places < MICRO_PLACES) micros = micros * 10 + digit;
    if (places === 0 || places > MICRO_PLACES) return ODD;
  }
  if ((bytes[at]! & UPPER_CASE) !== Z) return ODD;
  for (; places < MICRO_PLACES; places++) micros *= 10;
  found.end = at + 1;
  return micros;
}

/** What may stand behind minutes and seconds, whose hour is added: AM or PM, a zone, or nothing. */
function readBehind(bytes: Buffer, from: number, hour: number): number {
  let at = from;
  let hours = hour;
  const half = bytes[bytes[at] === BLANK ? at + 1 : at]! & UPPER_CASE;
  if (half === A || half === P) {
    if (bytes[at] === BLANK) at++;
    if ((bytes[at + 1]! & UPPER_CASE) !== M || hour < 1 || hour > 12) return ODD;
    hours = (hour % 12) + (half === P ? 12 : 0);
    at += 2;
  }
  if (hours > 23) return ODD;
  found.time[0]! += hours * HOUR;
  return readZone(bytes, at);
}

/** Takes the offset off that a zone has, if one stands there. */
function readZone(bytes: Buffer, from: number): number {
  const at = bytes[from] === BLANK ? from + 1 : from;
  const sign = bytes[at]!;
  if ((sign & UPPER_CASE) === Z) {
    found.zoned = true;
    return at + 1;
  }
  if (sign !== PLUS && sign !== MINUS) return from;
  const hours = readTwo(bytes, at + 1);
  if (hours > 23) return ODD;
  found.zoned = true;
  let offset = hours * HOUR;
  let end = at + 3;
  if (bytes[end] === COLON || digitOf(bytes[end]) < 10) {
    if (bytes[end] === COLON) end++;
    const minutes = readTwo(bytes, end);
    if (minutes > 59) return ODD;
    offset += minutes * MINUTE;
    end += 2;
  }
  found.time[0]! -= sign === MINUS ? -offset : offset;
  return end;
}

/** A number in seconds, milliseconds, microseconds or nanoseconds since 1970, cut to the µs. */
export function readPlainEpoch(
  bytes: Buffer,
  from: number,
  { unit, least, below, shift }: EpochShape,
  delimiter: number,
): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  const cut = shift < 0 ? -shift : 0;
  const whole = readDigits(bytes, start);
  let end = digitsEnd;
  const length = end - start;
  if (length <= cut || length > MOST_DIGITS + cut) return ODD;
  if (whole < least || whole >= below) return ODD;
  let time = unit === 'ns' ? readUpTo(bytes, start, length - cut) : whole * 10 ** shift;
  const mark = bytes[end]!;
  if (mark === POINT || (mark === COMMA && delimiter !== COMMA)) {
    time += readMicros(bytes, end + 1, Math.max(0, shift));
    if (digitsEnd === end + 1) return ODD;
    end = digitsEnd;
  }
  if (!Number.isSafeInteger(time)) return ODD;
  found.time[0] = isNegative ? -time || 0 : time;
  return end;
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

/** Digits, as many as there are: the number of the first `count`, as if zeros followed them. */
function readMicros(bytes: Buffer, from: number, count: number): Micros {
  let at = from;
  let micros = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at]))
    if (at - from < count) micros = micros * 10 + digit;
  digitsEnd = at;
  for (let length = at - from; length < count; length++) micros *= 10;
  return micros;
}

function readDigits(bytes: Buffer, from: number): number {
  let at = from;
  let number = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) number = number * 10 + digit;
  digitsEnd = at;
  return number;
}

/** Two digits; for fewer a number that has three. */
export function readTwo(bytes: Buffer, at: number): number {
  const tens = digitOf(bytes[at]);
  const ones = digitOf(bytes[at + 1]);
  return tens < 10 && ones < 10 ? tens * 10 + ones : 100;
}
