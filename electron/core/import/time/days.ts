import type { Micros } from '#shared/values/time.ts';
import { readEither, type Mark } from '../text/number-text.ts';

/** Which day a spreadsheet counts from: 1899-12-30, or 1904-01-01 on an old Mac. */
export type DayCount = '1900' | '1904';

export const FIRST_DAYS: Record<DayCount, string> = { 1900: '1899-12-30', 1904: '1904-01-01' };

export const DAY_MICROS = 86_400e6;
/** The day's times that people and loggers write, from the roundest: minutes, seconds, milliseconds. */
const ROUND_MICROS = [60e6, 1e6, 1e3];
/** A double rounds the last digit, too. */
const HALF = 0.501;

/** Reads a number of days as µs since 1970. Few digits write it: of all times that it may mean, it is the roundest. */
export function readDays(text: string, since: DayCount, mark: Mark): Micros | null {
  const number = readEither(text, mark);
  if (number === null || !Number.isFinite(number)) return null;
  const exact = number * DAY_MICROS;
  const digits = /[.,](\d+)$/.exec(text)?.[1]?.length ?? 0;
  const within = (DAY_MICROS / 10 ** digits) * HALF;
  const round =
    digits === 0 ? 1 : ROUND_MICROS.find((unit) => Math.abs(exact - nearest(exact, unit)) <= within);
  return Date.parse(FIRST_DAYS[since]) * 1000 + nearest(exact, round ?? 1);
}

function nearest(number: number, unit: number): number {
  return Math.round(number / unit) * unit;
}

/** Whether texts are days with so many decimals that they are times to the second; meters of that size have fewer. */
export function areFineDays(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^[2-7]\d{4}[.,]\d{5,}$/.test(text));
}

/** 1954 to 2118, as a spreadsheet counts them. */
const [LEAST, MOST] = [20_000, 80_000];

/** Whether numbers look like days of a spreadsheet: all of these years, and never back by more than a day. */
export function looksLikeDays(numbers: readonly number[]): boolean {
  return (
    numbers.length > 0 &&
    numbers.every(
      (number, row) => number >= LEAST && number < MOST && number > (numbers[row - 1] ?? -Infinity) - 1,
    )
  );
}
