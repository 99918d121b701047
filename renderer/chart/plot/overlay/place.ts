import type { AxisSpan } from '../../scale/y-mode.ts';
import type { TimeSpan } from '../../time/window.ts';

/* Where things lie over a plot, as shares of its width and height: they stay right whatever its size. */

/** Of the width from the left; below 0 and above 1 outside of the plot. */
export function across(instant: number, { from, to }: TimeSpan): number {
  return (instant - from) / (to - from);
}

/** Of the height from the top. */
export function down(value: number, [low, high]: AxisSpan): number {
  return (high - value) / (high - low);
}

/** As CSS has it, held inside the plot. */
export function percent(share: number): string {
  return `${Math.max(0, Math.min(1, share)) * 100}%`;
}
