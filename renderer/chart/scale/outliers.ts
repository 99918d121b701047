import type { Bounds } from '../records/columns.ts';
import type { Picture } from '../draw/picture.ts';
import { rowsIn } from '../records/far-off.ts';
import type { TimeSpan } from '../time/window.ts';

/*
 * What nearly all numbers of a window reach over. A faulty sensor's 999s are seldom few enough for a fixed percentile (an
 * hour of them in a week is more than half a percent), so more is left out as long as that alone frees most of the height.
 */

/** Shares that are left out at either end, in turn. */
const SHARES = [0.005, 0.01, 0.02];
/** Leaving out more has to free this share of the height, or it is no matter of outliers. */
const WORTH = 0.8;
/** Numbers that a percentile is taken of; of more, as many evenly. */
const MOST_NUMBERS = 8_192;

/** What nearly all of the numbers reach over; min > max without any. Sorts them. */
export function robustBounds(numbers: Float64Array): Bounds {
  const sorted = numbers.toSorted();
  let bounds = { min: percentile(sorted, SHARES[0] ?? 0), max: percentile(sorted, 1 - (SHARES[0] ?? 0)) };
  if (sorted.length === 0) return { min: Infinity, max: -Infinity };
  for (const share of SHARES.slice(1)) {
    const closer = { min: percentile(sorted, share), max: percentile(sorted, 1 - share) };
    const isWorth = closer.max - closer.min < (bounds.max - bounds.min) * (1 - WORTH);
    if (isWorth && closer.min < closer.max) bounds = closer;
  }
  return bounds;
}

const BINS = 10;
/** Neighbouring bins that hold whatever reaches over less than two of them. */
const HOLD_TWO = 3;

/**
 * Whether nearly all numbers may lie within a fifth of what an axis reaches over; where it says no, no few of them press the others flat.
 * Takes no sorting.
 */
export function mayBePressed(numbers: Float64Array, { min, max }: Bounds): boolean {
  const perBin = BINS / (max - min);
  if (!(perBin > 0 && perBin < Infinity)) return true;
  const counts = new Uint32Array(BINS);
  for (const value of numbers) {
    const bin = Math.max(0, Math.min(BINS - 1, Math.floor((value - min) * perBin)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  // As many lie between the percentiles at least, whatever lies between two ranks.
  const least = numbers.length * (1 - 2 * Math.max(...SHARES)) - 2;
  for (let bin = 0; bin + HOLD_TWO <= BINS; bin++)
    if (counts.subarray(bin, bin + HOLD_TWO).reduce((sum, count) => sum + count, 0) >= least) return true;
  return false;
}

/** Of ascending numbers, between the two nearest ranks; NaN without any. */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  const part = rank - Math.floor(rank);
  // Parts of both, because the difference of two doubles may be none; which may be rounded past either.
  return Math.min(above, Math.max(below, below * (1 - part) + above * part));
}

const NO_NUMBERS = new Float64Array();

/** Numbers of a line in a window, evenly taken: the records', or the first and last of each column of pixels. */
export function numbersIn(picture: Picture, line: number, window: TimeSpan): Float64Array {
  const found: number[] = [];
  if (picture.kind === 'series') {
    const { counts, first, last, firstTimes, lastTimes } = picture.series.keys[line] ?? {};
    for (const [column, count] of (counts ?? []).entries()) {
      if (count === 0 || (firstTimes?.[column] ?? 0) < window.from || (lastTimes?.[column] ?? 0) > window.to)
        continue;
      found.push(first?.[column] ?? 0);
      if (count > 1) found.push(last?.[column] ?? 0);
    }
    return Float64Array.from(found);
  }
  const { timestamps, columns } = picture.view;
  const rows = rowsIn(timestamps, window);
  const column = columns[line] ?? NO_NUMBERS;
  const stride = Math.max(1, (rows.end - rows.first) / MOST_NUMBERS);
  if (stride === 1) return column.subarray(rows.first, rows.end).filter((value) => !Number.isNaN(value));
  for (let at = rows.first; at < rows.end; at += stride) {
    const value = column[Math.floor(at)] ?? Number.NaN;
    if (!Number.isNaN(value)) found.push(value);
  }
  return Float64Array.from(found);
}
