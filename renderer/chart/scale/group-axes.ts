import type { AxisSide } from '../draw/chart-line.ts';
import type { Bounds } from '../records/columns.ts';

/** Lines share an axis while that leaves each at least this share of the height. */
const SMALLEST_SHARE = 0.2;
/** A line of less is flat: rather than that, two axes become one. */
const FLAT_SHARE = 0.05;

/** What decides on which axis a line goes. */
export interface Measured {
  /** Of all its numbers; min > max while there is none. */
  readonly bounds: Bounds;
  readonly unit: string;
  /** The axis that was chosen for it by hand. */
  readonly wanted?: AxisSide | null;
}

interface Axis {
  readonly side: AxisSide;
  readonly unit: string;
  readonly whole: Bounds;
  readonly narrowest: number;
}

/**
 * Puts lines on two axes at most: those of one unit share one; a CO₂ level of 700 beside temperatures gets its own,
 * because it would press them flat. What fits neither gets an axis of its own where the others can be read on one, else
 * it goes where it is pressed least.
 */
export function groupAxes(lines: readonly Measured[]): AxisSide[] {
  const axes = new Map<AxisSide, Axis>();
  const sides = new Map<number, AxisSide>();
  const settle = (index: number, line: Measured, side: AxisSide) => {
    axes.set(side, joined(axes.get(side), side, line));
    sides.set(index, side);
  };
  for (const [index, line] of lines.entries()) if (line.wanted) settle(index, line, line.wanted);
  for (const [index, line] of lines.entries()) {
    if (sides.has(index)) continue;
    const side = sideFor(line, axes);
    const axis = axes.get(side);
    const pressed = axes.size === 2 && axis && !isAlike(axis, line) && shareOn(axis, line) < FLAT_SHARE;
    settle(index, line, pressed && joinRight() ? 'right' : side);
  }
  // A single axis stands on the left, unless it was put elsewhere by hand.
  return lines.map((_, index) => sides.get(index) ?? 'left');

  /** Moves all lines to the left axis where each can be read there, and says whether it did. */
  function joinRight(): boolean {
    const [left, right] = [axes.get('left'), axes.get('right')];
    if (!left || !right || lines.some(({ wanted }) => wanted)) return false;
    if (left.unit !== '' && right.unit !== '') return false;
    const min = Math.min(left.whole.min, right.whole.min);
    const max = Math.max(left.whole.max, right.whole.max);
    const narrowest = Math.min(left.narrowest, right.narrowest);
    if (narrowest / (max - min) < FLAT_SHARE) return false;
    axes.set('left', { side: 'left', unit: left.unit || right.unit, whole: { min, max }, narrowest });
    axes.delete('right');
    for (const index of sides.keys()) sides.set(index, 'left');
    return true;
  }
}

/**
 * Whether two axes are too few: lines of unlike unit or size would share one, and some of them be pressed flat. Where an
 * axis was chosen by hand, that is how they are wanted. What has no numbers decides nothing.
 */
export function needsMoreAxes(lines: readonly Measured[]): boolean {
  const known = lines.filter(({ bounds }) => bounds.min <= bounds.max);
  if (known.some(({ wanted }) => wanted)) return false;
  const sides = groupAxes(known);
  return (['left', 'right'] as const).some((side) =>
    areUnlike(known.filter((_, index) => sides[index] === side)),
  );
}

function areUnlike(lines: readonly Measured[]): boolean {
  const units = new Set(lines.map(({ unit }) => unit));
  if ([...units].filter(Boolean).length > 1) return true;
  if (units.size === 1 && !units.has('')) return false;
  // A constant is flat on any axis.
  const heights = lines.map(({ bounds: { min, max } }) => max - min).filter((height) => height > 0);
  const whole =
    Math.max(...lines.map(({ bounds }) => bounds.max)) - Math.min(...lines.map(({ bounds }) => bounds.min));
  return lines.length > 1 && heights.some((height) => height / whole < SMALLEST_SHARE);
}

function sideFor(line: Measured, axes: ReadonlyMap<AxisSide, Axis>): AxisSide {
  const known = [...axes.values()];
  const alike = known.find((axis) => isAlike(axis, line));
  if (alike) return alike.side;
  const fitting = known.find(
    (axis) => (axis.unit === '' || line.unit === '') && shareOn(axis, line) >= SMALLEST_SHARE,
  );
  if (fitting) return fitting.side;
  const free = (['left', 'right'] as const).find((side) => !axes.has(side));
  if (free) return free;
  const [first, second] = known;
  return first && second && shareOn(second, line) > shareOn(first, line)
    ? second.side
    : (first?.side ?? 'left');
}

/** Whether a line stays on an axis whatever its size, being of its unit. */
function isAlike(axis: Axis, { unit }: Measured): boolean {
  return unit !== '' && unit === axis.unit;
}

/** The share of the height that is left to the one that is pressed most. */
function shareOn({ whole, narrowest }: Axis, { bounds }: Measured): number {
  const span = spanOf(bounds);
  const joint = Math.max(whole.max, span.max) - Math.min(whole.min, span.min);
  return Math.min(narrowest, span.max - span.min) / joint;
}

function joined(axis: Axis | undefined, side: AxisSide, { bounds, unit }: Measured): Axis {
  const span = spanOf(bounds);
  const height = span.max - span.min;
  if (!axis) return { side, unit, whole: span, narrowest: height };
  return {
    side,
    unit: axis.unit || unit,
    whole: { min: Math.min(axis.whole.min, span.min), max: Math.max(axis.whole.max, span.max) },
    narrowest: Math.min(axis.narrowest, height),
  };
}

/** The span of a line; a constant or absent one is given some height, so that it can be drawn and shared. */
function spanOf({ min, max }: Bounds): Bounds {
  if (min > max) return { min: 0, max: 1 };
  if (min < max) return { min, max };
  const room = Math.abs(min) * 0.1 || 1;
  return { min: min - room, max: max + room };
}
