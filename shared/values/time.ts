/**
 * Instants are whole microseconds since 1970-01-01T00:00:00Z, negative before it. Every instant from 1684 to
 * 2255 is a safe integer, which covers what records may carry (1700 to 2200, docs/api.md, "How devices store data").
 */
export type Micros = number;

/** A span of time, both ends inclusive; an absent end reaches as far as there is data. */
export interface TimeRange {
  readonly start?: Micros;
  readonly end?: Micros;
}

/** `last_seen` of a device that has stored nothing (docs/api.md, "Fields": year 1, UTC). */
export const NEVER_SEEN = '0001-01-01T00:00:00Z';

/** The first and last instants a record may carry. */
export const FIRST_RECORD_TIME: Micros = Date.UTC(1700, 0, 1) * 1000;
export const LAST_RECORD_TIME: Micros = Date.UTC(2200, 11, 31, 23, 59, 59, 999) * 1000 + 999;

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Reads an ISO 8601 instant with `Z` or an offset and 0 to 9 fraction digits, cut to the microsecond.
 * Returns null when the text is not one, or names a day or an hour that does not exist.
 */
export function parseInstant(text: string): Micros | null {
  const read = readInstant(text);
  return read && read.ms * 1000 + read.micros;
}

/** Returns the instant in UTC with six fraction digits; null unless its year has four digits. */
export function canonicalInstant(text: string): string | null {
  const read = readInstant(text);
  if (!read) return null;
  const ms = read.ms + Math.floor(read.micros / 1000);
  const stamp = new Date(ms).toISOString();
  return stamp.length > 24 ? null : `${stamp.slice(0, -1)}${String(read.micros % 1000).padStart(3, '0')}Z`;
}

/** Whole ms since 1970 without a fraction of a second, and that fraction in µs. */
function readInstant(text: string): { readonly ms: number; readonly micros: number } | null {
  const match = ISO_INSTANT.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes] = match;
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  moment.setUTCHours(Number(hour), Number(minute), Number(second));
  const exists =
    moment.getUTCMonth() === Number(month) - 1 &&
    moment.getUTCDate() === Number(day) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59 &&
    Number(offsetHours ?? 0) <= 23 &&
    Number(offsetMinutes ?? 0) <= 59;
  if (!exists) return null;
  const offsetMs = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000;
  const utcMs = moment.getTime() - (sign === '-' ? -offsetMs : offsetMs);
  return { ms: utcMs, micros: Number(fraction.padEnd(6, '0').slice(0, 6)) };
}

/** Range of ISO 8601 with four digits of a year, ms. */
const FIRST_WRITABLE_MS = Date.UTC(2000, 0, 1) - 730_485 * 86_400_000;
const LAST_WRITABLE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Writes an instant as records carry it: UTC with six fraction digits, `2026-03-02T20:30:21.202946Z`. What lies outside
 * the years 0000 to 9999, which offsets reach, is written as their first or last instant.
 */
export function formatMicros(instant: Micros): string {
  if (instant < FIRST_WRITABLE_MS * 1000) return '0000-01-01T00:00:00.000000Z';
  if (instant >= (LAST_WRITABLE_MS + 1) * 1000) return '9999-12-31T23:59:59.999999Z';
  const ms = Math.floor(instant / 1000);
  // Outside the years 1684 to 2255 both terms are rounded.
  const micros = Math.min(Math.max(instant - ms * 1000, 0), 999);
  const minute = Math.floor(ms / 60_000);
  if (minute !== lastMinute) {
    lastMinute = minute;
    lastMinuteText = new Date(minute * 60_000).toISOString().slice(0, -'00.000Z'.length);
  }
  const [before, digits] = [lastMinuteText, String(1e8 + (ms - minute * 60_000) * 1000 + micros)];
  return `${before}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
}

/** The minute that was written last: what is written one after the other is often of one, and its digits take longest. */
let lastMinute = NaN;
let lastMinuteText = '';

/** Writes an instant as `created_at` carries it: UTC, whole seconds, `2026-01-15T10:30:00Z`. */
export function formatSeconds(instant: Micros): string {
  return `${new Date(Math.floor(instant / 1000)).toISOString().slice(0, 19)}Z`;
}
