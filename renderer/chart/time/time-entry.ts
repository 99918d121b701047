import type { Micros } from '#shared/values/time.ts';
import type { Zone } from '../../time.ts';

/*
 * A time as people type it. Where only a day is said, a beginning means its first instant and an end its last one, so that
 * "from yesterday to yesterday" is a day.
 */

export const TIME_ENTRY_RULE =
  'Takes a date (2026-11-19), a date and time (2026-11-19 18:00), a time of today (18:00), “now”, “today”, “yesterday 18:00”, or how long ago (-90s, -30m, -6h, -7d, -2w).';

const UNITS: Readonly<Record<string, number>> = {
  s: 1e6,
  m: 60e6,
  min: 60e6,
  h: 3_600e6,
  d: 86_400e6,
  w: 604_800e6,
};

const AGO = /^(?:now\s*)?[-−]\s*(\d{1,6}(?:\.\d{1,3})?)\s*(s|m|min|h|d|w)$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?$/;
const DAY_OF = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const OFFSET = /\s*(z|utc|[+-]\d{2}:?\d{2})$/;

interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** A time of day in µs since midnight. */
type Clock = number;

export interface EntryContext {
  readonly now: Micros;
  /** Whose days and clocks are meant where nothing says it. */
  readonly zone: Zone;
  readonly side: 'from' | 'to';
}

/** Reads a time that somebody typed, in µs; null where it is none. */
export function parseTimeEntry(entry: string, { now, zone, side }: EntryContext): Micros | null {
  const text = entry.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (text === 'now') return now;
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined)
    return now - Math.round(Number(amount) * (UNITS[unit] ?? 0));
  const [offset] = OFFSET.exec(text) ?? [];
  // "2026-11-19" ends as an offset does, and is none.
  const isOffset =
    offset !== undefined && (/[zc]/.test(offset) || /\d:\d{2}/.test(text.slice(0, -offset.length)));
  const said = isOffset ? text.slice(0, -offset.length) : text;
  const [first = '', ...rest] = said.split(/[ t](?=\d{1,2}:)/);
  if (rest.length > 1) return null;
  const clock = rest[0] === undefined ? null : clockOf(rest[0]);
  if (rest[0] !== undefined && clock === null) return null;
  const alone = clockOf(first);
  if (alone !== null && rest.length === 0)
    return instantOf(dayAt(now, zone, 0), alone, zone, isOffset ? offset : null);
  const day = dayOf(first, now, zone);
  if (day === null) return null;
  if (clock !== null) return instantOf(day, clock, zone, isOffset ? offset : null);
  const start = instantOf(day, 0, zone, isOffset ? offset : null);
  if (start === null || side === 'from') return start;
  const next = instantOf(dayAfter(day), 0, zone, isOffset ? offset : null);
  return next === null ? null : next - 1;
}

/** How long "the last 6h" is, in µs, where an entry says so; null where it says something else. */
export function parseAgo(entry: string): number | null {
  const [, amount, unit] = AGO.exec(entry.trim().toLowerCase()) ?? [];
  return amount === undefined || unit === undefined ? null : Math.round(Number(amount) * (UNITS[unit] ?? 0));
}

function clockOf(text: string): Clock | null {
  const [, hours, minutes, seconds = '0', fraction = ''] = CLOCK.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const isValid = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  if (!isValid) return null;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1e6 + Number(fraction.padEnd(6, '0'));
}

function dayOf(text: string, now: Micros, zone: Zone): Day | null {
  if (text === 'today') return dayAt(now, zone, 0);
  if (text === 'yesterday') return dayAt(now, zone, -1);
  const [, year, month, day] = DAY_OF.exec(text) ?? [];
  if (year === undefined) return null;
  const said = { year: Number(year), month: Number(month), day: Number(day) };
  const date = utcDate(said);
  const isReal = date.getUTCMonth() + 1 === said.month && date.getUTCDate() === said.day;
  return isReal ? said : null;
}

/** The day of an instant, and so many after it. */
function dayAt(instant: Micros, zone: Zone, later: number): Day {
  const date = new Date(Math.floor(instant / 1000));
  const fields =
    zone === 'utc'
      ? { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
      : { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
  return later === 0 ? fields : dayAfter(fields, later);
}

function dayAfter(day: Day, later = 1): Day {
  const date = utcDate({ ...day, day: day.day + later });
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** `Date.UTC` would read the year 50 as 1950. */
function utcDate({ year, month, day }: Day): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** A clock that daylight saving skips means the instant as long after midnight as it says, as clocks are put forward. */
function instantOf(day: Day, clock: Clock, zone: Zone, offset: string | null): Micros | null {
  const utc = utcDate(day).getTime() * 1000 + clock;
  if (offset !== null) return utc - offsetOf(offset);
  if (zone === 'utc') return utc;
  const ms = Math.floor(clock / 1000);
  const local = new Date(2000, 0, 1);
  local.setFullYear(day.year, day.month - 1, day.day);
  local.setHours(0, 0, 0, ms);
  const instant = local.getTime() * 1000 + (clock - ms * 1000);
  return Number.isNaN(instant) ? null : instant;
}

/** In µs. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60e6;
}
