import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { KeyReading } from '#shared/wire.ts';
import 'uplot/dist/uPlot.min.css';
import type { Drawing } from './line.ts';
import { Marks } from './marks.ts';
import { lineDash, type ChartColors } from './palette.ts';
import { dotsOf, strokeOf } from './paths.ts';
import { timeLabels, valueLabels } from './scales.ts';
import { valueRange } from './value-range.ts';
import type { TimeSpan } from './window.ts';

interface TimeChartProps {
  readonly keys: readonly string[];
  /** The scale's number per key. */
  readonly scales: readonly number[];
  /** The look of each key's line (palette.ts). */
  readonly looks: readonly number[];
  readonly colors: ChartColors;
  readonly drawing: Drawing;
  readonly window: TimeSpan;
  /** The number of each line that is spoken of. */
  readonly marked: readonly (KeyReading | null)[];
  /** Hears how many of the screen's pixels the lines are wide. */
  readonly onWidth: (pixels: number) => void;
  /** Hears the instant under the cursor in µs, or null when it leaves. */
  readonly onCursor: (instant: number | null) => void;
  /** Hears a dragged span, in µs. */
  readonly onSelect: (from: number, to: number) => void;
  readonly onReset: () => void;
}

/** uPlot's life cycle: made anew when the lines or colours change, else only fed. */
export function TimeChart(props: TimeChartProps) {
  const { keys, scales, looks, colors, drawing, window, marked, ...handlers } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  /** What uPlot is to paint next: it asks for a line at a time. */
  const painted = useRef<Drawing>([]);
  const marks = useRef<Marks>(null);
  const onWidth = useEffectEvent(handlers.onWidth);
  const onCursor = useEffectEvent(handlers.onCursor);
  const onSelect = useEffectEvent(handlers.onSelect);
  const onReset = useEffectEvent(handlers.onReset);
  const feed = useEffectEvent((chart: uPlot) => {
    painted.current = drawing;
    show(chart, drawing, window);
  });

  const mark = useEffectEvent((chart: uPlot) => marks.current?.place(chart, marked));

  const layout = JSON.stringify([keys, scales, looks]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const [names, scaleOf, lookOf] = JSON.parse(layout) as [string[], number[], number[]];
    const color = (index: number) => colors.line(lookOf[index] ?? index);
    const chart = new uPlot(
      {
        ...sizeOf(element),
        ms: 1,
        // uPlot rounds to whole milliseconds, which puts the ticks of a window that begins past a half one too early.
        tzDate: (ms) => new Date(Math.floor(ms)),
        legend: { show: false },
        padding: [8, new Set(scaleOf).size > 1 ? 16 : 40, 0, 0],
        cursor: {
          drag: { x: true, y: false, setScale: false },
          // Its points sit on one row of points for all lines, which these do not have.
          points: { show: false },
          bind: { dblclick: () => () => (onReset(), null) },
        },
        scales: { x: { time: true, auto: false }, ...valueScales(scaleOf) },
        axes: [timeAxis(colors), ...valueAxes(scaleOf, colors, color)],
        series: [
          {},
          ...names.map((label, index): uPlot.Series => {
            const scale = `y${scaleOf[index]}`;
            const line = () => painted.current[index] ?? NO_LINE;
            return {
              label,
              scale,
              stroke: color(index),
              width: LINE_WIDTH,
              dash: [...lineDash(lookOf[index] ?? index)],
              paths: (drawn) => strokeOf(drawn, scale, line()),
              points: {
                show: () => line().dots.length > 0,
                paths: (drawn) => dotsOf(drawn, scale, line()),
                width: 0,
                fill: color(index),
              },
            };
          }),
        ],
        hooks: {
          draw: [
            (drawn) => {
              // Its axes may have become wider.
              onWidth(drawn.bbox.width);
              element.dataset['view'] = JSON.stringify(viewOf(drawn));
              mark(drawn);
            },
          ],
          setSize: [(drawn) => onWidth(drawn.bbox.width)],
          setCursor: [
            (drawn) => {
              const { left = -1 } = drawn.cursor;
              onCursor(left < 0 ? null : drawn.posToVal(left, 'x') * 1000);
            },
          ],
          setSelect: [
            (drawn) => {
              const { left, width } = drawn.select;
              if (width === 0) return;
              onSelect(drawn.posToVal(left, 'x') * 1000, drawn.posToVal(left + width, 'x') * 1000);
              drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      [[], ...names.map(() => [])],
      element,
    );
    plot.current = chart;
    marks.current = new Marks(
      chart,
      names.map((_, index) => color(index)),
    );
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(element)));
    observer.observe(element);
    feed(chart);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [layout, colors]);

  const { from, to } = window;
  // Asked for while the page is laid out: a later effect may miss the frame that is about to be painted.
  useLayoutEffect(() => {
    const request = requestAnimationFrame(() => {
      if (!plot.current) return;
      painted.current = drawing;
      show(plot.current, drawing, { from, to });
    });
    return () => cancelAnimationFrame(request);
  }, [drawing, from, to]);

  useLayoutEffect(() => {
    if (plot.current) marks.current?.place(plot.current, marked);
  }, [marked]);

  return <div ref={frame} style={{ height: '100%', minHeight: 240 }} />;
}

const LINE_WIDTH = 1.5;
/** Of lines with more points than pixels: without a graphics card a wider one takes ten times as long to paint. */
const DENSE_LINE_WIDTH = 1;

const NO_LINE = { times: [], values: [], starts: [], dots: [], min: Infinity, max: -Infinity };

function show(chart: uPlot, drawing: Drawing, window: TimeSpan): void {
  // A drawing of other keys is on its way out: its chart is about to be made anew.
  if (drawing.length !== chart.series.length - 1) return;
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
function viewOf({ bbox, scales, series }: uPlot) {
  const spanOf = (name: string) => [scales[name]?.min, scales[name]?.max];
  return { bbox, x: spanOf('x'), y: series.slice(1).map(({ scale = '' }) => spanOf(scale)) };
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: element.clientWidth, height: element.clientHeight };
}

const FONT = '12px system-ui, sans-serif';

function timeAxis({ text, grid }: ChartColors): uPlot.Axis {
  return {
    stroke: text,
    font: FONT,
    size: 46,
    space: 88,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 5 },
    values: (_chart, ticks, _axis, _space, step) => timeLabels(ticks, step),
  };
}

function valueScales(scaleOf: readonly number[]): uPlot.Scales {
  return Object.fromEntries(scaleOf.map((scale) => [`y${scale}`, { range: rangeOf }]));
}

function rangeOf(_chart: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  return valueRange(min, max);
}

/** One axis a scale: the first on the left, the others on the right; an axis of one key has its line's colour. */
function valueAxes(
  scaleOf: readonly number[],
  colors: ChartColors,
  color: (index: number) => string,
): uPlot.Axis[] {
  return [...new Set(scaleOf)].map((scale, place) => {
    const members = scaleOf.flatMap((other, index) => (other === scale ? [index] : []));
    const only = members.length === 1 ? members[0] : undefined;
    return {
      scale: `y${scale}`,
      side: place === 0 ? 3 : 1,
      stroke: only === undefined ? colors.text : color(only),
      font: FONT,
      size: (chart: uPlot, labels: string[] | null) => axisWidth(chart, labels ?? []),
      grid: { show: place === 0, stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid, width: 1, size: TICK },
      values: (_chart: uPlot, ticks: number[]) => valueLabels(ticks),
    };
  });
}

const TICK = 5;
/** uPlot's room between a tick and its label, and some between the label and what is beside the axis. */
const AROUND_LABEL = 5 + 8;
/** Room for seven digits, and steps in which it grows: a plot that became wider or narrower with each label would be asked for anew. */
const NARROWEST_AXIS = 64;
const AXIS_STEP = 16;

/** The width of an axis with these labels, in CSS pixels. */
function axisWidth(chart: uPlot, labels: readonly string[]): number {
  const longest = labels.reduce((long, label) => (label.length > long.length ? label : long), '');
  const { ctx } = chart;
  const before = ctx.font;
  ctx.font = FONT;
  const { width } = ctx.measureText(longest);
  ctx.font = before;
  const more = Math.max(0, width + TICK + AROUND_LABEL - NARROWEST_AXIS);
  return NARROWEST_AXIS + Math.ceil(more / AXIS_STEP) * AXIS_STEP;
}
