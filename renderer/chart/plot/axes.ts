import uPlot from 'uplot';
import type { Zone } from '../../time.ts';
import type { AxisSide, ChartLine } from '../draw/chart-line.ts';
import { timeLabels } from '../scale/time-labels.ts';
import { valueLabels } from '../scale/value-labels.ts';
import type { ChartColors } from './palette.ts';

const FONT = '12px system-ui, sans-serif';
const TIME_AXIS = 42;

/** The axis of time; a pane with another one below it has its grid and no labels. */
export function timeAxis({ text, grid }: ChartColors, zone: Zone, isLabelled: boolean): uPlot.Axis {
  return {
    stroke: text,
    font: FONT,
    size: isLabelled ? TIME_AXIS : 0,
    space: 88,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: isLabelled ? TICK : 0 },
    values: (_chart, ticks, _axis, _space, step) =>
      isLabelled ? timeLabels(ticks, step, zone) : ticks.map(() => ''),
  };
}

/**
 * The axes in use, the left one first; one of a single line has its colour, one of a single unit says it. Among plots above one
 * another, which have an axis of at least `narrowest` pixels each, the name of a plot says it: all plots begin at the same place.
 */
export function valueAxes(
  lines: readonly ChartLine[],
  colors: ChartColors,
  narrowest?: number,
): uPlot.Axis[] {
  const sides = sidesOf(lines);
  return sides.map((side, place) => {
    const members = lines.filter(({ axis }) => axis === side);
    const unit = unitOf(members);
    return {
      scale: side,
      side: side === 'left' ? LEFT : RIGHT,
      stroke: members.length === 1 ? colors.line(members[0]?.look ?? 0) : colors.text,
      font: FONT,
      space: (_chart: uPlot, _axis: number, _min: number, _max: number, height: number) =>
        height < LOWEST ? LOWEST_SPACE : height < LOW ? LOW_SPACE : SPACE,
      ...(unit && narrowest === undefined && { label: unit, labelFont: FONT, labelSize: LABEL, labelGap: 0 }),
      size: (chart: uPlot, labels: string[] | null) =>
        axisWidth(chart, labels ?? [], narrowest ?? NARROWEST_AXIS),
      grid: { show: place === 0, stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid, width: 1, size: TICK },
      values: (_chart: uPlot, ticks: number[]) => valueLabels(ticks, unit),
    };
  });
}

/** The axes that lines use, the left one first. */
export function sidesOf(lines: readonly ChartLine[]): readonly AxisSide[] {
  return (['left', 'right'] as const).filter((side) => lines.some(({ axis }) => axis === side));
}

/** The unit that all lines have; empty where they have several or none. */
export function unitOf(lines: readonly ChartLine[]): string {
  const [unit = '', ...others] = new Set(lines.map((line) => line.unit));
  return others.length === 0 ? unit : '';
}

/** As uPlot numbers the sides of a plot. */
const LEFT = 3;
const RIGHT = 1;
const TICK = 5;
const LABEL = 18;
/** uPlot's room between a tick and its label, and some between the label and what is beside the axis. */
const AROUND_LABEL = 5 + 8;
/** Room for seven digits, and steps in which it grows: a plot that became wider or narrower with each label would be asked for anew. */
const NARROWEST_AXIS = 64;
const AXIS_STEP = 16;
/** Between two labels of a value axis; less on a low plot, which would have a single one. */
const SPACE = 30;
const LOW_SPACE = 18;
const LOW = 100;
const LOWEST_SPACE = 11;
const LOWEST = 50;

/** Beside a plot where no axis stands: the last label of the time reaches out that far. */
export const NO_AXIS = 40;

/** Pixels of the screen that a plot in an element is wide at most: with one axis and short labels. */
export function widestPlot({ clientWidth }: HTMLElement): number {
  return Math.max(1, Math.round((clientWidth - NARROWEST_AXIS - NO_AXIS) * uPlot.pxRatio));
}

/** The width of an axis with these labels, in CSS pixels. */
function axisWidth(chart: uPlot, labels: readonly string[], narrowest: number): number {
  const longest = labels.reduce((long, label) => (label.length > long.length ? label : long), '');
  const { ctx } = chart;
  const before = ctx.font;
  ctx.font = FONT;
  const { width } = ctx.measureText(longest);
  ctx.font = before;
  const more = Math.max(0, width + TICK + AROUND_LABEL - narrowest);
  return narrowest + Math.ceil(more / AXIS_STEP) * AXIS_STEP;
}
