/* Drags over a plot, which select a span. uPlot itself ends one where the pointer leaves the plot, at the plot's edge. */

/** Plots that hold the pointer. */
const dragged = new WeakSet<HTMLElement>();

/** Has a drag that begins in the plot go on beside it: the plot captures the pointer until it is released. */
export function captureDrags(plot: HTMLElement): void {
  plot.addEventListener('pointerdown', ({ button, pointerId }) => {
    if (button === 0) plot.setPointerCapture(pointerId);
  });
  plot.addEventListener('gotpointercapture', () => void dragged.add(plot));
  plot.addEventListener('lostpointercapture', () => void dragged.delete(plot));
}

/** Place of the pointer from the left of the plot, in CSS pixels: that of a drag lies within the plot. */
export const placeInDrag = (plot: HTMLElement, left: number): number =>
  dragged.has(plot) ? Math.max(0, Math.min(plot.clientWidth, left)) : left;
