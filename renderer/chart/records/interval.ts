import type { ColumnView } from './columns.ts';

/*
 * How long usually passes between a key's number and its next one: the median over all records that were loaded, not over
 * those that a window shows, so that a break in a line stays one while a technician zooms. The service says it of records
 * that are not loaded (core/store/blocks/series/interval.ts).
 */

/** Intervals that a median is taken of; of more, as many are picked at random places. */
const MOST_INTERVALS = 4_096;

/** The usual interval of each key in µs; null where it has no two numbers at different times. */
export function usualIntervals({ timestamps, columns }: ColumnView): readonly (number | null)[] {
  return columns.map((column) => medianInterval(timestamps, column));
}

/** Share of the rows there were by which there have to be more before intervals are taken anew: fewer move no median by much. */
const GROWN = 1 / 16;

/** The same of rows that grow and that are looked at with each. */
export class GrowingIntervals {
  #rows = 0;
  #known: readonly (number | null)[] = [];

  of(view: ColumnView): readonly (number | null)[] {
    const { length } = view.timestamps;
    if (length < this.#rows || length - this.#rows > this.#rows * GROWN) {
      this.#rows = length;
      this.#known = usualIntervals(view);
    }
    return this.#known;
  }
}

function medianInterval(timestamps: Float64Array, column: Float64Array): number | null {
  const intervals: number[] = [];
  const stride = Math.max(1, column.length / MOST_INTERVALS);
  const random = randomSteps(stride);
  let before = Number.NaN;
  let next = 0;
  for (let row = 0; row < column.length; row++) {
    if (Number.isNaN(column[row])) continue;
    const time = timestamps[row] ?? 0;
    const interval = time - before;
    before = time;
    // At one instant nothing passes. NaN at the first number.
    if (!(interval > 0) || row < next) continue;
    intervals.push(interval);
    next = row + random();
  }
  const sorted = Float64Array.from(intervals).toSorted();
  return sorted[(sorted.length - 1) >> 1] ?? null;
}

/** Whole steps of 1 to 2 × `mean`, always the same ones: even steps would see one moment of what recurs, such as bursts. */
function randomSteps(mean: number): () => number {
  let state = 1;
  return () => {
    // Numerical Recipes' generator, whose upper bits are good enough for this.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return mean <= 1 ? 1 : 1 + Math.floor((state / 2 ** 32) * 2 * (mean - 1));
  };
}
