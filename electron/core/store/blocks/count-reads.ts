import type { TimeRange } from '#shared/values/time.ts';
import type { DeviceSummary } from '../store.ts';
import { ABSENT } from './block/cell-kind.ts';
import type { RowBatch } from './query/cursor.ts';

/**
 * Number of records of a range with any of the keys, as far as a summary of the device tells: a number, 'all' that are in the
 * range, or null where their rows have to be read.
 */
export function countBySummary(
  { records, keys }: DeviceSummary,
  asked: ReadonlySet<string>,
  range: TimeRange,
): number | 'all' | null {
  const found = keys.filter(({ key }) => asked.has(key));
  const [only] = found;
  if (only === undefined) return 0;
  if (found.some(({ isEstimate }) => isEstimate)) return null;
  if (found.some(({ count }) => count === records)) return 'all';
  const isWhole = range.start === undefined && range.end === undefined;
  return isWhole && found.length === 1 ? only.count : null;
}

/** Number of rows of a batch that have a cell. */
export function countRows(batch: RowBatch): number {
  let count = 0;
  for (let i = 0; i < batch.size; i++) {
    const row = batch.rowAt(i);
    if (batch.sliceAt(i).columns.some(({ kinds }) => kinds[row] !== ABSENT)) count++;
  }
  return count;
}
