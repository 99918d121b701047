/*
 * Which device of many is not like the others: by how far its level lies from the median of all levels, measured by their MAD,
 * the median of those distances. Neither is moved by what a few devices do
 * (https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h.htm).
 */

/** Fewer devices have no usual level. */
export const LEAST_DEVICES = 4;
/** From so many MADs on a device is unlike the others (docs/decisions.md, "The odd device of many is found by median and MAD"). */
export const UNLIKE_FROM = 8;
/**
 * Where more than half of the levels are the same the MAD is 0. Of normal values the mean distance is 0.7979 and the MAD
 * 0.6745 standard deviations, so that the one stands for the other.
 */
const MEAN_TO_MAD = 0.6745 / 0.7979;
/** Relative difference that the rounding of sums may leave. */
const ROUNDING = 1e-9;

export interface Comparison {
  readonly devices: number;
  readonly median: number;
  /** MAD, or what stands for it; 0 where all levels are the same. */
  readonly spread: number;
  /** Hours of the day that were compared; absent: the whole of it. */
  readonly hours?: number;
}

/** Distance of a device's level from the median. */
export interface Deviation {
  readonly difference: number;
  /** Its size in MADs. */
  readonly times: number;
  readonly isUnlike: boolean;
}

/** Compares levels; null where there are fewer than `LEAST_DEVICES`. */
export function compareLevels(levels: Iterable<number>): Comparison | null {
  const sorted = Float64Array.from(levels).toSorted();
  if (sorted.length < LEAST_DEVICES) return null;
  const median = middleOf(sorted);
  const distances = sorted.map((level) => Math.abs(differenceOf(level, median))).toSorted();
  const mad = middleOf(distances);
  const mean = distances.reduce((sum, distance) => sum + distance / distances.length, 0);
  return { devices: sorted.length, median, spread: mad > 0 ? mad : MEAN_TO_MAD * mean };
}

/** Returns how far a level is from those that were compared. */
export function deviationOf(level: number, { median, spread }: Comparison): Deviation {
  const difference = differenceOf(level, median);
  const times = difference === 0 ? 0 : Math.abs(difference) / spread;
  return { difference, times, isUnlike: times > UNLIKE_FROM };
}

export const middleOf = (sorted: Float64Array) =>
  (sorted[(sorted.length - 1) >> 1] ?? NaN) / 2 + (sorted[sorted.length >> 1] ?? NaN) / 2;

function differenceOf(level: number, median: number): number {
  const difference = level - median;
  return Math.abs(difference) <= ROUNDING * Math.abs(median) ? 0 : difference;
}
