import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

/** Around an instant there is this much to see, µs; around a span a tenth of it on each side. */
const AROUND_US = 30 * 60e6;

/** A window with a correction's span in its middle; null where the span has an open end: all is shown then. */
export function windowOf({ from, to, until }: ShownCorrection): TimeSpan | null {
  const [start, end] = [parseInstant(from ?? until ?? ''), parseInstant(to ?? until ?? '')];
  if (start === null || end === null) return null;
  const margin = end > start ? Math.ceil((end - start) / 10) : AROUND_US;
  return { from: start - margin, to: end + margin };
}
