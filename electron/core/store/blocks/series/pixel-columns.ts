import type { Micros } from '#shared/values/time.ts';
import { lowerBound } from '../../../../../shared/values/lower-bound.ts';

/* The columns of a picture by the instants at which they start (shared/values/pixel-columns.ts). */

export function nextStart(starts: Float64Array, column: number): Micros {
  return column + 1 < starts.length ? starts[column + 1]! : Infinity;
}

/** The column of an instant that is not before column `least`. */
export function columnAt(starts: Float64Array, time: Micros, least: number): number {
  if (time < nextStart(starts, least)) return least;
  if (time < nextStart(starts, least + 1)) return least + 1;
  return lowerBound(starts, least + 1, starts.length, time + 1) - 1;
}
