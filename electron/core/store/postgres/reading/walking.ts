import { Pace } from '../../../turns/pace.ts';
import type { Projection } from '../../blocks/block/block.ts';
import { Cursor, type RowBatch } from '../../blocks/query/cursor.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import type { Timeline } from '../../blocks/query/timeline.ts';
import { SuppliedSegment } from '../rows/supplied-segment.ts';
import type { Rounds, WantedBlock } from './rounds.ts';

const BATCH_ROWS = 1024;
/** Blocks that are fetched at once, of each source that is walked. */
export const AHEAD_BLOCKS = 64;

/** Rows [from, to) of a timeline, oldest first, some at a time; a batch is valid until the next one. Others get their turn. */
export async function* walkRows(
  reading: Rounds,
  timeline: Timeline,
  { from, to }: { readonly from: number; readonly to: number },
  projection: Projection,
): AsyncGenerator<RowBatch> {
  const pace = new Pace();
  for (let rank = from; rank < to;) {
    const cluster = timeline.clusters[timeline.clusterAt(rank)];
    if (!cluster) return;
    const end = Math.min(to, cluster.before + cluster.rows);
    const isCorrected = cluster.sources.some((source) => source.storedAt !== undefined);
    const walk = isCorrected ? walkCorrected : walkStored;
    for await (const batch of walk(reading, timeline, { from: rank, to: end }, projection)) {
      yield batch;
      await pace.pause();
    }
    rank = end;
  }
}

type Walk = typeof walkRows;

const walkStored: Walk = async function* (reading, timeline, { from, to }, projection) {
  const cursor = await reading.run(() => entered(new Cursor(timeline, from, to, false, projection)));
  while (cursor.left > 0) {
    await reading.ahead(blocksAt(cursor.reading), AHEAD_BLOCKS);
    const batch = reading.now(() => cursor.next(BATCH_ROWS));
    if (batch === null) return;
    yield batch;
  }
};

/** Of rows that are read through corrections any step may ask for a block more: each has a cursor of its own. */
const walkCorrected: Walk = async function* (reading, timeline, { from, to }, projection) {
  const cursorAt = (rank: number) => new Cursor(timeline, rank, to, false, projection);
  for (let rank = from; rank < to;) {
    const at = rank;
    await reading.ahead(await reading.run(() => blocksAt(cursorAt(at).reading)), AHEAD_BLOCKS);
    const batch = await reading.run(() => cursorAt(at).next(BATCH_ROWS));
    if (batch === null) return;
    yield batch;
    rank += batch.size;
  }
};

/** A cursor that knows where in each source it begins. */
function entered(cursor: Cursor): Cursor {
  void cursor.reading;
  return cursor;
}

function blocksAt(
  lanes: readonly { readonly source: SortedRows; readonly from: number; readonly to: number }[],
): WantedBlock[] {
  return lanes
    .filter(({ from, to }) => from < to)
    .flatMap(({ source, from }) => source.storedAt?.(from) ?? [{ source, row: from }])
    .flatMap(({ source, row }) =>
      source instanceof SuppliedSegment ? [{ segment: source, index: source.table.blockOf(row) }] : [],
    );
}
