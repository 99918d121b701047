import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { BlockColumn } from '../block/block-column.ts';
import type { Block } from '../block/block.ts';
import { BLOCK_ROWS } from '../block/block-writer.ts';
import { lowerBound } from '../../../../../shared/values/lower-bound.ts';
import { GROUP } from '../codec/number-format.ts';
import type { NumberStream } from '../codec/number-stream.ts';
import type { Edge, PixelSink } from './accumulator.ts';
import { columnAt, nextStart } from './pixel-columns.ts';
import type { KeyStats } from '../block/block-stats.ts';

/* A block that more than one column of pixels, or the edge of the picture, divides. */

const roomFor = (count: number) => ({ rows: new Float64Array(count), numbers: new Float64Array(count) });
let drawable = roomFor(BLOCK_ROWS);
const firstEdge: Edge = { time: 0, value: 0 };
const lastEdge: Edge = { time: 0, value: 0 };

/** Rows [from, to) of a block that fall into one column. */
export interface Stretch {
  readonly column: number;
  readonly from: number;
  readonly to: number;
  readonly firstTime: Micros;
  readonly lastTime: Micros;
}

/** Reads single numbers of a stream; keeps the group decoded last, which the next number is mostly in. */
class GroupReader {
  readonly #values = new Float64Array(GROUP);
  #stream: NumberStream | null = null;
  #group = -1;

  open(stream: NumberStream): void {
    this.#stream = stream;
    this.#group = -1;
  }

  group(group: number): Float64Array {
    if (group !== this.#group) this.#stream?.group(group, this.#values, 0);
    this.#group = group;
    return this.#values;
  }

  at(row: number): number {
    return this.group(Math.floor(row / GROUP))[row % GROUP]!;
  }
}

const times = new GroupReader();
const values = new GroupReader();

/** Divides a block's rows at the edges of the columns, and opens its `times`. */
export function stretchesOf(
  block: Block,
  { first, last }: { readonly first: Micros; readonly last: Micros },
  starts: Float64Array,
  range: Required<TimeRange>,
  column: number,
): Stretch[] {
  times.open(block.times);
  const stretches: Stretch[] = [];
  const end = last <= range.end ? block.rows : firstRowAt(block, range.end + 1, 0);
  let from = first >= range.start ? 0 : firstRowAt(block, range.start, 0);
  let firstTime = from === 0 ? first : from < end ? times.at(from) : NaN;
  let at = column;
  while (from < end) {
    at = columnAt(starts, firstTime, at);
    const next = nextStart(starts, at);
    const to = last < next ? end : Math.min(end, firstRowAt(block, next, from));
    const lastTime = to === block.rows ? last : times.at(to - 1);
    stretches.push({ column: at, from, to, firstTime, lastTime });
    from = to;
    firstTime = from < end ? times.at(from) : NaN;
  }
  return stretches;
}

/** The first row from `least` on whose time is at least `time`, or the number of rows. Decodes one group. */
function firstRowAt({ rows, times: stream }: Block, time: Micros, least: number): number {
  const groups = Math.ceil(rows / GROUP);
  let group = Math.floor(least / GROUP);
  while (group + 1 < groups && stream.min(group + 1) < time) group++;
  const start = group * GROUP;
  const end = Math.min(GROUP, rows - start);
  return start + lowerBound(times.group(group), Math.max(0, least - start), end, time);
}

export function addCells(
  cells: BlockColumn,
  summary: KeyStats,
  stretches: readonly Stretch[],
  into: PixelSink,
): void {
  const stream = cells.everyRow;
  if (stream !== null) {
    values.open(stream);
    for (const stretch of stretches) addStretch(stream, summary, stretch, into);
    return;
  }
  if (drawable.rows.length < cells.count) drawable = roomFor(cells.count);
  const count = cells.drawableInto(drawable.rows, drawable.numbers);
  let cell = 0;
  for (const { column, from: first, to: end } of stretches) {
    cell = lowerBound(drawable.rows, cell, count, first);
    for (; cell < count && drawable.rows[cell]! < end; cell++)
      into.addPoint(column, times.at(drawable.rows[cell]!), drawable.numbers[cell]!);
  }
}

/** Adds rows of a column without gaps. Groups wholly inside are not decoded. */
function addStretch(stream: NumberStream, summary: KeyStats, stretch: Stretch, into: PixelSink): void {
  const { from: first, to: end } = stretch;
  let low = Infinity;
  let high = -Infinity;
  for (let start = first - (first % GROUP); start < end; start += GROUP) {
    const group = start / GROUP;
    const groupEnd = Math.min(start + GROUP, stream.count);
    if (start >= first && groupEnd <= end) {
      const least = stream.min(group);
      const most = stream.max(group);
      if (least < low) low = least;
      if (most > high) high = most;
      continue;
    }
    const decoded = values.group(group);
    const until = Math.min(end, groupEnd) - start;
    for (let i = Math.max(first, start) - start; i < until; i++) {
      const value = decoded[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  firstEdge.time = stretch.firstTime;
  firstEdge.value = first === 0 ? summary.first : values.at(first);
  lastEdge.time = stretch.lastTime;
  lastEdge.value = end === stream.count ? summary.last : values.at(end - 1);
  into.add(stretch.column, end - first, low, high, firstEdge, lastEdge);
}
