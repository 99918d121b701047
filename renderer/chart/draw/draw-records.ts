import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { KeyReading, SeriesPicture, SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { ColumnView } from '../records/columns.ts';
import { drawSeries } from './draw-series.ts';
import { LineBuilder, type Drawing, type Line } from './line.ts';
import { firstNotBefore, type TimeSpan } from '../time/window.ts';

/*
 * What to draw of millions of points: per column of pixels and key the first, smallest, largest and last value (M4: Jugel,
 * Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014), as the service
 * tells them of records that are too many to be loaded.
 */

/** Rows per pixel column above which points are left out: M4 keeps up to four per key. */
const ROWS_PER_PIXEL = 4;

/** What is known of a key besides the records at hand. */
export interface KeyFacts {
  /** What usually passes between two of its numbers, in µs; null where it has no two. */
  readonly interval: number | null;
  /** Its numbers nearest to the records at hand, before and after them. */
  readonly before: KeyReading | null;
  readonly after: KeyReading | null;
}

/**
 * The lines of `view` inside `window` (whole µs) at `width` pixels. A row breaks no line of a key that it lacks: other
 * sensors write rows of their own.
 */
export function drawRecords(
  view: ColumnView,
  facts: readonly KeyFacts[],
  window: TimeSpan,
  width: number,
): Drawing {
  const from = firstNotBefore(view.timestamps, window.from);
  const to = firstNotBefore(view.timestamps, window.to + 1);
  if (to - from > width * ROWS_PER_PIXEL)
    return drawSeries(seriesOfRows(view, facts, window, width, from, to));
  return view.columns.map((column, key) =>
    lineOf(view.timestamps, column, facts[key] ?? UNKNOWN, { window, width, from, to }),
  );
}

const UNKNOWN: KeyFacts = { interval: null, before: null, after: null };

interface Span {
  readonly window: TimeSpan;
  readonly width: number;
  /** Rows in the window. */
  readonly from: number;
  readonly to: number;
}

function lineOf(
  timestamps: Float64Array,
  column: Float64Array,
  { interval, before, after }: KeyFacts,
  { window, width, from, to }: Span,
): Line {
  const builder = new LineBuilder(window, width, interval);
  const into = rowBefore(column, from);
  const out = rowFrom(column, to);
  const comesFrom = into === -1 ? before : readingOf(timestamps, column, into);
  if (comesFrom) builder.point(comesFrom.instant, comesFrom.value);
  for (let row = from; row < to; row++) {
    const value = column[row] ?? Number.NaN;
    if (!Number.isNaN(value)) builder.point(timestamps[row] ?? 0, value);
  }
  const leadsTo = out === -1 ? after : readingOf(timestamps, column, out);
  if (leadsTo) builder.point(leadsTo.instant, leadsTo.value);
  return builder.line();
}

function readingOf(timestamps: Float64Array, column: Float64Array, row: number): KeyReading {
  return { instant: timestamps[row] ?? 0, value: column[row] ?? 0 };
}

/** The last row before `row` that has a number; -1 where none has. */
export function rowBefore(column: Float64Array, row: number): number {
  let at = row - 1;
  while (at >= 0 && Number.isNaN(column[at])) at--;
  return at;
}

/** The first row from `row` on that has a number; -1 where none has. */
export function rowFrom(column: Float64Array, row: number): number {
  let at = row;
  while (at < column.length && Number.isNaN(column[at])) at++;
  return at < column.length ? at : -1;
}

/** The series that the service would give of the same records: rows `from` up to `to`. */
function seriesOfRows(
  view: ColumnView,
  facts: readonly KeyFacts[],
  { from: start, to: end }: TimeSpan,
  width: number,
  from: number,
  to: number,
): SeriesPicture {
  const { timestamps } = view;
  const edges = Array.from(columnStarts(start, end, width), (edge) => firstNotBefore(timestamps, edge));
  edges.push(to);
  const keys = view.columns.map((column, key): SeriesPictureKey => {
    const { interval, before, after } = facts[key] ?? UNKNOWN;
    const into = rowBefore(column, from);
    const out = rowFrom(column, to);
    return {
      key: '',
      interval,
      before: into === -1 ? before : readingOf(timestamps, column, into),
      after: out === -1 ? after : readingOf(timestamps, column, out),
      ...pixelColumns(timestamps, column, edges),
    };
  });
  return { start, end, width, keys };
}

type PixelColumns = Omit<SeriesPictureKey, 'key' | keyof KeyFacts>;

function pixelColumns(
  timestamps: Float64Array,
  column: Float64Array,
  edges: readonly number[],
): PixelColumns {
  const width = edges.length - 1;
  const gaps = () => new Float64Array(width).fill(Number.NaN);
  const [min, max, first, last, firstTimes, lastTimes] = [gaps(), gaps(), gaps(), gaps(), gaps(), gaps()];
  const counts = new Uint32Array(width);
  for (let at = 0; at < width; at++) {
    const end = edges[at + 1] ?? 0;
    let count = 0;
    let firstRow = -1;
    let lastRow = -1;
    let least = Infinity;
    let most = -Infinity;
    for (let row = edges[at] ?? end; row < end; row++) {
      const value = column[row] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      if (count++ === 0) firstRow = row;
      lastRow = row;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (count === 0) continue;
    counts[at] = count;
    min[at] = least;
    max[at] = most;
    first[at] = column[firstRow] ?? 0;
    last[at] = column[lastRow] ?? 0;
    firstTimes[at] = timestamps[firstRow] ?? 0;
    lastTimes[at] = timestamps[lastRow] ?? 0;
  }
  return { counts, min, max, first, last, firstTimes, lastTimes };
}
