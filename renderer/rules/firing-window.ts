import { parseInstant, type Micros } from '#shared/values/time.ts';
import type { TimeSpan } from '../chart/time/window.ts';

interface Spanned {
  readonly start: string;
  readonly end: string | null;
}

/** On each side of a firing there is this much to see, µs, or a quarter of it. */
const LEAST_AROUND_US = 30 * 60e6;
const AROUND = 0.25;

/** The stretch of the chart around a firing or an alarm; one that holds reaches to now. */
export function windowAround({ start, end }: Spanned, now: Micros): TimeSpan {
  const from = parseInstant(start) ?? now;
  const to = Math.max(from, (end === null ? null : parseInstant(end)) ?? now);
  const around = Math.max(LEAST_AROUND_US, Math.ceil((to - from) * AROUND));
  return { from: from - around, to: to + around };
}
