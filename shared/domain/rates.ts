import type { Micros } from '../values/time.ts';

/*
 * Differences of a counter from one number to the next, per time. A counter that falls has wrapped, or it began anew; what passed
 * when it began anew is not known, so nothing is said of it. The page reckons them of records that it has, the service of more.
 */

/** What a fall means: that the counter wrapped at so many, that it began anew, or that it is no counter and fell. */
export type Falls = number | 'reset' | 'fall';

export interface Rate {
  readonly per: PerTime;
  readonly falls: Falls;
}

export const PERS = ['s', 'min', 'h', 'd'] as const;
export type PerTime = (typeof PERS)[number];

/** µs of each unit of time. */
const SPANS: Readonly<Record<PerTime, Micros>> = { s: 1e6, min: 60e6, h: 3_600e6, d: 86_400e6 };

/** A fall is a wrap only where what is counted on past the end is less than this share of all that it counts. */
const MOST_OF_A_WRAP = 0.5;

/** Whether a counter may wrap at so many. */
export const isWrap = (wrap: number) => Number.isSafeInteger(wrap) && wrap >= 2;

/** From one number of a counter to the next; null where it began anew. */
export function increaseOf(before: number, after: number, falls: Falls): number | null {
  if (after >= before || falls === 'fall') return after - before;
  if (falls === 'reset' || after < 0 || before >= falls) return null;
  const onward = after - before + falls;
  return onward < falls * MOST_OF_A_WRAP ? onward : null;
}

/** Differences of one key, number by number in the order of time. */
export class Differences {
  /** How often the counter wrapped, and began anew, so far. */
  wraps = 0;
  resets = 0;
  readonly #falls: Falls;
  readonly #span: Micros;
  #before = Number.NaN;
  #since: Micros = Number.NaN;

  constructor({ per, falls }: Rate) {
    this.#falls = falls;
    this.#span = SPANS[per];
  }

  /**
   * Returns the difference per time from the number before to this one; NaN where there is none: at the first number, where it
   * began anew, at one instant, in which nothing passes, and where it is beyond all numbers.
   */
  next(time: Micros, value: number): number {
    const [before, since] = [this.#before, this.#since];
    this.#before = value;
    this.#since = time;
    if (Number.isNaN(before)) return Number.NaN;
    const increase = increaseOf(before, value, this.#falls);
    if (increase === null) {
      this.resets++;
      return Number.NaN;
    }
    if (value < before && this.#falls !== 'fall') this.wraps++;
    if (time <= since) return Number.NaN;
    const rate = increase * (this.#span / (time - since));
    return Number.isFinite(rate) ? rate : Number.NaN;
  }
}
