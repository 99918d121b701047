import uPlot from 'uplot';
import type { Drawing } from '../draw/line.ts';

/** CSS pixels of an arrow, and between two of one line. */
const SIZE = 7;
const APART = 9;

/** Arrows at the upper and lower edge of a plot, where a line goes beyond its axis. `colors` and `scales` have one a line. */
export function drawEdgeArrows(
  chart: uPlot,
  drawing: Drawing,
  scales: readonly string[],
  colors: readonly string[],
): void {
  const { ctx, bbox } = chart;
  const { min: from = 0, max: to = 1 } = chart.scales['x'] ?? {};
  const ratio = uPlot.pxRatio;
  for (const [index, { times, values }] of drawing.entries()) {
    const { min: low, max: high } = chart.scales[scales[index] ?? ''] ?? {};
    if (low === undefined || low === null || high === undefined || high === null) continue;
    const latest = { up: -Infinity, down: -Infinity };
    ctx.fillStyle = colors[index] ?? '';
    for (const [at, value] of values.entries()) {
      if (value >= low && value <= high) continue;
      const time = (times[at] ?? 0) / 1000;
      const left = bbox.left + ((time - (from ?? 0)) / ((to ?? 1) - (from ?? 0))) * bbox.width;
      const way = value > high ? 'up' : 'down';
      const isSeen = left >= bbox.left && left <= bbox.left + bbox.width;
      if (!isSeen || left - latest[way] < APART * ratio) continue;
      latest[way] = left;
      arrow(
        ctx,
        left,
        way === 'up' ? bbox.top : bbox.top + bbox.height,
        (way === 'up' ? 1 : -1) * SIZE * ratio,
      );
    }
  }
}

/** A triangle whose tip lies on an edge; `size` is negative where it points down. */
function arrow(ctx: CanvasRenderingContext2D, left: number, tip: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(left, tip);
  ctx.lineTo(left - Math.abs(size) / 2, tip + size);
  ctx.lineTo(left + Math.abs(size) / 2, tip + size);
  ctx.fill();
}
