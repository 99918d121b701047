import { Differences, type Falls, type PerTime, type Rate } from '#shared/domain/rates.ts';

/* Differences per time of the records at hand, and what a counter is likely to be. */

/** Names of the units of time. */
export const PER_TIMES: readonly { readonly value: PerTime; readonly label: string }[] = [
  { value: 's', label: 'second' },
  { value: 'min', label: 'minute' },
  { value: 'h', label: 'hour' },
  { value: 'd', label: 'day' },
];

/** Differences per time at the records where they end; NaN where there is none. */
export interface Rates {
  readonly values: Float64Array;
  /** Rows at which the counter wrapped, and at which it began anew. */
  readonly wraps: readonly number[];
  readonly resets: readonly number[];
}

/** Of a key's numbers (NaN: none), ascending in time (µs). */
export function ratesOf(timestamps: Float64Array, column: Float64Array, rate: Rate): Rates {
  const values = new Float64Array(column.length).fill(Number.NaN);
  const [wraps, resets]: [number[], number[]] = [[], []];
  const differences = new Differences(rate);
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    values[row] = differences.next(timestamps[row] ?? 0, value);
    if (differences.wraps > wraps.length) wraps.push(row);
    if (differences.resets > resets.length) resets.push(row);
  }
  return { values, wraps, resets };
}

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
