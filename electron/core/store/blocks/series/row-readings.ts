import type { KeyReading, TakeReadings } from '../../store.ts';
import { NUMBER } from '../block/cell-kind.ts';
import { Cursor, type RowBatch } from '../query/cursor.ts';
import type { Timeline } from '../query/timeline.ts';

/* The readings of a key row by row: of rows that are read through corrections, of which no index tells. */

const BATCH_ROWS = 256;

/** Returns the newest reading before a rank. */
export function readingBefore(timeline: Timeline, key: string, rank: number): KeyReading | null {
  const cursor = new Cursor(timeline, 0, rank, true, { keys: new Set([key]), received: false });
  for (let batch = cursor.next(BATCH_ROWS); batch !== null; batch = cursor.next(BATCH_ROWS))
    for (let i = 0; i < batch.size; i++) {
      const { columns, times } = batch.sliceAt(i);
      const row = batch.rowAt(i);
      const [cells] = columns;
      if (cells?.kinds[row] === NUMBER) return { instant: times[row]!, value: cells.numbers[row]! };
    }
  return null;
}

/** Hands on the readings of rows of one key, oldest first. */
export function takeRows(batch: RowBatch, into: TakeReadings): void {
  for (let i = 0; i < batch.size && !into.isOver; i++) {
    const { columns, times } = batch.sliceAt(i);
    const row = batch.rowAt(i);
    const [cells] = columns;
    if (cells?.kinds[row] === NUMBER) into.one(times[row]!, cells.numbers[row]!);
  }
}
