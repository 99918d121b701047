import type { TimeRange } from '#shared/values/time.ts';
import type { StoredRecord } from '../../store.ts';
import type { Projection } from '../../blocks/block/block.ts';
import { Cursor, type RowBatch } from '../../blocks/query/cursor.ts';
import { countBySummary, countRows } from '../../blocks/count-reads.ts';
import { countRecords } from '../../blocks/reads.ts';
import { readSummary } from '../../blocks/summary-reads.ts';
import type { Readable } from '../../blocks/readable.ts';
import { Pace } from '../../../turns/pace.ts';
import { Segment } from '../segment/segment.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';

const BATCH_ROWS = 1024;
const PREFETCH_BYTES = 1 << 18;

/** Every record of the range, oldest first, over what there was when it began; in slices of time. */
export async function* scanRecords(
  device: Readable,
  range: TimeRange | undefined,
): AsyncGenerator<StoredRecord[]> {
  const { timeline, release } = device.snapshot();
  try {
    yield* scanTimeline(timeline, range);
  } catch (error) {
    throw device.failure(error);
  } finally {
    await release();
  }
}

/** Every record of some segments of a device, oldest first; they stay as long. */
export async function* scanSegments(
  device: Readable,
  segments: readonly Segment[],
): AsyncGenerator<StoredRecord[]> {
  try {
    yield* scanTimeline(new Timeline(segments), undefined);
  } catch (error) {
    throw device.failure(error);
  }
}

async function* scanTimeline(
  timeline: Timeline,
  range: TimeRange | undefined,
): AsyncGenerator<StoredRecord[]> {
  for await (const batch of scanRows(timeline, range, { received: true }))
    yield Array.from({ length: batch.size }, (_, i) => batch.sliceAt(i).record(batch.rowAt(i)));
}

/**
 * Resolves with the number of records in the range with any of the keys. Where some key is in all records, or one key alone
 * is asked for of all of them, nothing is read for it.
 */
export async function countWith(
  device: Readable,
  range: TimeRange,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  const asked = new Set(keys);
  const known = countBySummary(await readSummary(device, signal), asked, range);
  if (known === 'all') return countRecords(device, range);
  return known ?? device.retrying(() => countWithin(device, range, asked, signal));
}

async function countWithin(
  device: Readable,
  range: TimeRange,
  keys: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<number> {
  const { timeline, release } = device.snapshot();
  try {
    let count = 0;
    for await (const batch of scanRows(timeline, range, { keys, received: false })) {
      signal?.throwIfAborted();
      count += countRows(batch);
    }
    return count;
  } finally {
    await release();
  }
}

/** Scans the rows of any timeline, as cells; rejects as its sources do. */
export async function* scanRows(
  timeline: Timeline,
  range: TimeRange | undefined,
  projection: Projection,
): AsyncGenerator<RowBatch> {
  const { from, to } = timeline.ranks(range);
  const cursor = new Cursor(timeline, from, to, false, projection);
  const pace = new Pace();
  for (;;) {
    for (const { source, from: next } of cursor.reading) await prefetch(source, next);
    const batch = cursor.next(BATCH_ROWS);
    if (batch === null) return;
    yield batch;
    // Whoever takes the records may have used up the slice of time with them.
    await pace.pause();
  }
}

async function prefetch(read: SortedRows, at: number): Promise<void> {
  for (const { source, row } of read.storedAt?.(at) ?? [{ source: read, row: at }])
    await prefetchStored(source, row);
}

async function prefetchStored(source: SortedRows, row: number): Promise<void> {
  if (source instanceof Segment && row < source.rows)
    await source.prefetch(source.table.blockOf(row), PREFETCH_BYTES);
}
