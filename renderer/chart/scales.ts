import type { Bounds } from './columns.ts';
import { formatClock, formatDay } from '../time.ts';

/** The most axes that stand beside a chart; further keys share the last one. */
const MOST_SCALES = 4;
/** Keys share an axis while that leaves each at least this share of the height. */
const SMALLEST_SHARE = 0.2;

/**
 * Puts keys on axes: the scale's number per key. Temperatures share one; a CO₂ level of 700 beside them gets its own,
 * because it would press them flat.
 */
export function groupScales(bounds: readonly Bounds[]): number[] {
  const scales: { whole: Bounds; narrowest: number }[] = [];
  return bounds.map((own) => {
    const span = spanOf(own);
    const height = span.max - span.min;
    const fitting = scales.findIndex(({ whole, narrowest }) => {
      const joint = Math.max(whole.max, span.max) - Math.min(whole.min, span.min);
      return Math.min(narrowest, height) >= joint * SMALLEST_SHARE;
    });
    const index = fitting === -1 && scales.length >= MOST_SCALES ? MOST_SCALES - 1 : fitting;
    const scale = scales[index];
    if (!scale) return scales.push({ whole: span, narrowest: height }) - 1;
    scale.whole = { min: Math.min(scale.whole.min, span.min), max: Math.max(scale.whole.max, span.max) };
    scale.narrowest = Math.min(scale.narrowest, height);
    return index;
  });
}

/** A key's span; a constant or absent one is given some height, so that it can be drawn and shared. */
function spanOf({ min, max }: Bounds): Bounds {
  if (min > max) return { min: 0, max: 1 };
  if (min < max) return { min, max };
  const room = Math.abs(min) * 0.1 || 1;
  return { min: min - room, max: max + room };
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Labels of the time axis in local time, 24 hours: the clock as fine as the step needs, and the day below it where it
 * begins or changes. `ticks` and `step` in ms.
 */
export function timeLabels(ticks: readonly number[], step: number): string[] {
  let lastDay = '';
  return ticks.map((tick) => {
    const day = formatDay(tick * 1000);
    if (step >= DAY_MS) return day;
    const clock = formatClock(Math.round(tick) * 1000);
    const shown = step >= 60 * SECOND_MS ? clock.slice(0, 5) : clock;
    const label = day === lastDay ? shown : `${shown}\n${day}`;
    lastDay = day;
    return label;
  });
}

const MOST_DIGITS = 12;

/** Labels of a value axis: as many digits as its ticks have, so that steps of 2.5 read 37.5 and 40.0. */
export function valueLabels(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest >= 1e7 || step < 1e-6) return ticks.map((tick) => (tick === 0 ? '0' : tick.toExponential(2)));
  let digits = 0;
  while (digits < MOST_DIGITS && !isWhole(step * 10 ** digits)) digits++;
  return ticks.map((tick) => tick.toFixed(digits));
}

/** Whether a number is whole but for the rounding of the steps that led to it. */
function isWhole(number: number): boolean {
  return Math.abs(number - Math.round(number)) < 1e-6 && Math.round(number) !== 0;
}
