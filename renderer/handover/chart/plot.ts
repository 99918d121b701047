import uPlot from 'uplot';
import type { KeyReading } from '#shared/bridge/wire.ts';
import type { Drawing } from '../../chart/draw/line.ts';
import { sidesOf } from '../../chart/plot/axes.ts';
import { chartOptions, showIn, type PlotLayout } from '../../chart/plot/chart-options.ts';
import { Dots } from '../../chart/plot/dots.ts';
import { drawEdgeArrows } from '../../chart/plot/edge-arrows.ts';
import type { ChartColors } from '../../chart/plot/palette.ts';
import { wheelStep, type WheelStep } from '../../chart/plot/wheel.ts';
import type { AxisRanges } from '../../chart/scale/axis-ranges.ts';
import type { TimeSpan } from '../../chart/time/window.ts';

interface Heard {
  readonly onCursor: (instant: number | null) => void;
  readonly onSelect: (from: number, to: number) => void;
  readonly onBack: () => void;
  /** Answers whether it made use of it. */
  readonly onWheel: (step: WheelStep, event: WheelEvent) => boolean;
  /** Where the plot lies in its element, in CSS pixels. */
  readonly onPlace: () => void;
}

/** A plot of the page: uPlot with the axes, lines and dots of the app's chart. */
export class Plot {
  readonly element: HTMLElement;
  /** Lies over the plot, as large as that. */
  readonly over: HTMLElement;
  readonly #chart: uPlot;
  readonly #dots: Dots;
  #shown: { readonly drawing: Drawing; readonly ranges: AxisRanges } = { drawing: [], ranges: {} };

  /** The element has its size already. */
  constructor(element: HTMLElement, layout: PlotLayout, colors: ChartColors, heard: Heard) {
    this.element = element;
    this.over = document.createElement('div');
    const lineColors = layout.lines.map(({ look }) => colors.line(look));
    const sides = layout.lines.map(({ axis }) => axis);
    const follow = (chart: uPlot) => {
      const { left, top, width, height } = chart.over.style;
      Object.assign(this.over.style, { left, top, width, height });
      heard.onPlace();
    };
    const options = chartOptions(layout, colors, {
      content: () => ({ ...this.#shown, behind: [] }),
      onDraw: (chart) => {
        follow(chart);
        drawEdgeArrows(chart, this.#shown.drawing, sides, lineColors);
      },
      onResize: follow,
      onCursor: heard.onCursor,
      onSelect: heard.onSelect,
      onBack: heard.onBack,
    });
    const size = { width: element.clientWidth, height: element.clientHeight };
    this.#chart = new uPlot({ ...size, ...options }, [[], ...layout.lines.map(() => [])], element);
    this.over.className = 'over';
    this.#chart.over.after(this.over);
    this.#dots = new Dots(this.#chart, lineColors);
    element.addEventListener(
      'wheel',
      (event) => {
        const step = wheelStep(event, this.#chart.over.getBoundingClientRect(), sidesOf(layout.lines));
        if (step && heard.onWheel(step, event)) event.preventDefault();
      },
      { passive: false },
    );
  }

  /** Pixels of the screen that its lines are wide. */
  get pixels(): number {
    return Math.max(1, Math.round(this.#chart.bbox.width));
  }

  /** Where the plot lies in its element, in CSS pixels. */
  get across(): { readonly left: number; readonly width: number } {
    const { left, width } = this.#chart.bbox;
    return { left: left / uPlot.pxRatio, width: width / uPlot.pxRatio };
  }

  show(drawing: Drawing, ranges: AxisRanges, window: TimeSpan): void {
    this.#shown = { drawing, ranges };
    showIn(this.#chart, drawing, window);
  }

  mark(readings: readonly (KeyReading | null)[]): void {
    this.#dots.place(this.#chart, readings);
  }

  fit(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width !== this.#chart.width || height !== this.#chart.height) this.#chart.setSize({ width, height });
  }

  destroy(): void {
    this.#chart.destroy();
  }
}
