import type { LatestValue } from '../store.ts';
import { BOOLEAN, TEXT } from './block/cell-kind.ts';
import { RowSlice } from './block/row-slice.ts';
import { CorrectedRows } from './corrections/corrected-rows.ts';
import { DerivedRows } from './corrections/derived-rows.ts';
import { Cursor } from './query/cursor.ts';
import { Run } from './query/run.ts';
import type { SortedRows } from './query/sorted-rows.ts';
import type { Readable } from './readable.ts';
import { heldIn, type HeldCell } from './series/outside.ts';

/*
 * The last value of keys, from the end of what a device holds. A key that the last block has costs a block, another one
 * a look at its summaries and a block.
 */

/** Rows that are looked through for the keys of a device. */
const RECENT_ROWS = 16;

const slice = new RowSlice();

/**
 * Returns the last value of each key that has any, in the order asked; null: of the keys of the newest records, the newest
 * record's first.
 */
export function readLatest(device: Readable, keys: readonly string[] | null): LatestValue[] {
  return device.read(() =>
    keys === null ? recentValues(device) : keys.flatMap((key) => latestOf(device, key) ?? []),
  );
}

function recentValues(device: Readable): LatestValue[] {
  const timeline = device.timeline();
  const from = Math.max(0, timeline.rows - RECENT_ROWS);
  const cursor = new Cursor(timeline, from, timeline.rows, true, { received: false });
  const values = new Map<string, LatestValue>();
  for (let batch = cursor.next(RECENT_ROWS); batch !== null; batch = cursor.next(RECENT_ROWS))
    for (let i = 0; i < batch.size; i++) {
      const row = batch.rowAt(i);
      const { columns, times } = batch.sliceAt(i);
      for (const column of columns) {
        const { key } = column;
        const value = column.value(row);
        if (value !== undefined && !values.has(key)) values.set(key, { key, value, timestamp: times[row]! });
      }
    }
  return [...values.values()];
}

function latestOf(device: Readable, key: string): LatestValue | null {
  // What is in a later cluster is newer, or arrived later.
  for (const { sources } of device.timeline().clusters.toReversed()) {
    let latest: LatestValue | null = null;
    for (const source of sources) {
      const found = lastIn(source, key);
      // Of equal times, a later source's arrived later.
      if (found !== null && found.timestamp >= (latest?.timestamp ?? -Infinity)) latest = found;
    }
    if (latest !== null) return latest;
  }
  return null;
}

/** The last row that carries the key. */
function lastIn(source: SortedRows, key: string): LatestValue | null {
  if (source instanceof CorrectedRows || source instanceof DerivedRows)
    return asValue(key, heldIn(source, key, Infinity));
  const projection = { keys: new Set([key]), received: false };
  for (let { to } = lastStretch(source, key); to > 0;) {
    const { from } = source.stretch(to - 1);
    // Mostly the last row has it, which costs less than all of a block.
    for (const start of from === to - 1 ? [from] : [to - 1, from]) {
      source.readInto(slice, start, to, projection);
      const [column] = slice.columns;
      if (column === undefined) continue;
      for (let row = to - start - 1; row >= 0; row--) {
        const value = column.value(row);
        if (value !== undefined) return { key, value, timestamp: slice.times[row]! };
      }
    }
    if (source instanceof Run) return null;
    to = from;
  }
  return null;
}

function asValue(key: string, cell: HeldCell | null): LatestValue | null {
  if (cell === null) return null;
  const { instant, kind, number, text } = cell;
  return { key, value: kind === TEXT ? text : kind === BOOLEAN ? number === 1 : number, timestamp: instant };
}

/** Up to which row a source is to be looked through: a run's summaries say in which block the key is last. */
function lastStretch(source: SortedRows, key: string): { readonly to: number } {
  if (!(source instanceof Run)) return { to: source.rows };
  const { table } = source;
  const last = table.blockOf(table.rows - 1);
  if (source.block(last).column(key) !== undefined) return { to: table.rows };
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return { to: 0 };
  // A prefix of a run that grows shares its summaries.
  const entry = keyTable.entryFrom(last + 1) - 1;
  if (entry < 0) return { to: 0 };
  const block = keyTable.blockOf(entry);
  return { to: table.rowsBefore(block) + table.rowsOf(block) };
}
