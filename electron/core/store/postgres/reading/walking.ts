import { Pace } from '../../../turns/pace.ts';
import type { Projection } from '../../blocks/block/block.ts';
import { Cursor, type RowBatch } from '../../blocks/query/cursor.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import type { Timeline } from '../../blocks/query/timeline.ts';
import type { Readable } from '../../blocks/readable.ts';
import { feedsOf, walkReadings } from '../../blocks/series/readings.ts';
import type { ReadingsAsked, TakeReadings } from '../../store.ts';
import type { Reading } from './reading.ts';
import { SuppliedSegment } from '../rows/supplied-segment.ts';

const BATCH_ROWS = 1024;
/** Blocks that are fetched at once, of each source that is walked. */
const AHEAD_BLOCKS = 64;

/** Rows [from, to) of a timeline, oldest first, some at a time; a batch is valid until the next one. Others get their turn. */
export async function* walkRows(
  reading: Reading,
  timeline: Timeline,
  { from, to }: { readonly from: number; readonly to: number },
  projection: Projection,
): AsyncGenerator<RowBatch> {
  const pace = new Pace();
  for (let rank = from; rank < to;) {
    const cluster = timeline.clusters[timeline.clusterAt(rank)];
    if (!cluster) return;
    const end = Math.min(to, cluster.before + cluster.rows);
    const cursor = await reading.run(() => entered(new Cursor(timeline, rank, end, false, projection)));
    while (cursor.left > 0) {
      await reading.ahead(blocksAt(cursor.reading), AHEAD_BLOCKS);
      const batch = reading.now(() => cursor.next(BATCH_ROWS));
      if (batch === null) break;
      yield batch;
      await pace.pause();
    }
    rank = end;
  }
}

/** Hands on the readings of a key, as `RecordStore.readings` says. Others get their turn. */
export async function walkReadingsOf<T extends TakeReadings>(
  reading: Reading,
  device: Readable,
  { query, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  const pace = new Pace();
  const into = begin();
  const feeds = await reading.run(() => feedsOf(device.sources(), query));
  const steps = walkReadings(feeds, into);
  for (;;) {
    const { done, value: needed } = reading.now(() => steps.next());
    if (done === true) return into;
    if (needed !== null && needed.run instanceof SuppliedSegment)
      await reading.ahead([{ segment: needed.run, index: needed.index }], AHEAD_BLOCKS);
    if (await pace.pause()) signal?.throwIfAborted();
  }
}

/** A cursor that knows where in each source it begins. */
function entered(cursor: Cursor): Cursor {
  void cursor.reading;
  return cursor;
}

function blocksAt(
  lanes: readonly { readonly source: SortedRows; readonly from: number; readonly to: number }[],
): { segment: SuppliedSegment; index: number }[] {
  return lanes.flatMap(({ source, from, to }) =>
    source instanceof SuppliedSegment && from < to
      ? [{ segment: source, index: source.table.blockOf(from) }]
      : [],
  );
}
