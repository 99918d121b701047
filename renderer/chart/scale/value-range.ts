import uPlot from 'uplot';

/** Numbers beyond are drawn as if they were this: the span of an axis has to be a number itself. */
const LARGEST_DRAWN = 8e307;

/** uPlot takes numbers for equal whose span is smaller than this share of the largest. */
const UPLOT_FLAT = 1e-10;
/** They are when they differ by no more than the rounding of a calculation. */
const FLAT = 1e-13;
const PAD = 0.1;

/** The span of an axis for numbers from `min` to `max`; null for an axis without any. */
export function valueRange(min: number | null, max: number | null): [number | null, number | null] {
  if (min === null || max === null) return [null, null];
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const isFlatForUPlot = max - min < largest * UPLOT_FLAT;
  const isFlat = max - min < largest * FLAT;
  if (largest < LARGEST_DRAWN / 10 && (isFlat || !isFlatForUPlot)) return uPlot.rangeNum(min, max, PAD, true);
  // A tenth of each: their difference may be no number.
  const room = isFlat ? held(largest) * PAD : max * PAD - min * PAD;
  return [held(held(min) - room), held(held(max) + room)];
}

/** The number, or the largest that is drawn in its place. */
export function held(value: number): number {
  return Math.max(-LARGEST_DRAWN, Math.min(LARGEST_DRAWN, value));
}
