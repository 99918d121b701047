import type { Micros } from '#shared/values/time.ts';
import type { KeyReading } from '../../store.ts';
import { ABSENT, TEXT } from '../block/cell-kind.ts';
import { GROUP } from '../codec/number-format.ts';
import { RowSlice } from '../block/row-slice.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';

/* The numbers on either side of a picture. The index answers; only the block that an edge divides is looked into. */

const slice = new RowSlice();

/** The newest number of a key before `time`, of equal ones the latest arrival. */
export function newestBefore(source: SortedRows, key: string, time: Micros): KeyReading | null {
  if (source.first >= time) return null;
  if (!(source instanceof Run)) return lastIn(source, key, 0, source.rowsBefore(time, false));
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return null;
  const { table } = source;
  const divided = table.blockEnding(time, false);
  let entry = keyTable.entryFrom(divided);
  if (entry < keyTable.count && keyTable.blockOf(entry) === divided && keyTable.numericOf(entry) > 0) {
    if (keyTable.firstTimeOf(entry) < time) {
      const block = source.block(divided);
      return lastIn(block, key, 0, block.rowsBefore(time, false));
    }
  }
  while (--entry >= 0)
    if (keyTable.numericOf(entry) > 0)
      return { instant: keyTable.lastTimeOf(entry), value: keyTable.lastOf(entry) };
  return null;
}

/** The oldest number of a key after `time`, of equal ones the earliest arrival. */
export function oldestAfter(source: SortedRows, key: string, time: Micros): KeyReading | null {
  if (source.last <= time) return null;
  if (!(source instanceof Run)) return firstIn(source, key, source.rowsBefore(time, true), source.rows);
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return null;
  const divided = source.table.blockEnding(time, true);
  let entry = keyTable.entryFrom(divided);
  if (entry < keyTable.count && keyTable.blockOf(entry) === divided && keyTable.numericOf(entry) > 0) {
    if (keyTable.firstTimeOf(entry) <= time && keyTable.lastTimeOf(entry) > time) {
      const block = source.block(divided);
      return firstIn(block, key, block.rowsBefore(time, true), block.rows);
    }
    if (keyTable.lastTimeOf(entry) <= time) entry++;
  }
  for (; entry < keyTable.count; entry++)
    if (keyTable.numericOf(entry) > 0)
      return { instant: keyTable.firstTimeOf(entry), value: keyTable.firstOf(entry) };
  return null;
}

/** The newest cell of a key before `time`, whatever it holds. */
export interface HeldCell {
  readonly instant: Micros;
  readonly kind: number;
  readonly number: number;
  /** "" where it is no text. */
  readonly text: string;
}

/** Returns the last reading before, over several sources: of equal instants that of the later source arrived later. */
export function heldBefore(sources: readonly SortedRows[], key: string, time: Micros): HeldCell | null {
  let held: HeldCell | null = null;
  for (const source of sources) {
    if (source.rows === 0 || source.first >= time) continue;
    const cell =
      source instanceof Run
        ? cellOfRun(source, key, time)
        : cellIn(source, key, source.rowsBefore(time, false));
    if (cell !== null && cell.instant >= (held?.instant ?? -Infinity)) held = cell;
  }
  return held;
}

function cellOfRun(run: Run, key: string, time: Micros): HeldCell | null {
  const keyTable = run.keyTable(key);
  if (keyTable === undefined) return null;
  const divided = run.table.blockEnding(time, false);
  let entry = keyTable.entryFrom(divided);
  if (entry === keyTable.count || keyTable.blockOf(entry) > divided) entry--;
  for (; entry >= 0; entry--) {
    const block = run.block(keyTable.blockOf(entry));
    const cell = cellIn(block, key, block.rowsBefore(time, false));
    if (cell !== null) return cell;
  }
  return null;
}

function cellIn(rows: Rows, key: string, to: number): HeldCell | null {
  for (let end = to; end > 0; end -= GROUP) {
    const from = Math.max(0, end - GROUP);
    readCells(rows, key, from, end);
    const [cells] = slice.columns;
    if (cells === undefined) continue;
    for (let row = end - from - 1; row >= 0; row--) {
      const kind = cells.kinds[row]!;
      if (kind === ABSENT) continue;
      const text = kind === TEXT ? cells.texts[row]! : '';
      return { instant: slice.times[row]!, kind, number: cells.numbers[row]!, text };
    }
  }
  return null;
}

/** Rows of a source or a block, read a group at a time: mostly the first one has a number. */
type Rows = Pick<SortedRows, 'readInto'>;

function lastIn(rows: Rows, key: string, from: number, to: number): KeyReading | null {
  for (let end = to; end > from; end = Math.max(from, end - GROUP)) {
    const size = Math.min(GROUP, end - from);
    readCells(rows, key, end - size, end);
    for (let row = size - 1; row >= 0; row--) {
      const found = numberAt(row);
      if (found !== null) return found;
    }
  }
  return null;
}

function firstIn(rows: Rows, key: string, from: number, to: number): KeyReading | null {
  for (let start = from; start < to; start += GROUP) {
    const size = Math.min(GROUP, to - start);
    readCells(rows, key, start, start + size);
    for (let row = 0; row < size; row++) {
      const found = numberAt(row);
      if (found !== null) return found;
    }
  }
  return null;
}

function readCells(rows: Rows, key: string, from: number, to: number): void {
  rows.readInto(slice, from, to, { keys: new Set([key]), received: false });
}

/** Returns the reading of the one key in a row. */
function numberAt(row: number): KeyReading | null {
  const [cells] = slice.columns;
  if (cells === undefined || cells.kinds[row] === ABSENT || cells.kinds[row] === TEXT) return null;
  return { instant: slice.times[row]!, value: cells.numbers[row]! };
}
