import type { Micros } from '#shared/values/time.ts';
import type { ReadingsQuery, TakeReadings } from '../../store.ts';
import type { Block } from '../block/block.ts';
import type { BlockColumn } from '../block/block-column.ts';
import { MIXED } from '../block/block-writer.ts';
import { NUMBER } from '../block/cell-kind.ts';
import { RowSlice } from '../block/row-slice.ts';
import { GROUP } from '../codec/number-format.ts';
import type { NumberStream } from '../codec/number-stream.ts';

/* The readings of one key in a block. */

/** Some readings in order of time. */
export interface Readings {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
}

const NONE: Readings = { times: new Float64Array(0), values: new Float64Array(0), count: 0 };
const slice = new RowSlice();
const groupTimes = new Float64Array(GROUP);
const groupValues = new Float64Array(GROUP);

/** All of them, in arrays of their own. */
export function readingsIn(block: Block, column: BlockColumn | undefined): Readings {
  if (column === undefined) return NONE;
  if (column.kind === MIXED) return mixedIn(block, column.key);
  if (column.kind !== NUMBER) return NONE;
  const { rows } = block;
  const times = new Float64Array(rows);
  const values = new Float64Array(rows);
  block.times.range(0, rows, times, 0);
  const rowsOf = new Float64Array(column.count);
  const count = column.drawableInto(rowsOf, values);
  // A row is never before its cell, so that none is overwritten before it is read.
  for (let cell = 0; cell < count; cell++) times[cell] = times[rowsOf[cell]!]!;
  return { times, values, count };
}

function mixedIn(block: Block, key: string): Readings {
  block.readInto(slice, 0, block.rows, { keys: new Set([key]), received: false });
  return readingsOfSlice(slice);
}

/** The numbers of a slice of one key. */
export function readingsOfSlice({ size, times: all, columns: [cells] }: RowSlice): Readings {
  if (cells === undefined) return NONE;
  const times = new Float64Array(size);
  const values = new Float64Array(size);
  let count = 0;
  for (let row = 0; row < size; row++) {
    if (cells.kinds[row] !== NUMBER) continue;
    times[count] = all[row]!;
    values[count++] = cells.numbers[row]!;
  }
  return { times, values, count };
}

/**
 * Hands on the readings of a block from the beginning of the range on. Returns how far they lie apart at most; NaN where that
 * is not found out, or not of numbers alone.
 */
export function takeBlock(
  block: Block,
  column: BlockColumn | undefined,
  query: ReadingsQuery,
  into: TakeReadings,
): Micros {
  if (column?.kind === NUMBER && column.everyRow !== null)
    return takeGroups(block.times, column.everyRow, query, into);
  const readings = readingsIn(block, column);
  const { times, values, count } = readings;
  const { start } = query.range;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0) longest = Math.max(longest, times[i]! - times[i - 1]!);
    if (times[i]! >= start) into.one(times[i]!, values[i]!);
  }
  return column?.kind === NUMBER ? longest : NaN;
}

/** Of rows that all carry a number: a group that is taken as a whole is not decoded. */
function takeGroups(
  times: NumberStream,
  values: NumberStream,
  { range: { start }, pause }: ReadingsQuery,
  into: TakeReadings,
): Micros {
  const groups = Math.ceil(times.count / GROUP);
  let longest = 0;
  let before = NaN;
  for (let group = 0; group < groups; group++) {
    const first = times.min(group);
    const last = times.max(group);
    if (group > 0) longest = Math.max(longest, first - before);
    before = last;
    const step = times.longestStep(group);
    if (first >= start && step <= pause && into.some(first, last, values.min(group), values.max(group))) {
      longest = Math.max(longest, step);
      continue;
    }
    const count = times.group(group, groupTimes, 0);
    values.group(group, groupValues, 0);
    for (let i = 0; i < count; i++) {
      const time = groupTimes[i]!;
      if (i > 0) longest = Math.max(longest, time - groupTimes[i - 1]!);
      if (time >= start) into.one(time, groupValues[i]!);
    }
    if (into.isOver) return NaN;
  }
  return longest;
}
