import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import uPlot from 'uplot';
import type { KeyReading } from '#shared/bridge/wire.ts';
import 'uplot/dist/uPlot.min.css';
import type { Zone } from '../../time.ts';
import type { AxisSide, ChartLine } from '../draw/chart-line.ts';
import type { Drawing } from '../draw/line.ts';
import type { AxisRanges } from '../scale/axis-ranges.ts';
import { isSameSpan, type TimeSpan } from '../time/window.ts';
import { sidesOf } from './axes.ts';
import { chartOptions, showIn, viewOf, type PlotContent, type PlotLayout } from './chart-options.ts';
import { Dots } from './dots.ts';
import { captureDrags } from './drag.ts';
import { drawEdgeArrows } from './edge-arrows.ts';
import type { ChartColors } from './palette.ts';
import { wheelStep, type WheelStep } from './wheel.ts';

interface TimeChartProps {
  readonly lines: readonly ChartLine[];
  /** What is painted: one a line. */
  readonly drawing: Drawing;
  /** What is painted pale behind each of them; empty or absent: nothing. */
  readonly behind?: Drawing;
  readonly ranges: AxisRanges;
  readonly window: TimeSpan;
  readonly colors: ChartColors;
  readonly zone?: Zone;
  /** The number of each line that is spoken of. */
  readonly marked: readonly (KeyReading | null)[];
  /** The line that is looked for: the others fade. */
  readonly strong?: string | null;
  /** Whether the time is written below; not where another plot stands there. */
  readonly isTimed?: boolean;
  readonly narrowestAxis?: number;
  /** Hears where the plot begins, in CSS pixels: behind its left axis. */
  readonly onBegin?: (left: number) => void;
  /** Hears how many of the screen's pixels the lines are wide. */
  readonly onWidth: (pixels: number) => void;
  /** Hears the instant under the cursor in µs, or null when it leaves. */
  readonly onCursor: (instant: number | null) => void;
  /** Hears a dragged span, in µs. */
  readonly onSelect: (from: number, to: number) => void;
  /** Hears a click on the plot that drags nothing, in µs. */
  readonly onPress?: () => void;
  /** Hears the wheel; answers whether it made use of it. */
  readonly onWheel?: (step: WheelStep) => boolean;
  /** Hears a double click on the plot, or on an axis. */
  readonly onBack: (axis: AxisSide | null) => void;
  /** Lies over the plot, as large as that: places in it are shares of the window. */
  readonly children?: ReactNode;
}

/** uPlot's life cycle: made anew when the lines or colours change, else only fed. */
export function TimeChart(props: TimeChartProps) {
  const { lines, colors, drawing, behind = NO_DRAWING, ranges, window, marked, ...handlers } = props;
  const { strong = null, children } = handlers;
  const { zone = 'local', isTimed = true, narrowestAxis } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const content = useRef<Fed>(NOTHING);
  const dots = useRef<Dots>(null);
  const [overlay, setOverlay] = useState<HTMLElement | null>(null);
  const onWidth = useEffectEvent(handlers.onWidth);
  const onBegin = useEffectEvent((left: number) => handlers.onBegin?.(left));
  const onCursor = useEffectEvent(handlers.onCursor);
  const onSelect = useEffectEvent(handlers.onSelect);
  const onPress = useEffectEvent(() => handlers.onPress?.());
  const onBack = useEffectEvent(handlers.onBack);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const chart = plot.current;
    const step = chart && wheelStep(event, chart.over.getBoundingClientRect(), sidesOf(lines));
    // What it has no use for scrolls the page.
    if (step && handlers.onWheel?.(step)) event.preventDefault();
  });
  const feed = useEffectEvent((chart: uPlot) => {
    feedTo(chart, content, { drawing, behind, ranges }, window);
  });
  const place = useEffectEvent((chart: uPlot) => dots.current?.place(chart, marked));

  const layout = JSON.stringify({ lines, zone, isTimed, narrowestAxis } satisfies PlotLayout);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = JSON.parse(layout) as PlotLayout;
    const lineColors = made.lines.map(({ look }) => colors.line(look));
    const over = document.createElement('div');
    const follow = (chart: uPlot) => {
      onWidth(chart.bbox.width);
      onBegin(Math.round(chart.bbox.left / uPlot.pxRatio));
      const { left, top, width, height } = chart.over.style;
      Object.assign(over.style, { left, top, width, height });
    };
    const options = chartOptions(made, colors, {
      content: () => content.current,
      onDraw(drawn) {
        // Its axes may have become wider.
        follow(drawn);
        element.dataset['view'] = JSON.stringify(viewOf(drawn));
        const scales = made.lines.map(({ axis }) => axis);
        drawEdgeArrows(drawn, content.current.drawing, scales, lineColors);
        place(drawn);
      },
      onResize: follow,
      onCursor,
      onSelect,
      onBack: () => onBack(null),
    });
    const chart = new uPlot({ ...sizeOf(element), ...options }, [[], ...made.lines.map(() => [])], element);
    Object.assign(over.style, { position: 'absolute', pointerEvents: 'none' });
    chart.over.after(over);
    chart.over.addEventListener('mousedown', onPress);
    captureDrags(chart.over);
    // The axes are canvas, and uPlot's boxes for them do not hear the pointer.
    const onDouble = (event: MouseEvent) => {
      const { left, right } = chart.over.getBoundingClientRect();
      const side = event.clientX < left ? 'left' : event.clientX > right ? 'right' : null;
      if (side !== null) onBack(side);
    };
    element.addEventListener('dblclick', onDouble);
    element.addEventListener('wheel', onWheel, { passive: false });
    plot.current = chart;
    dots.current = new Dots(chart, lineColors);
    const observer = new ResizeObserver(() => {
      const { width, height } = sizeOf(element);
      // The size that there is is told, too, and a plot paints anew whatever it is given.
      if (width !== chart.width || height !== chart.height) chart.setSize({ width, height });
    });
    observer.observe(element);
    feed(chart);
    setOverlay(over);
    return () => {
      observer.disconnect();
      element.removeEventListener('dblclick', onDouble);
      element.removeEventListener('wheel', onWheel);
      chart.destroy();
      plot.current = null;
      setOverlay(null);
    };
  }, [layout, colors]);

  const { from, to } = window;
  // Asked for while the page is laid out: a later effect may miss the frame that is about to be painted.
  useLayoutEffect(() => {
    const request = requestAnimationFrame(() => {
      if (plot.current) feedTo(plot.current, content, { drawing, behind, ranges }, { from, to });
    });
    return () => cancelAnimationFrame(request);
  }, [drawing, behind, ranges, from, to]);

  useLayoutEffect(() => {
    if (plot.current) dots.current?.place(plot.current, marked);
  }, [marked]);

  useEffect(() => {
    if (plot.current) bringOut(plot.current, strong);
  }, [strong]);

  return (
    <div ref={frame} style={{ height: '100%' }}>
      {overlay && createPortal(children, overlay)}
    </div>
  );
}

const NO_DRAWING: Drawing = [];
const NOTHING: Fed = { drawing: [], behind: [], ranges: {} };

/** Content painted last, and the plot that painted it. */
interface Fed extends PlotContent {
  readonly window?: TimeSpan;
  readonly by?: uPlot;
}

function feedTo(
  chart: uPlot,
  place: { current: Fed },
  { drawing, behind, ranges }: PlotContent,
  window: TimeSpan,
): void {
  // A drawing of other lines is on its way out: its chart is about to be made anew.
  if (drawing.length !== chart.series.length - 1) return;
  const { current: last } = place;
  const isSame =
    last.by === chart && last.drawing === drawing && last.behind === behind && last.ranges === ranges;
  if (isSame && isSameSpan(last.window ?? null, window)) return;
  place.current = { drawing, behind, ranges, window, by: chart };
  showIn(chart, drawing, window);
}

/** Lets all lines but one fade; null brings all back. */
function bringOut(chart: uPlot, id: string | null): void {
  const index = id === null ? -1 : chart.series.findIndex(({ label }) => label === id);
  chart.setSeries(index === -1 ? null : index, { focus: true });
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: element.clientWidth, height: element.clientHeight };
}
