import type { AxisSide, ChartLine } from '../draw/chart-line.ts';
import type { Drawing } from '../draw/line.ts';
import type { Bounds } from '../records/columns.ts';
import { mayBePressed, robustBounds } from './outliers.ts';
import { axisRange, type AxisSpan, type YMode } from './y-mode.ts';

interface Asked {
  readonly lines: readonly ChartLine[];
  /** One a line. */
  readonly drawing: Drawing;
  readonly mode: YMode;
  /** The axes that have their ends by hand. */
  readonly fixed: AxisRanges;
  /** Numbers of a line in the window, evenly taken. */
  readonly numbersOf: (line: number) => Float64Array;
}

/** The ends of each axis; none where nothing is seen. */
export type AxisRanges = Readonly<Partial<Record<AxisSide, AxisSpan>>>;

interface AxisRangesFound {
  readonly ranges: AxisRanges;
  /** Whether outliers lie beyond one of them. */
  readonly isCut: boolean;
}

/** What each axis reaches over while a window is looked at. */
export function axisRanges({ lines, drawing, mode, fixed, numbersOf }: Asked): AxisRangesFound {
  const ranges: Partial<Record<AxisSide, AxisSpan>> = {};
  let isCut = false;
  for (const side of ['left', 'right'] as const) {
    const members = lines.flatMap(({ axis }, index) => (axis === side ? [index] : []));
    if (members.length === 0) continue;
    const byHand = fixed[side];
    if (byHand) {
      ranges[side] = byHand;
      continue;
    }
    const bounds = joint(members.map((index) => drawing[index] ?? NOTHING));
    const found = axisRange(mode, {
      bounds,
      // Of each line by itself: few numbers of one would be outliers beside many of another.
      robust: () => joint(members.map((index) => robustBounds(numbersOf(index)))),
      mayBePressed: () => members.every((index) => mayBePressed(numbersOf(index), bounds)),
    });
    if (!found) continue;
    ranges[side] = found.span;
    isCut ||= found.isCut;
  }
  return { ranges, isCut };
}

const NOTHING: Bounds = { min: Infinity, max: -Infinity };

function joint(all: readonly Bounds[]): Bounds {
  return {
    min: Math.min(...all.map(({ min }) => min)),
    max: Math.max(...all.map(({ max }) => max)),
  };
}
