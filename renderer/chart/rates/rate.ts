/*
 * The difference of a counter from one record to the next, per time. A counter that falls has wrapped, or it began anew;
 * what passed when it began anew is not known, so nothing is said of it.
 */

/** What a fall means: that the counter wrapped at so many, that it began anew, or that it is no counter and fell. */
export type Falls = number | 'reset' | 'fall';

export interface Rate {
  readonly per: PerTime;
  readonly falls: Falls;
}

export const PER_TIMES = [
  { value: 's', label: 'second', span: 1e6 },
  { value: 'min', label: 'minute', span: 60e6 },
  { value: 'h', label: 'hour', span: 3_600e6 },
  { value: 'd', label: 'day', span: 86_400e6 },
] as const;
export type PerTime = (typeof PER_TIMES)[number]['value'];

/** µs of a unit of time. */
const spanOf = (per: PerTime) => PER_TIMES.find(({ value }) => value === per)?.span ?? Number.NaN;

/** A fall is a wrap only where what is counted on past the end is less than this share of all that it counts. */
const MOST_OF_A_WRAP = 0.5;

/** From one number of a counter to the next; null where it began anew. */
export function increaseOf(before: number, after: number, falls: Falls): number | null {
  if (after >= before || falls === 'fall') return after - before;
  if (falls === 'reset' || after < 0 || before >= falls) return null;
  const onward = after - before + falls;
  return onward < falls * MOST_OF_A_WRAP ? onward : null;
}

/** Differences per time at the records where they end; NaN where there is none. */
export interface Rates {
  readonly values: Float64Array;
  /** Rows at which the counter wrapped, and at which it began anew. */
  readonly wraps: readonly number[];
  readonly resets: readonly number[];
}

/** Of a key's numbers (NaN: none), ascending in time (µs). At one instant nothing passes, so nothing is said per time. */
export function ratesOf(timestamps: Float64Array, column: Float64Array, { per, falls }: Rate): Rates {
  const values = new Float64Array(column.length).fill(Number.NaN);
  const [wraps, resets]: [number[], number[]] = [[], []];
  const span = spanOf(per);
  let before = Number.NaN;
  let since = Number.NaN;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const at = timestamps[row] ?? Number.NaN;
    if (!Number.isNaN(before)) {
      const increase = increaseOf(before, value, falls);
      if (increase === null) resets.push(row);
      else {
        if (value < before && falls !== 'fall') wraps.push(row);
        if (at > since) values[row] = increase * (span / (at - since));
      }
    }
    [before, since] = [value, at];
  }
  return { values, wraps, resets };
}

/** Whether a counter may wrap at so many. */
export const isWrap = (wrap: number) => Number.isSafeInteger(wrap) && wrap >= 2;

/** As many as counters usually count before they wrap: of so many bits, or of so many digits of a meter. */
const USUAL_WRAPS = [2 ** 8, 2 ** 16, 2 ** 24, 2 ** 32, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9].toSorted(
  (a, b) => a - b,
);
const COUNTERS = [2 ** 16, 2 ** 32];
/** A counter that wrapped has been seen this near to its end. */
const NEAR = 0.98;

/** The least number at which a counter that reached `largest` may wrap. */
export function likelyWrap(largest: number): number {
  return USUAL_WRAPS.find((wrap) => wrap > largest) ?? 2 ** 53;
}

/** What a fall of a key probably means that reached `largest`: a counter of 16 or 32 bits wraps. */
export function likelyFalls(largest: number): Falls {
  return COUNTERS.find((wrap) => largest < wrap && largest >= wrap * NEAR) ?? 'reset';
}

/** `energy per h`. */
export const rateLabel = (name: string, { per }: Rate) => `${name} per ${per}`;

/** `kWh/h`; `/h` of a key without a unit. */
export const rateUnit = (unit: string, { per }: Rate) => `${unit}/${per}`;
