/** Numbers for people. Values of records are never formatted here: they show as they are. */

import { countOf, formatCount } from '#shared/values/counts.ts';

export { countOf, formatCount };

/** Letters of a text that a cell of a table has use for: laying out 65,536 of them in each keeps a window busy. */
const MOST_LETTERS = 200;

/** The beginning of a text that is longer than is worth showing; never half a character. */
export function shortened(text: string, most: number = MOST_LETTERS): string {
  if (text.length <= most) return text;
  const begin = text.slice(0, most);
  return `${/[\uD800-\uDBFF]$/.test(begin) ? begin.slice(0, -1) : begin}…`;
}

/** Letters of a key's end, in which keys differ: `plant.line3.press.temperature`. */
const KEY_END = 10;

/** The name of a key in at most so many letters and a mark: cut in the middle, and never half a character. */
export function shortenedKey(name: string, most: number): string {
  if (name.length <= most) return name;
  const end = name.slice(-KEY_END);
  return shortened(name, most - KEY_END) + (/^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** `715 KB`: powers of 1,000, three digits at most. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  if (unit === 0) return countOf(Math.round(size), 'byte');
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const SECOND_US = 1_000_000;
const DAY_US = 86_400 * SECOND_US;

/** A length of time in µs: `3 ms`, `30 s`, `2 h 5 min`, `12 days`. */
export function formatSpan(micros: number): string {
  if (micros < 1_000) return `${Math.round(micros)} µs`;
  if (micros < SECOND_US) return `${Math.round(micros / 1_000)} ms`;
  return micros < 2 * DAY_US ? formatDuration(micros / SECOND_US) : `${Math.round(micros / DAY_US)} days`;
}
