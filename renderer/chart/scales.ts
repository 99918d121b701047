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

/** Labels are plain where the largest tick is smaller, and neighbours are no closer than that. */
const LARGEST_PLAIN = 1e7;
const CLOSEST_PLAIN = 1e-6;
/** As many digits as two neighbouring doubles may need. */
const MOST_DIGITS = 20;

/**
 * Labels of a value axis: as many digits as its ticks have, so that steps of 2.5 read 37.5 and 40.0. Large and tiny ones
 * are written with an exponent where that is shorter: a counter's 12345680 and 12345685 stay as they are.
 */
export function valueLabels(ticks: readonly number[]): string[] {
  const [first = 0, second = 2 * first || 1] = ticks;
  const step = Math.abs(second - first);
  const plain = toldApart(ticks, step, 0, (tick, digits) => tick.toFixed(digits));
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest < LARGEST_PLAIN && step >= CLOSEST_PLAIN) return plain;
  const short = toldApart(ticks, step, 2, (tick, digits) => (tick === 0 ? '0' : tick.toExponential(digits)));
  return longest(short) < longest(plain) ? short : plain;
}

/** The ticks with the fewest digits that say each as exactly as its distance from the next one asks for. */
function toldApart(
  ticks: readonly number[],
  step: number,
  fewest: number,
  write: (tick: number, digits: number) => string,
): string[] {
  let digits = fewest;
  const isExact = (tick: number) => Math.abs(Number(write(tick, digits)) - tick) <= step / 1000;
  while (digits < MOST_DIGITS && !ticks.every(isExact)) digits++;
  return ticks.map((tick) => write(tick, digits));
}

function longest(labels: readonly string[]): number {
  return Math.max(0, ...labels.map(({ length }) => length));
}
