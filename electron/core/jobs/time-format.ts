import type { Micros } from '#shared/time.ts';

/** Order of the numbers of a date; a year first has four digits. */
export type DateOrder = 'year-first' | 'day-first' | 'month-first';
export type EpochUnit = 's' | 'ms' | 'µs' | 'ns';

/** How a column writes its times. */
export type TimeFormat =
  | { readonly kind: 'calendar'; readonly order: DateOrder }
  | { readonly kind: 'epoch'; readonly unit: EpochUnit };

export interface WrittenTime {
  /** µs since 1970: of UTC when the text says a zone, otherwise as a clock on the wall shows it. */
  readonly time: Micros;
  readonly zoned: boolean;
}

/**
 * A date in any of the three orders, then perhaps a time behind "T" or blanks, with 0 to 9 fraction digits, and perhaps
 * AM or PM and a zone: ISO 8601, RFC 3339, and what spreadsheets and loggers write.
 */
const CALENDAR =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:T| +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AP])M)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
const EPOCH = /^(-?\d+)(?:\.(\d+))?$/;

/** Digits behind the decimal point that make microseconds of a unit. */
const EPOCH_SHIFT: Record<EpochUnit, number> = { s: 6, ms: 3, µs: 0, ns: -3 };

/** Reads a time, cut to the µs. Null where the text is not one in this format, or names a moment that no calendar has. */
export function readTime(text: string, format: TimeFormat): WrittenTime | null {
  return format.kind === 'epoch' ? readEpoch(text, format.unit) : readCalendar(text, format.order);
}

function readEpoch(text: string, unit: EpochUnit): WrittenTime | null {
  const match = EPOCH.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  const shift = EPOCH_SHIFT[unit];
  const digits = shift < 0 ? whole.slice(0, shift) : whole + fraction.padEnd(shift, '0').slice(0, shift);
  return { time: Number(digits) || 0, zoned: true };
}

function readCalendar(text: string, order: DateOrder): WrittenTime | null {
  const match = CALENDAR.exec(text);
  if (!match) return null;
  const [
    ,
    first = '',
    ,
    second = '',
    third = '',
    hours = '0',
    minutes = '0',
    seconds = '0',
    fraction = '',
    half,
    zone,
  ] = match;
  const yearFirst = order === 'year-first';
  if ((yearFirst ? first : third).length !== 4 || (yearFirst ? third : first).length > 2) return null;
  const year = Number(yearFirst ? first : third);
  const month = Number(order === 'month-first' ? first : second);
  const day = Number(order === 'year-first' ? third : order === 'day-first' ? first : second);
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  const minute = Number(minutes);
  const second60 = Number(seconds);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour < 0 || hour > 23 || minute > 59 || second60 > 59) return null;
  const offset = zone === undefined ? 0 : offsetMinutes(zone);
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

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Minutes east of UTC of "Z", "UTC", "+02", "+0200" or "+02:00". */
function offsetMinutes(zone: string): number {
  const digits = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!digits) return 0;
  const minutes = Number(digits[2]) * 60 + Number(digits[3] ?? 0);
  return digits[1] === '-' ? -minutes : minutes;
}

/** Whether a text is a date without a time of day, such as "2015-02-04". */
export function isDateOnly(text: string): boolean {
  const match = CALENDAR.exec(text);
  return match !== null && match[5] === undefined;
}

/** Whether a text is a time of day without a date, such as "17:51:00". */
export function isTimeOfDay(text: string): boolean {
  return /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AP]M)?$/i.test(text);
}

/** The numbers and separator of a date, for guessing their order; null for other texts. */
export function dateParts(text: string): {
  readonly first: number;
  readonly second: number;
  readonly separator: string;
  readonly yearFirst: boolean;
  readonly half: boolean;
} | null {
  const match = CALENDAR.exec(text);
  if (!match) return null;
  const [, first = '', separator = '', second = '', third = ''] = match;
  if (first.length !== 4 && third.length !== 4) return null;
  return {
    first: Number(first),
    second: Number(second),
    separator,
    yearFirst: first.length === 4,
    half: match[9] !== undefined,
  };
}
