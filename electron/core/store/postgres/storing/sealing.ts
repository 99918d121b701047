import { Cursor } from '../../blocks/query/cursor.ts';
import { Memtable } from '../../blocks/query/memtable.ts';
import type { MemoryRun } from '../../blocks/query/run.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { Asker } from '../connection/connections.ts';
import { Building } from '../rows/building.ts';
import type { Head } from '../rows/head.ts';
import { addEntry } from '../rows/cached-device.ts';
import type { Place } from '../rows/place.ts';
import { blockStatements, counted, segmentStatements } from './writing.ts';

const TAIL = 'SELECT seq, kind, entry FROM tail WHERE lane = $1 AND device_id = $2 ORDER BY seq';
const NEWEST = 'SELECT max(last) AS newest FROM segment WHERE lane = $1 AND device_id = $2 AND state = 1';
const EMPTY = 'DELETE FROM tail WHERE lane = $1 AND device_id = $2';
/** All but the latest: more are remembered than store.ts promises. */
const OLD_RECEIPTS = `DELETE FROM receipt WHERE lane = $1 AND device_id = $2 AND seq < ANY (
    SELECT seq FROM receipt WHERE lane = $1 AND device_id = $2 ORDER BY seq DESC OFFSET 2000 LIMIT 1)`;
const BATCH_ROWS = 1024;
/** Blocks with at least so many rows stay as they are. */
const LARGE_ROWS = 512;
const EVERYTHING = { received: true };

/**
 * Puts what is in the tail of a device into segments, in a transaction that has locked its head. Resolves with the head,
 * which is yet to be written: its version is another one, unless the tail was empty.
 */
export async function sealTail(asker: Asker, place: Place, head: Head, segmentRows: number): Promise<Head> {
  if (head.tailRows === 0) return head;
  const key = [place.lane, place.device];
  const [tail = [], [found] = []] = await asker.askAll([
    { sql: TAIL, params: key },
    { sql: NEWEST, params: key },
  ]);
  const memtable = new Memtable((found?.['newest'] ?? -Infinity) as number);
  for (const row of tail) addEntry(memtable, row);
  let { nextBlock, nextSeq } = head;
  const building = new Building(segmentRows, () => nextBlock++);
  for (const layer of memtable.layers)
    for (const sources of [layer.liveSources(false), layer.lateSources(false)]) {
      putInOrder(sources, building);
      building.end();
    }
  const made = building.finish();
  await asker.askAll([
    ...blockStatements(place, building.takeBlocks()),
    ...made.flatMap((segment) => segmentStatements(place, segment, ageOf(nextSeq++))),
    { sql: EMPTY, params: key },
    { sql: OLD_RECEIPTS, params: key },
  ]);
  return { ...(await counted(asker, place, head)), nextBlock, nextSeq, version: head.version + 1 };
}

/** A new segment: its number says when it arrived. */
export const ageOf = (seq: number) => ({ id: seq, age: seq });

function putInOrder(sources: readonly SortedRows[], building: Building): void {
  const timeline = new Timeline(sources);
  for (let from = 0; from < timeline.rows;) {
    const whole = wholeBlock(timeline, from);
    if (whole) {
      building.block(whole);
      from += whole.rows;
      continue;
    }
    const batch = new Cursor(timeline, from, timeline.rows, false, EVERYTHING).next(BATCH_ROWS);
    if (batch === null) return;
    for (let i = 0; i < batch.size; i++) building.row(batch.sliceAt(i), batch.rowAt(i));
    from += batch.size;
  }
}

/** A large block that begins at a rank and that no other source overlaps. */
function wholeBlock(timeline: Timeline, rank: number) {
  const cluster = timeline.clusters[timeline.clusterAt(rank)];
  const [source, other] = cluster?.sources ?? [];
  if (!cluster || other || !isMemoryRun(source)) return null;
  const { table } = source;
  const row = rank - cluster.before;
  const index = table.blockOf(row);
  return table.rowsBefore(index) === row && table.rowsOf(index) >= LARGE_ROWS ? source.block(index) : null;
}

const isMemoryRun = (source: SortedRows | undefined): source is MemoryRun =>
  source !== undefined && 'blocks' in source;
