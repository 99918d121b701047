import { formatDuration } from '../../format.ts';

/* Durations as people type and read them, in seconds. */

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
};
const PART = /(\d+(?:[.,]\d+)?)\s*([a-z]*)/gy;

/** Reads `90`, `90 s`, `1.5 h` or `2 h 5 min`; a number alone means seconds. Null for anything else. */
export function parseDuration(text: string): number | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return null;
  let seconds = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < wanted.length) {
    const [, number = '', unit = ''] = PART.exec(wanted) ?? [];
    const size = unit === '' ? 1 : UNITS[unit];
    if (number === '' || size === undefined) return null;
    seconds += Number(number.replace(',', '.')) * size;
    while (wanted[PART.lastIndex] === ' ') PART.lastIndex++;
  }
  return Number(seconds.toPrecision(12));
}

/** `3 min 20 s`; what whole seconds cannot say stays a number of them: `0.25 s`. */
export function durationText(seconds: number): string {
  const words = formatDuration(seconds).replace(/ 0 (s|min)$/, '');
  return parseDuration(words) === seconds ? words : `${seconds} s`;
}

const DAY_S = 86_400;
const YEAR_S = 31_557_600;

/** A length of time in one or two units. */
export function roughDuration(seconds: number): string {
  if (seconds >= 2 * YEAR_S) return `${(seconds / YEAR_S).toFixed(1)} years`;
  if (seconds >= 2 * DAY_S) return `${(seconds / DAY_S).toFixed(1)} days`;
  if (seconds >= 10) return durationText(Math.round(seconds));
  if (seconds >= 1) return `${Number(seconds.toFixed(2))} s`;
  return `${Number((seconds * 1000).toPrecision(3))} ms`;
}
