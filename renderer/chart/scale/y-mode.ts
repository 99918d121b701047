import type { Bounds } from '../records/columns.ts';
import { valueRange } from './value-range.ts';

/** What an axis reaches over: `auto` is all that is seen, without outliers where they would press the rest flat. */
export const Y_MODES = [
  { value: 'auto', label: 'Auto', about: 'What is seen; outliers left out where they press the rest flat' },
  { value: 'fit', label: 'Fit', about: 'All that is seen' },
  {
    value: 'robust',
    label: 'Ignore outliers',
    about: 'Nearly all that is seen; arrows mark what lies beyond',
  },
  { value: 'zero', label: 'From 0', about: 'All that is seen, and zero' },
] as const;
export type YMode = (typeof Y_MODES)[number]['value'];

/** The ends of an axis. */
export type AxisSpan = readonly [low: number, high: number];

/** Outliers that take more than this share of the height are left out by `auto`. */
const MOST_HEIGHT = 0.8;

interface Seen {
  /** Of all that is seen; min > max where nothing is. */
  readonly bounds: Bounds;
  /** Of nearly all: asked for only where the mode wants to know. */
  readonly robust: () => Bounds;
  /** Whether that may be less than a fifth of all; absent: it may. */
  readonly mayBePressed?: () => boolean;
}

export interface AxisRange {
  readonly span: AxisSpan;
  /** Whether values lie beyond that were left out as outliers. */
  readonly isCut: boolean;
}

/** What an axis reaches over; null where nothing is seen. */
export function axisRange(mode: YMode, { bounds, robust, mayBePressed }: Seen): AxisRange | null {
  const { min, max } = bounds;
  if (min > max) return null;
  if (mode === 'zero') return ranged(Math.min(0, min), Math.max(0, max), mode);
  if (mode === 'fit') return ranged(min, max, mode);
  if (mode === 'auto' && mayBePressed?.() === false) return ranged(min, max, mode);
  const most = robust();
  const isUseful = most.min < most.max && (most.min > min || most.max < max);
  const pressed = 1 - (most.max - most.min) / (max - min);
  if (!isUseful || (mode === 'auto' && !(pressed > MOST_HEIGHT))) return ranged(min, max, mode);
  return { ...ranged(most.min, most.max, mode), isCut: true };
}

function ranged(min: number, max: number, mode: YMode): AxisRange {
  const [low, high] = valueRange(min, max);
  const span = [low ?? 0, high ?? 1] as const;
  // Zero itself is the end, not a tenth below it.
  if (mode === 'zero') return { span: [min === 0 ? 0 : span[0], max === 0 ? 0 : span[1]], isCut: false };
  return { span, isCut: false };
}

/** A wheel over an axis: so much closer (factor < 1) or farther about a value that keeps its place. */
export function zoomAxis([low, high]: AxisSpan, factor: number, around: number): AxisSpan {
  const [next, end] = [around - (around - low) * factor, around + (high - around) * factor];
  return Number.isFinite(next) && Number.isFinite(end) && end - next > Number.EPSILON * Math.abs(end)
    ? [next, end]
    : [low, high];
}
