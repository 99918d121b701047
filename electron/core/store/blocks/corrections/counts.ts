import type { KeySummary } from '../../store.ts';
import { ABSENT, TEXT } from '../block/cell-kind.ts';
import { RowSlice } from '../block/row-slice.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import type { CorrectedRows } from './corrected-rows.ts';

/*
 * How many cells there are of each key in corrected rows: as many as are stored, less those that a flag leaves out, which come
 * with a negative count. The index says it of whole blocks; only those that an edge divides are read.
 */

/** Some keys come several times. */
export function* correctedCounts(source: CorrectedRows): Generator<KeySummary> {
  const { inner, before, rows, rules } = source;
  if (rows === 0) return;
  const end = before + rows;
  yield* countsWithin(inner, before, end);
  const span = { from: inner.timeAt(before), to: inner.timeAt(end - 1) };
  for (const { from, to, isPlain, leavesOut } of rules.between(span)) {
    if (isPlain) continue;
    const first = from <= span.from ? before : inner.rowsBefore(from, false);
    const last = to >= span.to ? end : inner.rowsBefore(to, true);
    for (const { key, count, numeric } of countsWithin(inner, first, last))
      if (leavesOut(key)) yield { key, count: -count, numeric: -numeric };
  }
}

function* countsWithin(source: SortedRows, from: number, to: number): Generator<KeySummary> {
  if (from >= to) return;
  if (!(source instanceof Run)) yield* countsOfRows(source, from, to);
  else if (from === 0 && to === source.rows) yield* source.keyCounts();
  else yield* countsOfRun(source, from, to);
}

function* countsOfRun(run: Run, from: number, to: number): Generator<KeySummary> {
  const { table } = run;
  const [first, last] = [table.blockOf(from), table.blockOf(to - 1)];
  const whole = table.rowsBefore(first) === from ? first : first + 1;
  const end = table.rowsBefore(last) + table.rowsOf(last) === to ? last + 1 : last;
  if (whole > end) {
    yield* countsOfRows(run, from, to);
    return;
  }
  if (whole > first) yield* countsOfRows(run, from, table.rowsBefore(first) + table.rowsOf(first));
  if (end === last) yield* countsOfRows(run, table.rowsBefore(last), to);
  if (whole === end) return;
  const keys = new Set<string>();
  for (const { key } of run.keyCounts()) keys.add(key);
  for (const key of keys) {
    const keyTable = run.keyTable(key);
    if (keyTable === undefined) continue;
    let [count, numeric] = [0, 0];
    for (
      let entry = keyTable.entryFrom(whole);
      entry < keyTable.count && keyTable.blockOf(entry) < end;
      entry++
    ) {
      count += keyTable.cellsOf(entry);
      numeric += keyTable.numericOf(entry);
    }
    yield { key, count, numeric };
  }
}

function* countsOfRows(source: SortedRows, from: number, to: number): Generator<KeySummary> {
  const slice = new RowSlice();
  for (let row = from; row < to;) {
    const end = Math.min(to, source.stretch(row).to);
    source.readInto(slice, row, end, { received: false });
    for (const { key, kinds } of slice.columns) {
      let [count, numeric] = [0, 0];
      for (let i = 0; i < end - row; i++) {
        if (kinds[i] === ABSENT) continue;
        count++;
        if (kinds[i] !== TEXT) numeric++;
      }
      yield { key, count, numeric };
    }
    row = end;
  }
}
