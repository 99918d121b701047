import type { Micros } from '#shared/values/time.ts';

/** A silence of more than so many of the usual intervals is a gap, as a chart breaks its lines there. */
const PAUSE_FACTOR = 10;

/** Returns how long a silence is no gap yet, in µs: as the settings of a key say, or by its usual interval; null where neither does. */
export function pauseOf(longest_gap_s: number | null, interval: Micros): Micros | null {
  if (longest_gap_s !== null) return longest_gap_s * 1e6;
  return Number.isNaN(interval) ? null : interval * PAUSE_FACTOR;
}
