import type { AxisSide } from '../draw/chart-line.ts';

/** What a turn of the wheel, two fingers on a touch pad or a pinch ask for. */
export type WheelStep =
  /** Closer (factor < 1) or farther about a place: 0 is the left edge of the plot, 1 its right one. */
  | { readonly kind: 'zoom'; readonly factor: number; readonly place: number }
  /** Along, by a share of the width. */
  | { readonly kind: 'pan'; readonly share: number }
  /** The same of an axis: 0 is its lower end, 1 its upper one. */
  | { readonly kind: 'axis'; readonly side: AxisSide; readonly factor: number; readonly place: number };

/** How far a notch of a common wheel goes, in pixels as browsers say it. */
const NOTCH = 100;
const LINE = 16;
/** A notch makes this much of a window be seen. */
const CLOSER = 0.8;
/** A pinch comes in many small steps. */
const PINCH = 8;
const PAN = 0.1;

/** Reads an event over a chart whose plot lies at `plot` on the page; null where it is beside it. */
export function wheelStep(event: WheelEvent, plot: DOMRect, axes: readonly AxisSide[]): WheelStep | null {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
  const [x, y] = [event.deltaX * unit, event.deltaY * unit];
  const isAlong = event.shiftKey || Math.abs(x) > Math.abs(y);
  const turned = isAlong ? x || y : y;
  if (turned === 0) return null;
  const notches = Math.max(-3, Math.min(3, ((event.ctrlKey ? PINCH : 1) * turned) / NOTCH));
  const factor = CLOSER ** -notches;
  const beside = event.clientX < plot.left ? 'left' : event.clientX > plot.right ? 'right' : null;
  if (beside !== null) {
    const place = (plot.bottom - event.clientY) / plot.height;
    return axes.includes(beside) ? { kind: 'axis', side: beside, factor, place: clamped(place) } : null;
  }
  if (isAlong) return { kind: 'pan', share: notches * PAN };
  return { kind: 'zoom', factor, place: clamped((event.clientX - plot.left) / plot.width) };
}

function clamped(place: number): number {
  return Math.max(0, Math.min(1, place));
}
