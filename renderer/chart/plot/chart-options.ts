import uPlot from 'uplot';
import type { Zone } from '../../time.ts';
import type { AxisSide, ChartLine } from '../draw/chart-line.ts';
import { PALE, type Drawing, type Line } from '../draw/line.ts';
import type { AxisRanges } from '../scale/axis-ranges.ts';
import { NO_AXIS, sidesOf, timeAxis, valueAxes } from './axes.ts';
import { placeInDrag } from './drag.ts';
import { lineDash, type ChartColors } from './palette.ts';
import { dotsOf, strokeOf } from './paths.ts';

/** What a plot looks like; a change of it makes a new one. */
export interface PlotLayout {
  readonly lines: readonly ChartLine[];
  readonly zone: Zone;
  /** Whether the time is written below. */
  readonly isTimed: boolean;
  /** The least room for an axis, in CSS pixels: plots above one another begin at the same place. */
  readonly narrowestAxis?: number | undefined;
}

/** What it shows at the moment: uPlot asks for it whenever it paints. */
export interface PlotContent {
  readonly drawing: Drawing;
  /** Pale behind them, one a line; empty for nothing. */
  readonly behind: Drawing;
  readonly ranges: AxisRanges;
}

interface Heard {
  readonly content: () => PlotContent;
  readonly onDraw: (chart: uPlot) => void;
  readonly onResize: (chart: uPlot) => void;
  readonly onCursor: (instant: number | null) => void;
  readonly onSelect: (from: number, to: number) => void;
  readonly onBack: () => void;
}

/** Room above a plot, for the outlines of dots; above one among others, for its name. */
const TOP = 8;
const STACKED_TOP = 16;
/** Room below a plot that has another one below it. */
const STACKED_BOTTOM = 3;
const LINE_WIDTH = 1.5;
/** Of lines with more points than pixels: without a graphics card a wider one takes ten times as long to paint. */
const DENSE_LINE_WIDTH = 1;
/** What is left of the other lines while one is looked for. */
const FADED = 0.2;

const NO_LINE: Line = { times: [], values: [], starts: [], dots: [], min: Infinity, max: -Infinity };

export function chartOptions(
  { lines, zone, isTimed, narrowestAxis }: PlotLayout,
  colors: ChartColors,
  heard: Heard,
): Omit<uPlot.Options, 'width' | 'height'> {
  const sides = sidesOf(lines);
  const range = (side: AxisSide) => (): uPlot.Range.MinMax => [...(heard.content().ranges[side] ?? NO_RANGE)];
  return {
    ms: 1,
    // uPlot rounds to whole milliseconds, which puts the ticks of a window that begins past a half one too early.
    tzDate: (ms) =>
      zone === 'utc' ? uPlot.tzDate(new Date(Math.floor(ms)), 'Etc/UTC') : new Date(Math.floor(ms)),
    legend: { show: false },
    padding: [
      narrowestAxis === undefined ? TOP : STACKED_TOP,
      sides.includes('right') ? 16 : NO_AXIS,
      isTimed ? 0 : STACKED_BOTTOM,
      sides.includes('left') ? 0 : NO_AXIS,
    ],
    focus: { alpha: FADED },
    cursor: {
      // The line under the cursor is drawn over all plots alike.
      x: false,
      drag: { x: true, y: false, setScale: false },
      move: ({ over }, left, top) => [placeInDrag(over, left), top],
      // Its points sit on one row of points for all lines, which these do not have.
      points: { show: false },
      bind: { dblclick: () => () => (heard.onBack(), null) },
    },
    scales: {
      x: { time: true, auto: false },
      ...Object.fromEntries(sides.map((side) => [side, { range: range(side) }])),
    },
    axes: [timeAxis(colors, zone, isTimed), ...valueAxes(lines, colors, narrowestAxis)],
    series: [
      {},
      ...lines.map(({ id, axis, look }, index): uPlot.Series => {
        const line = () => heard.content().drawing[index] ?? NO_LINE;
        return {
          label: id,
          scale: axis,
          stroke: colors.line(look),
          width: LINE_WIDTH,
          dash: [...lineDash(look)],
          paths: (drawn) => strokeOf(drawn, axis, line()),
          points: {
            show: () => line().dots.length > 0,
            paths: (drawn) => dotsOf(drawn, axis, line()),
            width: 0,
            fill: colors.line(look),
          },
        };
      }),
    ],
    hooks: {
      // The axes are painted before the lines.
      drawAxes: [(drawn) => paintBehind(drawn, lines, heard.content().behind, colors)],
      draw: [heard.onDraw],
      setSize: [heard.onResize],
      setCursor: [
        (drawn) => {
          const { left = -1 } = drawn.cursor;
          heard.onCursor(left < 0 ? null : drawn.posToVal(left, 'x') * 1000);
        },
      ],
      setSelect: [
        (drawn) => {
          const { left, width } = drawn.select;
          if (width === 0) return;
          heard.onSelect(drawn.posToVal(left, 'x') * 1000, drawn.posToVal(left + width, 'x') * 1000);
          drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

function paintBehind(chart: uPlot, lines: readonly ChartLine[], behind: Drawing, colors: ChartColors): void {
  if (behind.length !== lines.length) return;
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = PALE;
  ctx.lineWidth = LINE_WIDTH * uPlot.pxRatio;
  for (const [index, { axis, look }] of lines.entries()) {
    const line = behind[index] ?? NO_LINE;
    const color = colors.line(look);
    const { stroke } = strokeOf(chart, axis, line);
    const { fill } = dotsOf(chart, axis, line);
    ctx.strokeStyle = color;
    ctx.fillStyle = color;
    if (stroke instanceof Path2D) ctx.stroke(stroke);
    if (fill instanceof Path2D) ctx.fill(fill);
  }
  ctx.restore();
}

const NO_RANGE = [null, null] as const;

/** Has a plot paint what it is to show of a window, as soon as its batch ends. */
export function showIn(
  chart: uPlot,
  drawing: Drawing,
  window: { readonly from: number; readonly to: number },
): void {
  const [from, to] = [window.from / 1000, window.to / 1000];
  for (const [index, { times }] of drawing.entries()) {
    const line = chart.series[index + 1];
    if (line) line.width = times.length > chart.bbox.width ? DENSE_LINE_WIDTH : LINE_WIDTH;
  }
  chart.batch(() => {
    // Only for uPlot to find the axes: the paths know the points.
    const extremes = drawing.map(({ min, max }) => (min <= max ? [min, max] : [null, null]));
    chart.setData([[from, to], ...extremes], false);
    chart.setScale('x', { min: from, max: to });
  });
}

/** Where the plot lies on the canvas, and what it spans: the time in ms and the values of each line's axis. */
export function viewOf({ bbox, scales, series }: uPlot) {
  const spanOf = (name: string) => [scales[name]?.min, scales[name]?.max];
  return { bbox, x: spanOf('x'), y: series.slice(1).map(({ scale = '' }) => spanOf(scale)) };
}
