import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { Series } from '../../store.ts';
import type { Block } from '../block/block.ts';
import type { BlockTable } from '../block/block-table.ts';
import type { KeyTable } from '../block/key-table.ts';
import { ABSENT, TEXT } from '../block/cell-kind.ts';
import { RowSlice } from '../block/row-slice.ts';
import { Run } from '../query/run.ts';
import { Accumulator, type Edge } from './accumulator.ts';
import { addCells, stretchesOf, type Stretch } from './block-series.ts';
import { columnAt, nextStart } from './pixel-columns.ts';
import { newestBefore, oldestAfter } from './outside.ts';
import type { SortedRows } from '../query/sorted-rows.ts';

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

export function seriesOf(sources: readonly SortedRows[], { range, keys, width }: SeriesQuery): Series {
  const starts = columnStarts(range.start, range.end, width);
  const drawn = new Map([...new Set(keys)].map((key) => [key, new Accumulator(key, width)]));
  for (const source of sources) {
    if (source.rows === 0) continue;
    for (const [key, into] of drawn)
      into.addOutside(newestBefore(source, key, range.start), oldestAfter(source, key, range.end));
    if (source.last < range.start || source.first > range.end) continue;
    if (source instanceof Run) addRun(source, starts, range, drawn);
    else addRows(source, starts, range, drawn);
  }
  return { ...range, width, keys: keys.map((key) => drawn.get(key)!.result()) };
}

const slice = new RowSlice();
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

function addRows(
  source: SortedRows,
  starts: Float64Array,
  range: Required<TimeRange>,
  drawn: Map<string, Accumulator>,
) {
  const first = source.rowsBefore(range.start, false);
  const end = source.rowsBefore(range.end, true);
  if (first === end) return;
  source.readInto(slice, first, end, { keys: new Set(drawn.keys()), received: false });
  for (const cells of slice.columns) {
    const into = drawn.get(cells.key);
    if (into === undefined) continue;
    let column = 0;
    for (let row = 0; row < slice.size; row++) {
      if (cells.kinds[row] === ABSENT || cells.kinds[row] === TEXT) continue;
      column = columnAt(starts, slice.times[row]!, column);
      into.addPoint(column, slice.times[row]!, cells.numbers[row]!);
    }
  }
}
