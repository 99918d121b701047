import { columnStarts } from '#shared/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/time.ts';
import type { Series, SeriesKey } from '../store.ts';
import type { Block, BlockColumn } from './block.ts';
import type { BlockTable } from './block-table.ts';
import type { KeyTable } from './key-table.ts';
import { GROUP } from './number-format.ts';
import type { NumberStream } from './number-stream.ts';
import { ABSENT, TEXT } from './row-buffer.ts';
import { RowWindow } from './row-window.ts';
import { Run } from './run.ts';
import type { KeySummary } from './summary.ts';
import type { Source } from './source.ts';

/*
 * Min, max, first and last of every pixel column (M4, Jugel et al., VLDB 2014). A block within one column is taken from
 * the index, a group of 128 rows within one from its header; only the rows at a column's edges are decoded. Sources
 * are walked one after the other, whether or not they overlap: first and last are decided by time, and of equal times
 * by order of arrival, which is the order of the sources.
 */

export interface SeriesQuery {
  readonly range: Required<TimeRange>;
  readonly keys: readonly string[];
  readonly width: number;
}

export function seriesOf(sources: readonly Source[], { range, keys, width }: SeriesQuery): Series {
  const starts = columnStarts(range.start, range.end, width);
  const drawn = new Map([...new Set(keys)].map((key) => [key, new Accumulator(key, width)]));
  for (const source of sources) {
    if (source.rows === 0 || source.last < range.start || source.first > range.end) continue;
    if (source instanceof Run) addRun(source, starts, range, drawn);
    else addRows(source, starts, range, drawn);
  }
  return { ...range, width, keys: keys.map((key) => drawn.get(key)!.result()) };
}

/** One key's columns of pixels. */
class Accumulator {
  readonly #series: SeriesKey;
  readonly #firstTime: Float64Array;
  readonly #lastTime: Float64Array;

  constructor(key: string, width: number) {
    const gaps = () => new Float64Array(width).fill(NaN);
    this.#series = {
      key,
      counts: new Uint32Array(width),
      min: gaps(),
      max: gaps(),
      first: gaps(),
      last: gaps(),
    };
    this.#firstTime = new Float64Array(width).fill(Infinity);
    this.#lastTime = new Float64Array(width).fill(-Infinity);
  }

  result(): SeriesKey {
    const { min, max, first, last } = this.#series;
    // -0 + 0 is 0: which of two equal zeros a walk meets first is no matter for a chart.
    for (const values of [min, max, first, last]) for (let i = 0; i < values.length; i++) values[i]! += 0;
    return this.#series;
  }

  add(column: number, count: number, low: number, high: number, from: Edge, to: Edge): void {
    const { counts, min, max, first, last } = this.#series;
    const empty = counts[column] === 0;
    counts[column]! += count;
    if (empty || low < min[column]!) min[column] = low;
    if (empty || high > max[column]!) max[column] = high;
    if (from.time < this.#firstTime[column]!) {
      this.#firstTime[column] = from.time;
      first[column] = from.value;
    }
    if (to.time >= this.#lastTime[column]!) {
      this.#lastTime[column] = to.time;
      last[column] = to.value;
    }
  }
}

/** A point at one end of a stretch of rows. */
interface Edge {
  time: Micros;
  value: number;
}

/** Rows [from, to) of a block that fall into one column. */
interface Stretch {
  readonly column: number;
  readonly from: number;
  readonly to: number;
  readonly firstTime: Micros;
  readonly lastTime: Micros;
}

const window = new RowWindow();
const firstEdge: Edge = { time: 0, value: 0 };
const lastEdge: Edge = { time: 0, value: 0 };

function addRun(
  run: Run,
  starts: Float64Array,
  range: Required<TimeRange>,
  drawn: Map<string, Accumulator>,
): void {
  const { table } = run;
  const begin = table.blockEnding(range.start, false);
  const lanes: Lane[] = [];
  for (const [key, into] of drawn) {
    const keyTable = run.keyTable(key);
    if (keyTable !== undefined) lanes.push({ key, into, keyTable, entry: keyTable.entryFrom(begin) });
  }
  if (lanes.length === 0) return;
  const blockAt = run.blocksInPassing();
  let column = 0;
  for (let index = begin; index < table.count && table.firstOf(index) <= range.end;) {
    const first = table.firstOf(index);
    const last = table.lastOf(index);
    column = columnAt(starts, Math.max(first, range.start), column);
    if (first >= range.start) {
      const whole = wholeBlocks(table, index, Math.min(range.end, nextStart(starts, column) - 1));
      if (whole > index) {
        for (const lane of lanes) addWhole(lane, whole, column);
        index = whole;
        continue;
      }
    }
    let block: Block | null = null;
    let stretches: Stretch[] = [];
    for (const lane of lanes) {
      const { keyTable } = lane;
      if (lane.entry >= keyTable.count || keyTable.blockOf(lane.entry) !== index) continue;
      const entry = lane.entry++;
      if (keyTable.numericOf(entry) === 0) continue;
      if (block === null) {
        block = blockAt(index);
        stretches = stretchesOf(block, { first, last }, starts, range, column);
      }
      const cells = block.column(lane.key);
      if (cells !== undefined) addCells(cells, keyTable.summary(entry), stretches, lane.into);
    }
    index++;
  }
}

/** One key on its way through a run: `entry` is the next of its table. */
interface Lane {
  readonly key: string;
  readonly into: Accumulator;
  readonly keyTable: KeyTable;
  entry: number;
}

/** The block after the last of those, from `index` on, that end by `time`. */
function wholeBlocks(table: BlockTable, index: number, time: Micros): number {
  let end = index;
  while (end < table.count && table.lastOf(end) <= time) end++;
  return end;
}

/** Adds what the index says of all blocks before `end`, which fall into one column. */
function addWhole(lane: Lane, end: number, column: number): void {
  const { keyTable } = lane;
  let count = 0;
  let low = Infinity;
  let high = -Infinity;
  let { entry } = lane;
  for (; entry < keyTable.count && keyTable.blockOf(entry) < end; entry++) {
    const numeric = keyTable.numericOf(entry);
    if (numeric === 0) continue;
    const least = keyTable.minOf(entry);
    const most = keyTable.maxOf(entry);
    if (least < low) low = least;
    if (most > high) high = most;
    if (count === 0) {
      firstEdge.time = keyTable.firstTimeOf(entry);
      firstEdge.value = keyTable.firstOf(entry);
    }
    count += numeric;
    lastEdge.time = keyTable.lastTimeOf(entry);
    lastEdge.value = keyTable.lastOf(entry);
  }
  lane.entry = entry;
  if (count > 0) lane.into.add(column, count, low, high, firstEdge, lastEdge);
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
function stretchesOf(
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

function addCells(
  cells: BlockColumn,
  summary: KeySummary,
  stretches: readonly Stretch[],
  into: Accumulator,
): void {
  const stream = cells.everyRow;
  if (stream !== null) {
    values.open(stream);
    for (const stretch of stretches) addStretch(stream, summary, stretch, into);
    return;
  }
  const last = stretches.at(-1);
  if (last === undefined) return;
  window.reset(last.to);
  const out = window.addColumn(cells.key);
  cells.readInto(out, 0, last.to);
  for (const { column, from: first, to: end } of stretches)
    for (let row = first; row < end; row++) {
      if (out.kinds[row] !== ABSENT && out.kinds[row] !== TEXT)
        addPoint(into, column, times.at(row), out.numbers[row]!);
    }
}

/** Adds rows of a column without gaps. Groups wholly inside are not decoded. */
function addStretch(stream: NumberStream, summary: KeySummary, stretch: Stretch, into: Accumulator): void {
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

function addPoint(into: Accumulator, column: number, time: Micros, value: number): void {
  firstEdge.time = lastEdge.time = time;
  firstEdge.value = lastEdge.value = value;
  into.add(column, 1, value, value, firstEdge, lastEdge);
}

function addRows(
  source: Source,
  starts: Float64Array,
  range: Required<TimeRange>,
  drawn: Map<string, Accumulator>,
) {
  const first = source.rowsBefore(range.start, false);
  const end = source.rowsBefore(range.end, true);
  if (first === end) return;
  source.readInto(window, first, end, { keys: new Set(drawn.keys()), received: false });
  for (const cells of window.columns) {
    const into = drawn.get(cells.key);
    if (into === undefined) continue;
    let column = 0;
    for (let row = 0; row < window.size; row++) {
      if (cells.kinds[row] === ABSENT || cells.kinds[row] === TEXT) continue;
      column = columnAt(starts, window.times[row]!, column);
      addPoint(into, column, window.times[row]!, cells.numbers[row]!);
    }
  }
}

function nextStart(starts: Float64Array, column: number): Micros {
  return column + 1 < starts.length ? starts[column + 1]! : Infinity;
}

/** The column of an instant that is not before column `least`. */
function columnAt(starts: Float64Array, time: Micros, least: number): number {
  if (time < nextStart(starts, least)) return least;
  if (time < nextStart(starts, least + 1)) return least + 1;
  return lowerBound(starts, least + 1, starts.length, time + 1) - 1;
}

/** The first place in [low, high) whose number is at least `value`, or `high`. */
function lowerBound(numbers: Float64Array, low: number, high: number, value: number): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (numbers[middle]! < value) first = middle + 1;
    else end = middle;
  }
  return first;
}
