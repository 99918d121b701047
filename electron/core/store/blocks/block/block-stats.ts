import type { Micros } from '#shared/values/time.ts';
import type { BlockColumn } from './block-column.ts';
import type { Block } from './block.ts';
import { BLOCK_ROWS } from './block-writer.ts';
import { GROUP } from '../codec/number-format.ts';
import type { NumberStream } from '../codec/number-stream.ts';

/** Index entry of one key in one block. Without a drawable cell the numbers are 0. */
export interface KeyStats {
  /** Rows that carry the key. */
  readonly cells: number;
  /** Of those, numbers and booleans (1 and 0); the rest describes only them. */
  readonly numeric: number;
  readonly min: number;
  readonly max: number;
  readonly first: number;
  readonly last: number;
  readonly firstTime: Micros;
  readonly lastTime: Micros;
}

/** Index entry of one block. */
export interface BlockStats {
  readonly rows: number;
  readonly first: Micros;
  readonly last: Micros;
  /** Latest time of receipt. */
  readonly received: Micros;
  readonly keys: ReadonlyMap<string, KeyStats>;
}

let times = new Float64Array(BLOCK_ROWS);
let rowsOf = new Float64Array(BLOCK_ROWS);
let numbers = new Float64Array(BLOCK_ROWS);
const NOTHING = { numeric: 0, min: 0, max: 0, first: 0, last: 0, firstTime: 0, lastTime: 0 };

/** Costs what the cells of the block cost, however many keys they are of. */
export function summarize(block: Block): BlockStats {
  const { rows, first, last } = block;
  const keys = new Map<string, KeyStats>();
  let read: Float64Array | null = null;
  const timesOf = () => (read ??= readTimes(block));
  for (const column of block.columns) keys.set(column.key, statsOf(column, { first, last, timesOf }));
  return { rows, first, last, received: block.lastReceived(), keys };
}

/** Returns the index entry of one key. */
export function summarizeColumn(block: Block, column: BlockColumn): KeyStats {
  const { first, last } = block;
  return statsOf(column, { first, last, timesOf: () => readTimes(block) });
}

function statsOf(
  column: BlockColumn,
  {
    first,
    last,
    timesOf,
  }: { readonly first: Micros; readonly last: Micros; readonly timesOf: () => Float64Array },
): KeyStats {
  const stream = column.everyRow;
  if (stream !== null) return summarizeEveryRow(stream, { firstTime: first, lastTime: last });
  return summarizeCells(column, timesOf());
}

/** The times of all rows; valid until the next block's. */
function readTimes({ rows, times: stream }: Block): Float64Array {
  if (times.length < rows) {
    times = new Float64Array(rows);
    rowsOf = new Float64Array(rows);
    numbers = new Float64Array(rows);
  }
  stream.range(0, rows, times, 0);
  return times;
}

const group = new Float64Array(GROUP);

function summarizeEveryRow(
  stream: NumberStream,
  ends: { readonly firstTime: Micros; readonly lastTime: Micros },
): KeyStats {
  const rows = stream.count;
  const groups = Math.ceil(rows / GROUP);
  let min = stream.min(0);
  let max = stream.max(0);
  for (let i = 1; i < groups; i++) {
    min = lesser(min, stream.min(i));
    max = greater(max, stream.max(i));
  }
  stream.group(0, group, 0);
  const first = group[0]!;
  const inLast = stream.group(groups - 1, group, 0);
  const last = group[inLast - 1]!;
  return { cells: rows, numeric: rows, min, max, first, last, ...ends };
}

/** Cells of a column that some rows lack, or that holds text. */
function summarizeCells(column: BlockColumn, timesOf: Float64Array): KeyStats {
  const numeric = column.drawableInto(rowsOf, numbers);
  if (numeric === 0) return { ...NOTHING, cells: column.count };
  let min = numbers[0]!;
  let max = min;
  for (let cell = 1; cell < numeric; cell++) {
    min = lesser(min, numbers[cell]!);
    max = greater(max, numbers[cell]!);
  }
  return {
    cells: column.count,
    numeric,
    min,
    max,
    first: numbers[0]!,
    last: numbers[numeric - 1]!,
    firstTime: timesOf[rowsOf[0]!]!,
    lastTime: timesOf[rowsOf[numeric - 1]!]!,
  };
}

// Of 0 and -0 the earlier one stays, as in a walk over every point; Math.min and Math.max would not agree.
const lesser = (before: number, value: number) => (value < before ? value : before);
const greater = (before: number, value: number) => (value > before ? value : before);
