import type { Zone } from '../../time.ts';
import type { AxisSide, ChartLine } from '../draw/chart-line.ts';
import { DOT, PALE, type Line } from '../draw/line.ts';
import { held } from '../scale/value-range.ts';
import { timeLabels } from '../scale/time-labels.ts';
import { valueLabels } from '../scale/value-labels.ts';
import type { TimeSpan } from '../time/window.ts';
import type { SceneLook, ScenePane } from './scene.ts';
import { timeTicks, valueTicks } from '../scale/ticks.ts';
import { element, short, textAt, titleSvg, widthOf } from './xml.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const FONT = 12;
const TICK = 5;
const LINE_WIDTH = 1.5;
/** Of lines with more points than pixels. */
const DENSE_LINE_WIDTH = 1;
/** Pixels between two labels. */
const TIME_APART = 110;
const VALUE_APART = 40;
const ARROW = 7;
/** Axes and lines of one plot. `id` tells it from the other plots of a picture. */
export function plotSvg(
  { lines, drawing, behind = [], ranges }: ScenePane,
  {
    box,
    window,
    look,
    id,
  }: { readonly box: Box; readonly window: TimeSpan; readonly look: SceneLook; readonly id: string },
): string {
  const { left, top, width, height } = box;
  const sides = (['left', 'right'] as const).filter((side) => ranges[side] !== undefined);
  const x = (instant: number) => short(left + ((instant - window.from) / (window.to - window.from)) * width);
  const paint = (drawn: Line | undefined, line: ChartLine, hasArrows: boolean) => {
    const range = ranges[line.axis];
    if (!drawn || !range) return '';
    const [low, high] = range;
    const y = (value: number) => short(top + ((high - held(value)) / (high - low)) * height);
    const arrows = hasArrows ? arrowsSvg(line, drawn, { x, range, box, look }) : '';
    return lineSvg(line, drawn, { x, y, look, width }) + arrows;
  };
  const painted = lines.map((line, index) => paint(drawing[index], line, true));
  const pale = behind.map((drawn, index) => (lines[index] ? paint(drawn, lines[index], false) : ''));
  const clip = element('clipPath', { id }, element('rect', { x: left, y: top, width, height }));
  return [
    sides
      .map((side, place) => valueAxis({ lines, ranges }, side, { box, look, hasGrid: place === 0 }))
      .join(''),
    element('defs', {}, clip),
    pale.length > 0 && element('g', { 'clip-path': `url(#${id})`, opacity: PALE }, pale.join('')),
    element('g', { 'clip-path': `url(#${id})` }, painted.join('')),
    element('rect', { x: left, y: top, width, height, fill: 'none', stroke: look.grid }),
  ]
    .filter(Boolean)
    .join('');
}

interface Places {
  readonly x: (instant: number) => number;
  readonly y: (value: number) => number;
  readonly look: SceneLook;
  readonly width: number;
}

function lineSvg(
  { look: own, label }: ChartLine,
  { times, values, starts, dots }: Line,
  { x, y, look, width }: Places,
): string {
  const color = look.line(own);
  let path = '';
  for (const [run, start] of starts.entries()) {
    const end = starts[run + 1] ?? times.length;
    for (let i = start; i < end; i++)
      path += `${i === start ? 'M' : 'L'}${x(times[i] ?? 0)} ${y(values[i] ?? 0)}`;
  }
  const points = dots.map((dot) => `M${x(times[dot] ?? 0)} ${y(values[dot] ?? 0)}h0`).join('');
  const stroke = element(
    'path',
    {
      d: path || 'M0 0',
      fill: 'none',
      stroke: color,
      'stroke-width': times.length > width ? DENSE_LINE_WIDTH : LINE_WIDTH,
      'stroke-linejoin': 'round',
      'stroke-dasharray': look.dash(own).join(' ') || undefined,
    },
    titleSvg(label),
  );
  const dotted = element('path', {
    d: points,
    fill: 'none',
    stroke: color,
    'stroke-width': DOT,
    'stroke-linecap': 'round',
  });
  return stroke + (points === '' ? '' : dotted);
}

/** Arrows at the edges where a line goes beyond its axis. */
function arrowsSvg(
  { look: own }: ChartLine,
  { times, values }: Line,
  {
    x,
    range: [low, high],
    box,
    look,
  }: {
    readonly x: (instant: number) => number;
    readonly range: readonly [number, number];
    readonly box: Box;
    readonly look: SceneLook;
  },
): string {
  const latest = { up: -Infinity, down: -Infinity };
  let path = '';
  for (const [at, value] of values.entries()) {
    if (value >= low && value <= high) continue;
    const place = x(times[at] ?? 0);
    const way = value > high ? 'up' : 'down';
    if (place < box.left || place > box.left + box.width || place - latest[way] < ARROW + 2) continue;
    latest[way] = place;
    const [tip, back] = way === 'up' ? [box.top, ARROW] : [box.top + box.height, -ARROW];
    path += `M${place} ${tip}l${-ARROW / 2} ${back}h${ARROW}z`;
  }
  return path === '' ? '' : element('path', { d: path, fill: look.line(own) });
}

function valueAxis(
  { lines, ranges }: Pick<ScenePane, 'lines' | 'ranges'>,
  side: AxisSide,
  { box, look, hasGrid }: { readonly box: Box; readonly look: SceneLook; readonly hasGrid: boolean },
): string {
  const [low, high] = ranges[side] ?? [0, 1];
  const members = lines.filter(({ axis }) => axis === side);
  const [unit = '', ...others] = new Set(members.map((line) => line.unit));
  const shown = others.length === 0 ? unit : '';
  const { at } = valueTicks(low, high, Math.max(2, box.height / VALUE_APART));
  const labels = valueLabels(at, shown);
  const color = members.length === 1 ? look.line(members[0]?.look ?? 0) : look.text;
  const isLeft = side === 'left';
  const edge = isLeft ? box.left : box.left + box.width;
  const outwards = isLeft ? -1 : 1;
  const parts = at.map((value, index) => {
    const y = short(box.top + ((high - value) / (high - low)) * box.height);
    const grid = `M${edge} ${y}h${outwards * TICK}${hasGrid ? `M${box.left} ${y}h${box.width}` : ''}`;
    return (
      element('path', { d: grid, stroke: look.grid, fill: 'none' }) +
      textAt(edge + outwards * (TICK + 4), y + FONT / 3, labels[index] ?? '', {
        'text-anchor': isLeft ? 'end' : 'start',
        fill: color,
        'font-size': FONT,
      })
    );
  });
  if (shown !== '')
    parts.push(
      textAt(edge, box.top - 6, shown, {
        'text-anchor': isLeft ? 'start' : 'end',
        fill: color,
        'font-size': FONT,
      }),
    );
  return parts.join('');
}

/** Labels of time below a plot, and its grid over all of `boxes`. */
export function timeAxisSvg(
  boxes: readonly Box[],
  { window, zone, look }: { readonly window: TimeSpan; readonly zone: Zone; readonly look: SceneLook },
): string {
  const last = boxes.at(-1);
  if (!last) return '';
  const { at, step } = timeTicks(window, Math.max(2, last.width / TIME_APART), zone);
  const labels = timeLabels(at, step, zone);
  return at
    .map((tick, index) => {
      const x = short(last.left + ((tick * 1000 - window.from) / (window.to - window.from)) * last.width);
      const grid = boxes.map(({ top, height }) => `M${x} ${top}v${height}`).join('');
      const [clock = '', day = ''] = (labels[index] ?? '').split('\n');
      const under = (text: string, line: number) =>
        textAt(x, last.top + last.height + 18 + line * 16, text, {
          'text-anchor': 'middle',
          fill: look.text,
          'font-size': FONT,
        });
      return (
        element('path', { d: grid, stroke: look.grid, fill: 'none' }) +
        under(clock, 0) +
        (day && under(day, 1))
      );
    })
    .join('');
}

/** How much room the labels beside a plot take. */
export function roomBeside({ ranges }: Pick<ScenePane, 'ranges'>, side: AxisSide, height: number): number {
  const range = ranges[side];
  if (!range) return 16;
  const labels = valueLabels(valueTicks(range[0], range[1], Math.max(2, height / VALUE_APART)).at);
  return Math.max(48, ...labels.map((label) => widthOf(label, FONT) + TICK + 14));
}
