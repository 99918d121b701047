import uPlot from 'uplot';
import { DOT, type Line } from '../draw/line.ts';
import { held } from '../scale/value-range.ts';

/*
 * uPlot's own paths take one row of points for all lines and clip gaps out of them afterwards, which loses a point between
 * two gaps. These go from run to run, each line by its own points. Pixels are whole, as uPlot's are: without a graphics
 * card a line between two of them takes far longer to paint.
 */

/** The stroke of a line. */
export function strokeOf(chart: uPlot, scale: string, line: Line): uPlot.Series.Paths {
  const stroke = new Path2D();
  const { x, y } = placesOf(chart, scale);
  const { times, values, starts } = line;
  for (const [run, start] of starts.entries()) {
    const end = starts[run + 1] ?? times.length;
    stroke.moveTo(x(times[start] ?? 0), y(values[start] ?? 0));
    for (let i = start + 1; i < end; i++) stroke.lineTo(x(times[i] ?? 0), y(values[i] ?? 0));
  }
  return { stroke, fill: null, clip: null, flags: 0 };
}

/** The dots of a line, filled. */
export function dotsOf(chart: uPlot, scale: string, line: Line): uPlot.Series.Points.Paths {
  const fill = new Path2D();
  const clip = new Path2D();
  const { x, y } = placesOf(chart, scale);
  const radius = (DOT / 2) * uPlot.pxRatio;
  for (const dot of line.dots) {
    const [left, top] = [x(line.times[dot] ?? 0), y(line.values[dot] ?? 0)];
    fill.moveTo(left + radius, top);
    fill.arc(left, top, radius, 0, 2 * Math.PI);
  }
  const { left, top, width, height } = chart.bbox;
  clip.rect(left - radius, top - radius, width + 2 * radius, height + 2 * radius);
  return { stroke: null, fill, clip, flags: 0 };
}

/** Where on the canvas instants (µs) and values lie. */
function placesOf(chart: uPlot, scale: string) {
  const { left, top, width, height } = chart.bbox;
  const { min: from = 0, max: to = 1 } = chart.scales['x'] ?? {};
  const { min: low = 0, max: high = 1 } = chart.scales[scale] ?? {};
  const start = (from ?? 0) * 1000;
  const perMicro = width / (((to ?? 1) - (from ?? 0)) * 1000);
  const perUnit = height / ((high ?? 1) - (low ?? 0));
  return {
    x: (instant: number) => Math.round(left + (instant - start) * perMicro),
    y: (value: number) => Math.round(top + ((high ?? 1) - held(value)) * perUnit),
  };
}
