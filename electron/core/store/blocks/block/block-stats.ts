import type { Micros } from '#shared/time.ts';
import type { BlockColumn } from './block-column.ts';
import type { Block } from './block.ts';
import { GROUP } from '../codec/number-format.ts';
import type { NumberStream } from '../codec/number-stream.ts';
import { ABSENT, TEXT } from './cell-kind.ts';
import { RowSlice } from './row-slice.ts';

/** What the index keeps of one key in one block. Without a drawable cell the numbers are 0. */
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

/** What the index keeps of one block. */
export interface BlockStats {
  readonly rows: number;
  readonly first: Micros;
  readonly last: Micros;
  /** Latest time of receipt. */
  readonly received: Micros;
  readonly keys: ReadonlyMap<string, KeyStats>;
}

const slice = new RowSlice();
const NOTHING = { numeric: 0, min: 0, max: 0, first: 0, last: 0, firstTime: 0, lastTime: 0 };

export function summarize(block: Block): BlockStats {
  const { rows, first, last } = block;
  const keys = new Map<string, KeyStats>();
  for (const column of block.columns) {
    const stream = column.everyRow;
    keys.set(
      column.key,
      stream === null
        ? summarizeCells(block, column)
        : summarizeEveryRow(stream, { firstTime: first, lastTime: last }),
    );
  }
  return { rows, first, last, received: block.lastReceived(), keys };
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

/** Cells of a column that some rows lack, or that holds text: row by row. */
function summarizeCells(block: Block, column: BlockColumn): KeyStats {
  block.readInto(slice, 0, block.rows, { keys: new Set([column.key]), received: false });
  const [cells] = slice.columns;
  const summary = { ...NOTHING, cells: column.count };
  for (let row = 0; row < block.rows; row++) {
    const kind = cells!.kinds[row]!;
    if (kind === ABSENT || kind === TEXT) continue;
    const value = cells!.numbers[row]!;
    const time = slice.times[row]!;
    if (summary.numeric++ === 0) {
      summary.min = summary.max = summary.first = value;
      summary.firstTime = time;
    }
    summary.min = lesser(summary.min, value);
    summary.max = greater(summary.max, value);
    summary.last = value;
    summary.lastTime = time;
  }
  return summary;
}

// Of 0 and -0 the earlier one stays, as in a walk over every point; Math.min and Math.max would not agree.
const lesser = (before: number, value: number) => (value < before ? value : before);
const greater = (before: number, value: number) => (value > before ? value : before);
