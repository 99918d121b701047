import type { TimeSpan } from '../time/window.ts';

/** A window whose right edge is within this share of its width of the newest record shows what comes next. */
const NEAR = 0.005;

/** Whether a window reaches up to the newest there is; null is all there is. */
export function reachesNow(window: TimeSpan | null, whole: TimeSpan | null): boolean {
  if (window === null || whole === null) return true;
  return window.to >= whole.to - (window.to - window.from) * NEAR;
}

/** Where a window goes that moves along, as wide as it is. */
export function movedTo(window: TimeSpan, newest: number): TimeSpan {
  return { from: newest - (window.to - window.from), to: newest };
}
