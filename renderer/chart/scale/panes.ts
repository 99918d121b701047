import type { ChartLine } from '../draw/chart-line.ts';
import type { Drawing, Line } from '../draw/line.ts';
import { axisRanges, type AxisRanges } from './axis-ranges.ts';
import type { AxisSpan, YMode } from './y-mode.ts';

/** A plot: all lines of a chart, or those of one key among others above one another. */
export interface Pane {
  /** Of a chart that is not stacked: empty. */
  readonly id: string;
  readonly lines: readonly ChartLine[];
  /** Where its lines stand among all lines of the chart. */
  readonly places: readonly number[];
  readonly drawing: Drawing;
  /** What is drawn pale behind each line; empty for nothing. */
  readonly behind: Drawing;
  readonly ranges: AxisRanges;
  /** Whether outliers lie beyond an axis. */
  readonly isCut: boolean;
}

interface Asked {
  readonly lines: readonly ChartLine[];
  /** One a line. */
  readonly drawing: Drawing;
  /** Pale behind them, one a line; empty or absent for nothing. */
  readonly behind?: Drawing;
  /** The ids of the lines that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  readonly isStacked: boolean;
  readonly mode: YMode;
  /** Ends that were given by hand, by axis, or of stacked panes by key. */
  readonly fixed: Readonly<Record<string, AxisSpan>>;
  /** Numbers of a line in the window, evenly taken. */
  readonly numbersOf: (place: number) => Float64Array;
}

/** The plots of a chart. Lines of one key share a pane, whichever devices they are of. */
export function panesOf({
  lines,
  drawing,
  behind = [],
  hidden,
  isStacked,
  mode,
  fixed,
  numbersOf,
}: Asked): readonly Pane[] {
  const places = [...lines.keys()].filter((place) => !hidden.has(lines[place]?.id ?? ''));
  const groups = new Map<string, number[]>();
  for (const place of places) {
    const id = isStacked ? (lines[place]?.key ?? '') : '';
    groups.set(id, [...(groups.get(id) ?? []), place]);
  }
  return [...groups].map(([id, members]) => {
    const own = members.flatMap((place) => lines[place] ?? []);
    // A pane has one axis, and all of them stand in a row.
    const ofPane = isStacked ? own.map((line): ChartLine => ({ ...line, axis: 'left' })) : own;
    const drawn = members.map((place) => drawing[place] ?? NO_LINE);
    const pale = behind.length === 0 ? NOTHING : members.map((place) => behind[place] ?? NO_LINE);
    const given = isStacked ? { left: fixed[id] } : { left: fixed['left'], right: fixed['right'] };
    const found = axisRanges({
      lines: ofPane,
      drawing: drawn.map((line, index) => withRoomFor(line, pale[index])),
      mode,
      fixed: Object.fromEntries(Object.entries(given).filter(([, span]) => span !== undefined)),
      numbersOf: (index) => numbersOf(members[index] ?? 0),
    });
    return { id, lines: ofPane, places: members, drawing: drawn, behind: pale, ...found };
  });
}

const NOTHING: Drawing = [];

/** A line as its axis is measured: what lies behind it is to be seen, too. */
function withRoomFor(line: Line, behind: Line | undefined): Line {
  if (!behind) return line;
  return { ...line, min: Math.min(line.min, behind.min), max: Math.max(line.max, behind.max) };
}

const NO_LINE = { times: [], values: [], starts: [], dots: [], min: Infinity, max: -Infinity };
