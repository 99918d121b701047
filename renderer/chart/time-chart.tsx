import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartColors } from './palette.ts';
import { timeLabels, valueLabels } from './scales.ts';
import type { TimeWindow } from './window.ts';
import type { Drawing } from './decimate.ts';

interface TimeChartProps {
  readonly keys: readonly string[];
  /** The scale's number per key. */
  readonly scales: readonly number[];
  readonly colors: ChartColors;
  readonly drawing: Drawing;
  readonly window: TimeWindow;
  /** Hears how many of the screen's pixels the lines are wide. */
  readonly onWidth: (pixels: number) => void;
  /** Hears the instant under the cursor in µs, or null when it leaves. */
  readonly onCursor: (instant: number | null) => void;
  /** Hears a dragged span, in µs. */
  readonly onSelect: (from: number, to: number) => void;
  readonly onReset: () => void;
}

/** uPlot's life cycle: made anew when the lines or colours change, else only fed. */
export function TimeChart({ keys, scales, colors, drawing, window, ...handlers }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const onWidth = useEffectEvent(handlers.onWidth);
  const onCursor = useEffectEvent(handlers.onCursor);
  const onSelect = useEffectEvent(handlers.onSelect);
  const onReset = useEffectEvent(handlers.onReset);
  const feed = useEffectEvent((chart: uPlot) => show(chart, drawing, window));

  const layout = JSON.stringify([keys, scales]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const [names, scaleOf] = JSON.parse(layout) as [string[], number[]];
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
          points: { size: 7 },
          bind: { dblclick: () => () => (onReset(), null) },
        },
        scales: { x: { time: true, auto: false } },
        axes: [timeAxis(colors), ...valueAxes(names, scaleOf, colors)],
        series: [
          {},
          ...names.map((label, index) => ({
            label,
            scale: `y${scaleOf[index]}`,
            stroke: colors.line(index),
            width: LINE_WIDTH,
            points: { size: 5, fill: colors.line(index) },
          })),
        ],
        hooks: {
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
      if (plot.current) show(plot.current, drawing, { from, to });
    });
    return () => cancelAnimationFrame(request);
  }, [drawing, from, to]);

  return <div ref={frame} style={{ height: '100%', minHeight: 240 }} />;
}

const LINE_WIDTH = 1.5;
/** Of lines with more points than pixels: without a graphics card a wider one takes ten times as long to paint. */
const DENSE_LINE_WIDTH = 1;

function show(chart: uPlot, { times, values }: Drawing, window: TimeWindow): void {
  // A drawing of other keys is on its way out: its chart is about to be made anew.
  if (values.length !== chart.series.length - 1) return;
  const width = times.length > chart.bbox.width ? DENSE_LINE_WIDTH : LINE_WIDTH;
  for (const line of chart.series.slice(1)) line.width = width;
  chart.batch(() => {
    chart.setData([times, ...values], false);
    chart.setScale('x', { min: window.from / 1000, max: window.to / 1000 });
  });
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

/** One axis a scale: the first on the left, the others on the right; an axis of one key has its line's colour. */
function valueAxes(names: readonly string[], scaleOf: readonly number[], colors: ChartColors): uPlot.Axis[] {
  return [...new Set(scaleOf)].map((scale, place) => {
    const members = names.flatMap((_, index) => (scaleOf[index] === scale ? [index] : []));
    const only = members.length === 1 ? members[0] : undefined;
    return {
      scale: `y${scale}`,
      side: place === 0 ? 3 : 1,
      stroke: only === undefined ? colors.text : colors.line(only),
      font: FONT,
      size: 64,
      grid: { show: place === 0, stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid, width: 1, size: 5 },
      values: (_chart: uPlot, ticks: number[]) => valueLabels(ticks),
    };
  });
}
