import { columnStarts } from '#shared/pixel-columns.ts';
import type { ColumnView } from './columns.ts';
import { firstNotBefore, type TimeWindow } from './window.ts';

/*
 * What to draw of millions of points: per column of pixels and key the first, smallest, largest and last value (M4: Jugel,
 * Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014). A line
 * through these covers the pixels that a line through all points covers.
 */

/** Rows per pixel column above which points are left out: M4 keeps up to four per key. */
const ROWS_PER_PIXEL = 4;
/** A pause this many times the usual interval breaks the line: the device was silent, nothing lay in between. */
export const PAUSE_FACTOR = 10;
const INTERVAL_SAMPLES = 512;

/** Instants in ms (uPlot's unit, fractions kept) and a value per key: null breaks a line, undefined is passed over. */
export interface Drawing {
  readonly times: number[];
  readonly values: (number | null | undefined)[][];
}

/**
 * The points that draw `view` inside `window` (whole µs) at `width` pixels, and a row on either side so that lines
 * reach the edges.
 * A row without a number breaks a key's line, unless most rows lack the key: then other sensors write rows of
 * their own in between, and their silence says nothing about this one.
 */
export function draw(
  view: ColumnView,
  window: TimeWindow,
  width: number,
  sparse: readonly boolean[],
): Drawing {
  const { timestamps } = view;
  const from = Math.max(0, firstNotBefore(timestamps, window.from) - 1);
  const to = Math.min(timestamps.length, firstAfter(timestamps, window.to) + 1);
  const all = to - from <= width * ROWS_PER_PIXEL;
  const rows = all ? range(from, to) : pickRows(view, from, to, window, width);
  return gather(view, rows, pauseOf(timestamps, from, to), sparse);
}

const firstAfter = (timestamps: Float64Array, instant: number) => firstNotBefore(timestamps, instant + 1);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** The rows that any key needs, ascending. */
function pickRows(view: ColumnView, from: number, to: number, window: TimeWindow, width: number): number[] {
  const rows: number[] = [];
  const picked = new Set<number>();
  let start = from;
  // The row before the window and the one after it lie in columns of their own.
  for (const edge of [...columnStarts(window.from, window.to, width), window.to + 1, Infinity]) {
    const end = Math.min(to, firstNotBefore(view.timestamps, edge));
    if (end <= start) continue;
    for (const column of view.columns) pickOfColumn(column, start, end, picked);
    // The edges of the rows themselves: a pause between two columns of pixels is seen by them.
    picked.add(start).add(end - 1);
    rows.push(...[...picked].toSorted((a, b) => a - b));
    picked.clear();
    start = end;
  }
  return rows;
}

function pickOfColumn(column: Float64Array, start: number, end: number, picked: Set<number>): void {
  let first = -1;
  let last = -1;
  let min = -1;
  let max = -1;
  let minValue = Infinity;
  let maxValue = -Infinity;
  for (let row = start; row < end; row++) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (first === -1) first = row;
    last = row;
    if (value < minValue) {
      minValue = value;
      min = row;
    }
    if (value > maxValue) {
      maxValue = value;
      max = row;
    }
  }
  if (first !== -1) picked.add(first).add(min).add(max).add(last);
}

function gather(
  view: ColumnView,
  rows: readonly number[],
  pauseUs: number,
  sparse: readonly boolean[],
): Drawing {
  const times: number[] = [];
  const values: (number | null | undefined)[][] = view.columns.map(() => []);
  let previous = Infinity;
  for (const row of rows) {
    const instant = view.timestamps[row] ?? Number.NaN;
    const before = view.timestamps[row - 1] ?? Infinity;
    if (previous !== Infinity && instant - before > pauseUs) {
      times.push((before + instant) / 2000);
      for (const [key, drawn] of values.entries()) drawn.push(sparse[key] ? undefined : null);
    }
    times.push(instant / 1000);
    for (const [key, drawn] of values.entries()) {
      const value = view.columns[key]?.[row] ?? Number.NaN;
      drawn.push(Number.isNaN(value) ? (sparse[key] ? undefined : null) : value);
    }
    previous = row;
  }
  return { times, values };
}

/** How long a silence breaks a line, in µs: many times the median interval of a sample of the rows. */
export function pauseOf(timestamps: Float64Array, from: number, to: number): number {
  const step = Math.max(1, Math.floor((to - from) / INTERVAL_SAMPLES));
  const intervals: number[] = [];
  for (let row = from + 1; row < to; row += step)
    intervals.push((timestamps[row] ?? 0) - (timestamps[row - 1] ?? 0));
  intervals.sort((a, b) => a - b);
  const median = intervals[intervals.length >> 1] ?? 0;
  return median > 0 ? median * PAUSE_FACTOR : Infinity;
}
