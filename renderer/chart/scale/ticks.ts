import type { Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';

/* Where the axes of a picture have their labels. */

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** µs, up to half a day; longer steps follow the calendar. */
const CLOCK_STEPS = [
  1e3,
  2e3,
  5e3,
  10e3,
  20e3,
  50e3,
  100e3,
  200e3,
  500e3,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
];
const DAY_STEPS = [1, 2, 4, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

export interface Ticks {
  /** Of time in ms, of values as they are. */
  readonly at: readonly number[];
  readonly step: number;
}

/** At most so many instants of a window that are round on the clock or in the calendar of a zone; in ms. */
export function timeTicks({ from, to }: TimeSpan, most: number, zone: Zone): Ticks {
  const least = (to - from) / Math.max(1, most);
  const step = CLOCK_STEPS.find((one) => one >= least);
  if (step !== undefined) return clockTicks({ from, to }, step, zone);
  const days = DAY_STEPS.find((one) => one * DAY >= least);
  if (days !== undefined) return calendarTicks({ from, to }, { days }, zone);
  const months = MONTH_STEPS.find((one) => one * 30.44 * DAY >= least) ?? 2400;
  return calendarTicks({ from, to }, { months }, zone);
}

function clockTicks({ from, to }: TimeSpan, step: number, zone: Zone): Ticks {
  const shift = zone === 'utc' ? 0 : -new Date(from / 1000).getTimezoneOffset() * MINUTE;
  const at: number[] = [];
  for (let tick = Math.ceil((from + shift) / step) * step - shift; tick <= to; tick += step)
    at.push(tick / 1000);
  return { at, step: step / 1000 };
}

/** Midnights: every so many days, or of the first of every so many months. */
function calendarTicks(
  { from, to }: TimeSpan,
  { days = 1, months = 0 }: { readonly days?: number; readonly months?: number },
  zone: Zone,
): Ticks {
  const isUtc = zone === 'utc';
  const first = new Date(from / 1000);
  const year = isUtc ? first.getUTCFullYear() : first.getFullYear();
  const month = isUtc ? first.getUTCMonth() : first.getMonth();
  const day = isUtc ? first.getUTCDate() : first.getDate();
  const instantOf = (step: number) => {
    const beginning = months === 0 ? month : Math.floor((year * 12 + month) / months) * months - year * 12;
    const fields = [
      year,
      months === 0 ? month : beginning + step * months,
      months === 0 ? day + step * days : 1,
    ] as const;
    return isUtc ? Date.UTC(...fields) : new Date(...fields).getTime();
  };
  const at: number[] = [];
  for (let step = 0; ; step++) {
    const instant = instantOf(step);
    if (!(instant <= to / 1000)) break;
    if (instant >= from / 1000) at.push(instant);
  }
  return { at, step: DAY / 1000 };
}

/** At most about so many round values of an axis. */
export function valueTicks(low: number, high: number, most: number): Ticks {
  const least = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((one) => one >= least) ?? 10 * power;
  const at: number[] = [];
  const first = Math.ceil(low / step);
  for (let n = first; n * step <= high && at.length <= 2 * most; n++)
    // Three times 0.1 is to be 0.3.
    at.push(Number((n * step).toPrecision(12)));
  return { at, step };
}
