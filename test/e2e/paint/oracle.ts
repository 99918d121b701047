import type { Recording } from './shapes.ts';

/*
 * Where a chart must have ink and where it must not, said from the records alone. What lies near the rule's edge (a
 * silence of about ten usual intervals) may be drawn either way.
 */

/** A picture of a chart: a byte a pixel, row by row, 0 without ink, 255 ink of several, else a key's number + 1. */
export interface Picture {
  /** Of the plot in pixels; the picture reaches so many `around` it. */
  readonly width: number;
  readonly height: number;
  readonly around: number;
  readonly ink: Uint8Array;
  /** What the plot spans: the time in µs, and each key's axis. */
  readonly from: number;
  readonly to: number;
  readonly axes: readonly (readonly [low: number, high: number])[];
}

/** Silences that break a line beyond doubt, and that surely do not, in usual intervals. */
const SURELY_BROKEN = 20;
const SURELY_WHOLE = 5;
/** Pixels that a point may be off: rounding, half a line, and the third of a column that M4 moves an extreme by. */
const OFF = 3;
/** Pixels beside a gap that dots and rounded ends may reach into. */
const MARGIN = 6;
const NARROWEST_GAP = 2 * MARGIN + 8;
/** Columns of a gap that may hold the key's colour by chance: where two other lines cross, they may mix it. */
const CHANCE = 0.3;
const MOST_PROBLEMS = 5;

/** What is wrong with a picture of the keys `drawn` (their columns in the recording), in words; empty where nothing is. */
export function problemsOf(recording: Recording, drawn: readonly number[], picture: Picture): string[] {
  const columns = drawn.map((key) => recording.columns[key] ?? new Float64Array());
  const bands = columns.map((column, line) => bandOf(recording.times, column, line, picture));
  return drawn.flatMap((key, line) => {
    const found = problemsOfKey(recording.times, columns[line]!, line, picture);
    if (isUncovered(bands, line) && !picture.ink.includes(line + 1))
      found.push('no pixel of its colour, and no other line lies over all of it');
    return found.slice(0, MOST_PROBLEMS).map((problem) => `${recording.keys[key] ?? ''}: ${problem}`);
  });
}

/** The rows of pixels from the highest to the lowest number of each column of pixels; Infinity and less where none is. */
interface Band {
  readonly top: Float64Array;
  readonly bottom: Float64Array;
}

function bandOf(times: Float64Array, column: Float64Array, line: number, picture: Picture): Band {
  const { from, to, width, height } = picture;
  const [low, high] = picture.axes[line] ?? [0, 1];
  const top = new Float64Array(width + 1).fill(Infinity);
  const bottom = new Float64Array(width + 1).fill(-Infinity);
  for (const [row, value] of column.entries()) {
    const time = times[row] ?? 0;
    if (Number.isNaN(value) || time < from || time > to) continue;
    const px = Math.floor(((time - from) / (to - from)) * width);
    const py = ((high - value) / (high - low)) * height;
    if (py < (top[px] ?? 0)) top[px] = py;
    if (py > (bottom[px] ?? 0)) bottom[px] = py;
  }
  return { top, bottom };
}

/** Whether a line reaches out of all that are drawn after it, over it, for so many columns of pixels that it must be seen. */
function isUncovered(bands: readonly Band[], line: number): boolean {
  const { top, bottom } = bands[line]!;
  const over = bands.slice(line + 1);
  const isFree = (py: number, px: number) =>
    over.every((band) => !(py > (band.top[px] ?? 0) - OFF && py < (band.bottom[px] ?? 0) + OFF));
  // The lines of the columns beside it may cover a single one.
  let free = 0;
  return top.some((highest, px) => {
    const isSeen = highest !== Infinity && (isFree(highest, px) || isFree(bottom[px] ?? 0, px));
    free = isSeen ? free + 1 : 0;
    return free > OFF;
  });
}

function problemsOfKey(times: Float64Array, column: Float64Array, line: number, picture: Picture): string[] {
  const { from, to, width, height } = picture;
  const [low, high] = picture.axes[line] ?? [0, 1];
  const x = (time: number) => ((time - from) / (to - from)) * width;
  const y = (value: number) => ((high - value) / (high - low)) * height;
  const { short, long } = usualOf(times, column);
  const problems: string[] = [];
  const at = (px: number, py: number) => `at ${Math.round(px)}, ${Math.round(py)} of ${width} × ${height}`;
  const expectInk = (px: number, py: number, what: string) => {
    const isSeen = px >= 0 && px <= width && py >= 0 && py <= height;
    if (isSeen && !hasInk(picture, px, py)) problems.push(`${what} ${at(px, py)} is not painted`);
  };

  const lowest = new Float64Array(width + 1).fill(Infinity);
  const highest = new Float64Array(width + 1).fill(-Infinity);
  let previous: { readonly time: number; readonly value: number } | null = null;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? Number.NaN;
    const time = times[row] ?? 0;
    if (Number.isNaN(value)) continue;
    if (time >= from && time <= to) {
      const pixel = Math.floor(x(time));
      if (value < (lowest[pixel] ?? 0)) lowest[pixel] = value;
      if (value > (highest[pixel] ?? 0)) highest[pixel] = value;
    }
    if (previous !== null && time >= from && previous.time <= to) {
      const [left, right] = [x(previous.time), x(time)];
      const silence = time - previous.time;
      if (silence > SURELY_BROKEN * long && right - left > NARROWEST_GAP) {
        const share = inkedShare(picture, line, left + MARGIN, right - MARGIN);
        if (share > CHANCE)
          problems.push(`a line crosses the silence from ${at(left, 0)} to ${Math.round(right)}`);
      } else if (silence < SURELY_WHOLE * short && right - left > OFF) {
        for (const part of [0.25, 0.5, 0.75])
          expectInk(
            left + part * (right - left),
            y(previous.value + part * (value - previous.value)),
            'the line between two numbers',
          );
      }
    }
    previous = { time, value };
  }
  for (let pixel = 0; pixel <= width; pixel++) {
    if ((lowest[pixel] ?? Infinity) === Infinity) continue;
    for (const value of [lowest[pixel] ?? 0, highest[pixel] ?? 0]) {
      if (value < low || value > high) problems.push(`${value} is beyond its axis from ${low} to ${high}`);
      else expectInk(pixel + 0.5, y(value), `the extreme ${value}`);
    }
  }
  return problems;
}

/** Around the median of a key's own intervals: where half of them are short and half long, either may be the usual one. */
function usualOf(times: Float64Array, column: Float64Array): Usual {
  const known = usual.get(column) ?? measured(times, column);
  usual.set(column, known);
  return known;
}

interface Usual {
  readonly short: number;
  readonly long: number;
}

const usual = new WeakMap<Float64Array, Usual>();

function measured(times: Float64Array, column: Float64Array): Usual {
  const intervals: number[] = [];
  let before = Number.NaN;
  for (let row = 0; row < column.length; row++) {
    if (Number.isNaN(column[row])) continue;
    const interval = (times[row] ?? 0) - before;
    before = times[row] ?? 0;
    if (interval > 0) intervals.push(interval);
  }
  const sorted = Float64Array.from(intervals).toSorted();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity;
  return { short: at(0.4), long: at(0.6) };
}

/** Whether anything is painted about there: another key's line may lie over this one's. */
function hasInk({ ink, width, height, around }: Picture, px: number, py: number): boolean {
  const stride = width + 2 * around;
  const [left, right] = [Math.floor(px) - OFF + around, Math.floor(px) + OFF + around];
  const [top, bottom] = [Math.floor(py) - OFF + around, Math.floor(py) + OFF + around];
  for (let row = Math.max(0, top); row <= Math.min(height + 2 * around - 1, bottom); row++)
    for (let column = Math.max(0, left); column <= Math.min(stride - 1, right); column++)
      if (ink[row * stride + column]) return true;
  return false;
}

/** The share of the columns of pixels, of those in the plot, that hold ink of a line's colour. */
function inkedShare(
  { ink, width, height, around }: Picture,
  line: number,
  left: number,
  right: number,
): number {
  const stride = width + 2 * around;
  const from = Math.max(0, Math.ceil(left));
  const to = Math.min(width - 1, Math.floor(right));
  if (to - from < 4) return 0;
  let inked = 0;
  for (let column = from; column <= to; column++)
    for (let row = 0; row < height; row++)
      if (ink[(row + around) * stride + column + around] === line + 1) {
        inked++;
        break;
      }
  return inked / (to - from + 1);
}
