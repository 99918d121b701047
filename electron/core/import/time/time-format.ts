import type { Micros } from '#shared/values/time.ts';
import { readEither, type Mark } from '../text/number-text.ts';
import { DAY_MICROS, readDays, type DayCount } from './days.ts';
import { fullYear, readDigits, type DigitForm } from './digit-time.ts';
import { monthOf } from './month-names.ts';
import type { ElapsedUnit } from './time-name.ts';

/** Orders of the numbers of a date. */
export const ORDERS = ['day-first', 'month-first', 'year-first'] as const;
export type DateOrder = (typeof ORDERS)[number];
export type EpochUnit = 's' | 'ms' | 'µs' | 'ns';

/** How a column writes its times. */
export type TimeFormat =
  /** `short`: its years have two digits. */
  | { readonly kind: 'calendar'; readonly order: DateOrder; readonly short?: boolean }
  | { readonly kind: 'digits'; readonly form: DigitForm }
  /** `only`: a number of another size, which other units write, is no time. */
  | { readonly kind: 'epoch'; readonly unit: EpochUnit; readonly only: boolean }
  /** Days as spreadsheets count them, with fractions behind `mark`. */
  | { readonly kind: 'days'; readonly since: DayCount; readonly mark?: Mark }
  /** `mark`: what stands before fractions; a point when absent. */
  | { readonly kind: 'elapsed'; readonly unit: ElapsedUnit; readonly mark?: Mark };

export interface WrittenTime {
  /**
   * µs since 1970: of UTC when the text says a zone, otherwise as a clock on the wall shows it. Of elapsed times: µs
   * since the start.
   */
  readonly time: Micros;
  readonly zoned: boolean;
}

/**
 * A date in any of the three orders, then perhaps a time behind "T" or blanks, with 0 to 9 fraction digits, and perhaps
 * AM or PM and a zone: ISO 8601, RFC 3339, and what spreadsheets and loggers write.
 */
const CALENDAR =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:T| +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[ \u00A0\u202F]?([AP])(?:M|\.[ \u00A0\u202F]?M\.))?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
/** "20150204T175100Z" and "20150204", and a month by its name: "Feb 4 2015 17:51", "4-Feb-2015". */
const COMPACT = /^((?:1[7-9]|2[0-2])\d{2})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(.*))?$/i;
const NAMED = /^(?:(\p{L}{3,10})\.? (\d{1,2}),? |(\d{1,2})[- .]+(\p{L}{3,10})\.?[- ])(\d{4})(.*)$/iu;

/** A date that is written in another form as one that `CALENDAR` takes, year first; other texts as they are. */
function inDigits(text: string): string {
  const compact = COMPACT.exec(text);
  if (compact) {
    const [, year, month, day, hours, minutes, seconds = '00', rest = ''] = compact;
    return `${year}-${month}-${day}${hours === undefined ? '' : `T${hours}:${minutes}:${seconds}${rest}`}`;
  }
  const named = NAMED.exec(text);
  if (!named) return text;
  const [, before, dayBehind, dayBefore, behind, year, rest = ''] = named;
  const name = before ?? behind ?? '';
  const month = monthOf(name);
  return month === null ? text : `${year}-${month}-${dayBehind ?? dayBefore}${rest}`;
}

const EPOCH = /^(-?\d+)(?:[.,](\d+))?$/;

/** Digits behind the decimal point that make microseconds of a unit. */
export const EPOCH_SHIFT: Record<EpochUnit, number> = { s: 6, ms: 3, µs: 0, ns: -3 };

/** Epoch units from the longest: a number belongs to the first whose numbers, from 1973 on, are as large. */
export const EPOCH_UNITS: readonly (readonly [EpochUnit, number])[] = [
  ['ns', 1e17],
  ['µs', 1e14],
  ['ms', 1e11],
  ['s', 1e8],
];

/** The unit that a number since 1970 is of by its size; null for small ones, which any may write. */
export function epochUnit(number: number): EpochUnit | null {
  return EPOCH_UNITS.find(([, least]) => Math.abs(number) >= least)?.[0] ?? null;
}

/** Reads a time, cut to the µs. Null where the text is not one in this format, or names a moment that no calendar has. */
export function readTime(text: string, format: TimeFormat): WrittenTime | null {
  switch (format.kind) {
    case 'calendar':
      return readCalendar(text, format.order, format.short);
    case 'epoch':
      return readEpoch(text, format);
    case 'elapsed':
      return readElapsed(text, format);
    case 'digits':
      return onWall(readDigits(text, format.form));
    case 'days':
      return onWall(readDays(text, format.since, format.mark ?? '.'));
  }
}

function onWall(time: Micros | null): WrittenTime | null {
  return time === null ? null : { time, zoned: false };
}

/** µs of a unit. */
export const ELAPSED_MICROS: Record<ElapsedUnit, number> = {
  ms: 1e3,
  s: 1e6,
  min: 60e6,
  h: 3600e6,
  d: DAY_MICROS,
};

function readElapsed(
  text: string,
  { unit, mark = '.' }: Extract<TimeFormat, { readonly kind: 'elapsed' }>,
): WrittenTime | null {
  const number = readEither(text, mark);
  if (number === null || !Number.isFinite(number)) return null;
  return { time: Math.round(number * ELAPSED_MICROS[unit]), zoned: true };
}

function readEpoch(
  text: string,
  { unit, only }: Extract<TimeFormat, { readonly kind: 'epoch' }>,
): WrittenTime | null {
  const match = EPOCH.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  if (only && (epochUnit(Number(whole)) ?? unit) !== unit) return null;
  const shift = EPOCH_SHIFT[unit];
  const digits = shift < 0 ? whole.slice(0, shift) : whole + fraction.padEnd(shift, '0').slice(0, shift);
  return { time: Number(digits) || 0, zoned: true };
}

function readCalendar(text: string, order: DateOrder, short = false): WrittenTime | null {
  const match = CALENDAR.exec(text) ?? (order === 'year-first' ? CALENDAR.exec(inDigits(text)) : null);
  if (!match) return null;
  const [
    ,
    first = '',
    ,
    second = '',
    third = '',
    hours,
    minutes = '0',
    seconds = '0',
    fraction = '',
    half,
    zone,
  ] = match;
  // "2015-02-04-17" is an hour for some and an offset for others.
  if (hours === undefined && zone !== undefined && /^[+-]\d\d$/.test(zone)) return null;
  const yearFirst = order === 'year-first';
  const yearText = yearFirst ? first : third;
  if (yearText.length !== (short ? 2 : 4) || (yearFirst ? third : first).length > 2) return null;
  const year = short ? fullYear(Number(yearText)) : Number(yearText);
  const month = Number(order === 'month-first' ? first : second);
  const day = Number(order === 'year-first' ? third : order === 'day-first' ? first : second);
  const hour = half === undefined ? Number(hours ?? 0) : hourOfHalf(Number(hours), half);
  const minute = Number(minutes);
  const second60 = Number(seconds);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // The end of a day is its 24:00 (ISO 8601).
  const isEnd = hour === 24 && minute === 0 && second60 === 0 && Number(fraction) === 0;
  if (hour < 0 || (hour > 23 && !isEnd) || minute > 59 || second60 > 59) return null;
  const offset = zone === undefined ? 0 : offsetMinutes(zone);
  if (offset === null) return null;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  const ms = moment.getTime() + ((hour * 60 + minute - offset) * 60 + second60) * 1000;
  return { time: ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)), zoned: zone !== undefined };
}

/** 12 AM is midnight and 12 PM is noon; -1 for hours that a 12-hour clock lacks. */
function hourOfHalf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return -1;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

/** Days of a month, 1 to 12. */
export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Minutes east of UTC of "Z", "UTC", "+02", "+0200" or "+02:00"; null for an offset that no clock has. */
function offsetMinutes(zone: string): number | null {
  const digits = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!digits) return 0;
  const [hours, minutes] = [Number(digits[2]), Number(digits[3] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (digits[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

const EIGHT_DIGITS = /^(?:1[7-9]|2[0-2])\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** Whether a text is a date without a time of day, such as "2015-02-04". */
export function isDateOnly(text: string): boolean {
  if (EIGHT_DIGITS.test(text)) return true;
  const match = CALENDAR.exec(text) ?? NAMED_DATE.exec(text);
  return match !== null && (match.length < 6 || match[5] === undefined);
}

/** A date with its month by name and no time of day. */
const NAMED_DATE = /^(?:\p{L}{3,10}\.? \d{1,2},? |\d{1,2}[- .]+\p{L}{3,10}\.?[- ])\d{4}$/iu;

/** Whether a text begins with a date, whatever its order. Digits alone are taken for none. */
export function isDate(text: string): boolean {
  return dateParts(text) !== null || (!/^\d+$/.test(text) && readCalendar(text, 'year-first') !== null);
}

/** Whether a text is a time of day without a date, such as "17:51:00". */
export function isTimeOfDay(text: string): boolean {
  return /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:[ \u00A0\u202F]?[AP](?:M|\.[ \u00A0\u202F]?M\.))?$/i.test(
    text,
  );
}

/** The numbers and separator of a date, for guessing their order; null for other texts. */
export function dateParts(text: string): {
  readonly first: number;
  readonly second: number;
  readonly separator: string;
  readonly yearFirst: boolean;
  readonly half: boolean;
  /** Whether its year has two digits, wherever it stands. */
  readonly short: boolean;
} | null {
  const match = CALENDAR.exec(text);
  if (!match) return null;
  const [, first = '', separator = '', second = '', third = ''] = match;
  const short = first.length <= 2 && third.length <= 2 && (first.length === 2 || third.length === 2);
  if (!short && first.length !== 4 && third.length !== 4) return null;
  return {
    short,
    first: Number(first),
    second: Number(second),
    separator,
    yearFirst: first.length === 4,
    half: match[9] !== undefined,
  };
}
