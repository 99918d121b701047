import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { Series } from '../../store.ts';
import type { Block } from '../block/block.ts';
import type { BlockTable } from '../block/block-table.ts';
import type { KeyTable } from '../block/key-table.ts';
import { MIXED } from '../block/block-writer.ts';
import { ABSENT, BOOLEAN, NUMBER, TEXT } from '../block/cell-kind.ts';
import { RowSlice } from '../block/row-slice.ts';
import { firstStored } from '../corrections/clock-map.ts';
import { CorrectedRows } from '../corrections/corrected-rows.ts';
import { DerivedRows } from '../corrections/derived-rows.ts';
import { Run } from '../query/run.ts';
import { Accumulator, type Edge, type PixelSink } from './accumulator.ts';
import { addCells, stretchesOf, type Stretch } from './block-series.ts';
import { kindOf } from './boolean-blocks.ts';
import { MappedSink } from './mapped-sink.ts';
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
  for (const source of sources) addSource(source, starts, range, drawn);
  return { ...range, width, keys: keys.map((key) => drawn.get(key)!.result()) };
}

type Drawn = ReadonlyMap<string, Accumulator>;

function addSource(source: SortedRows, starts: Float64Array, range: Required<TimeRange>, drawn: Drawn): void {
  if (source.rows === 0 || drawn.size === 0) return;
  if (source instanceof DerivedRows) {
    const isDerived = ([key]: readonly [string, Accumulator]) => source.derived.has(key);
    const stored = new Map([...drawn].filter((each) => !isDerived(each)));
    for (const each of source.sources) addSource(each, starts, range, stored);
    addWithOutside(source, starts, range, new Map([...drawn].filter(isDerived)));
  } else addWithOutside(source, starts, range, drawn);
}

function addWithOutside(
  source: SortedRows,
  starts: Float64Array,
  range: Required<TimeRange>,
  drawn: Drawn,
): void {
  for (const [key, into] of drawn)
    into.addOutside(newestBefore(source, key, range.start), oldestAfter(source, key, range.end));
  if (source.last < range.start || source.first > range.end) return;
  if (source instanceof CorrectedRows) addCorrected(source, starts, range, drawn);
  else
    addStored(
      source,
      starts,
      range,
      [...drawn].map(([key, into]) => ({ key, into, booleans: into })),
    );
}

/** Adds what lies in a range of corrected times, rule by rule: the sinks map what the stored rows say. */
function addCorrected(
  source: CorrectedRows,
  starts: Float64Array,
  range: Required<TimeRange>,
  drawn: Drawn,
): void {
  const { inner, clock, rules } = source;
  const within = source.storedWithin(range.start, range.end);
  const storedStarts = clock === null ? starts : starts.map((start) => firstStored(clock, start, within));
  for (const { from, to, maps, leavesOut } of rules.between(within)) {
    const asked = [...drawn].filter(([key]) => !leavesOut(key));
    const sinks = asked.map(([key, into]) => {
      const map = maps.get(key) ?? null;
      const booleans = clock === null ? into : new MappedSink(into, clock, null);
      return { key, into: map === null ? booleans : new MappedSink(into, clock, map), booleans };
    });
    const stored = { start: Math.max(from, within.from), end: Math.min(to, within.to) };
    if (sinks.length > 0) addStored(inner, storedStarts, stored, sinks);
  }
}

/** Where the numbers of a key go, and its booleans where they go elsewhere. */
interface Sink {
  readonly key: string;
  readonly into: PixelSink;
  readonly booleans: PixelSink;
}

function addStored(
  source: SortedRows,
  starts: Float64Array,
  range: Required<TimeRange>,
  sinks: readonly Sink[],
): void {
  if (source instanceof Run) addRun(source, starts, range, sinks);
  else addRows(source, starts, range, sinks);
}

const slice = new RowSlice();
const firstEdge: Edge = { time: 0, value: 0 };
const lastEdge: Edge = { time: 0, value: 0 };

function addRun(run: Run, starts: Float64Array, range: Required<TimeRange>, sinks: readonly Sink[]): void {
  const { table } = run;
  const begin = table.blockEnding(range.start, false);
  const lanes: Lane[] = [];
  for (const sink of sinks) {
    const keyTable = run.keyTable(sink.key);
    if (keyTable !== undefined) lanes.push({ ...sink, run, keyTable, entry: keyTable.entryFrom(begin) });
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
      if (cells === undefined) continue;
      if (lane.into !== lane.booleans && cells.kind === MIXED) addMixed(block, stretches, lane);
      else
        addCells(
          cells,
          keyTable.summary(entry),
          stretches,
          cells.kind === BOOLEAN ? lane.booleans : lane.into,
        );
    }
    index++;
  }
}

/** One key on its way through a run: `entry` is the next of its table. */
interface Lane extends Sink {
  readonly run: Run;
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
    const kind = lane.into === lane.booleans ? NUMBER : kindOf(lane.run, keyTable, lane.key, entry);
    if (kind !== NUMBER) {
      if (count > 0) lane.into.add(column, count, low, high, firstEdge, lastEdge);
      [count, low, high] = [0, Infinity, -Infinity];
      addBooleans(lane, entry, column, kind);
      continue;
    }
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

/** Adds a whole block of booleans, some of them among numbers. */
function addBooleans(
  { run, keyTable, key, into, booleans }: Lane,
  entry: number,
  column: number,
  kind: number,
): void {
  if (kind === MIXED) {
    const block = run.block(keyTable.blockOf(entry));
    addMixed(block, [{ column, from: 0, to: block.rows }], { key, into, booleans });
    return;
  }
  const { numeric, min, max, first, last, firstTime, lastTime } = keyTable.summary(entry);
  booleans.add(column, numeric, min, max, { time: firstTime, value: first }, { time: lastTime, value: last });
}

/** Adds rows of a block that has numbers and booleans of a key. */
function addMixed(
  block: Block,
  stretches: readonly Pick<Stretch, 'column' | 'from' | 'to'>[],
  { key, into, booleans }: Sink,
): void {
  for (const { column, from, to } of stretches) {
    block.readInto(slice, from, to, { keys: new Set([key]), received: false });
    for (const { kinds, numbers } of slice.columns)
      for (let row = 0; row < to - from; row++)
        if (kinds[row] === NUMBER) into.addPoint(column, slice.times[row]!, numbers[row]!);
        else if (kinds[row] === BOOLEAN) booleans.addPoint(column, slice.times[row]!, numbers[row]!);
  }
}

function addRows(
  source: SortedRows,
  starts: Float64Array,
  range: Required<TimeRange>,
  sinks: readonly Sink[],
): void {
  const byKey = new Map(sinks.map((sink) => [sink.key, sink]));
  const keys = new Set(byKey.keys());
  const first = source.rowsBefore(range.start, false);
  const end = source.rowsBefore(range.end, true);
  for (let from = first; from < end;) {
    const to = Math.min(end, source.stretch(from).to);
    source.readInto(slice, from, to, { keys, received: false });
    for (const { key, kinds, numbers } of slice.columns) {
      const { into, booleans } = byKey.get(key)!;
      let column = 0;
      for (let row = 0; row < slice.size; row++) {
        if (kinds[row] === ABSENT || kinds[row] === TEXT) continue;
        column = columnAt(starts, slice.times[row]!, column);
        (kinds[row] === BOOLEAN ? booleans : into).addPoint(column, slice.times[row]!, numbers[row]!);
      }
    }
    from = to;
  }
}
