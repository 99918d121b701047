import { StoreError } from '../../../base/errors.ts';
import { chooseRuns } from '../../blocks/query/choose-runs.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import { Building } from '../rows/building.ts';
import type { Database } from '../connection/connections.ts';
import { lockHead, writeHead } from '../rows/head.ts';
import type { DeviceCache } from '../reading/device-cache.ts';
import type { Place } from '../rows/place.ts';
import { BlocksGone, Reading, type BlockCache } from '../reading/reading.ts';
import { SuppliedSegment } from '../rows/supplied-segment.ts';
import { keysOf, orphansOf } from '../storing/dividing.ts';
import { Staging } from '../storing/staging.ts';
import { walkRows } from '../reading/walking.ts';
import { segmentStatements } from '../storing/writing.ts';

const KEPT_AGES = 'SELECT age FROM segment WHERE lane = $1 AND device_id = $2 AND state = 2';
const REPLACE =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = $4 WHERE lane = $1 AND device_id = $2 AND segment_id = $3 AND state = 1 RETURNING segment_id';

/** Blocks with at least so many rows stay as they are. */
const LARGE_ROWS = 512;
/** New blocks that one batch of rows makes at most. */
const MOST_BLOCKS = 1040;
const WRITE_BLOCKS = 64;
const EVERYTHING = { received: true };

export interface MergeParts {
  readonly database: Database;
  readonly devices: DeviceCache;
  readonly cache: BlockCache;
  readonly segmentRows: number;
  readonly isClosing: () => boolean;
}

/** The device has other segments by now, or is gone: what was made is of no use. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Compaction of a device: merges segments until nothing is worth it, so that pages stay quick after late data and small
 * segments do not pile up. New segments replace the old ones at once, if those are all there still. Resolves with false
 * where they were not, for a retry.
 */
export async function mergeSegments(parts: MergeParts, place: Place): Promise<boolean> {
  const { database, devices, segmentRows, isClosing } = parts;
  try {
    while (!isClosing()) {
      const known = await devices.at(place);
      const kept = await database.ask(KEPT_AGES, [place.lane, place.device]);
      const ages = kept.map((row) => row['age'] as number);
      const { epoch } = known.head;
      const reading = new Reading(database, parts.cache, place, epoch, known.history);
      const segments = known.segments.map((segment) => reading.of(segment));
      const chosen = chooseRuns(segments, ages, segmentRows);
      if (chosen === null) return true;
      await replaceByOne(parts, place, { reading, chosen, epoch });
    }
    return true;
  } catch (error) {
    if (error instanceof Overtaken || error instanceof BlocksGone) return false;
    if (error instanceof StoreError && (error.code === 'retired' || error.code === 'closed')) return true;
    throw error;
  }
}

async function replaceByOne(
  parts: MergeParts,
  place: Place,
  {
    reading,
    chosen,
    epoch,
  }: { readonly reading: Reading; readonly chosen: readonly SuppliedSegment[]; readonly epoch: number },
): Promise<void> {
  const { database, segmentRows } = parts;
  const staging = new Staging(database, place);
  try {
    await staging.reserve(MOST_BLOCKS, epoch === 0 ? null : epoch);
    const building = new Building(segmentRows, () => staging.number());
    const again = await putTogether(reading, chosen, building, async () => {
      await staging.reserve(MOST_BLOCKS, epoch);
      if (parts.isClosing()) throw new Overtaken('the store closes');
      if (building.freshBlocks >= WRITE_BLOCKS) await staging.write(building.takeBlocks());
    });
    const made = building.finish();
    await staging.write(building.takeBlocks());
    const age = Math.max(...chosen.map((segment) => segment.age));
    await database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        if (head.epoch !== epoch) throw new Overtaken('the device began anew');
        const replaced = await transaction.askAll(
          chosen.map((segment) => ({
            sql: REPLACE,
            params: [place.lane, place.device, segment.stored.id, orphansOf(segment, again)],
          })),
        );
        if (replaced.some((rows) => rows.length === 0)) throw new Overtaken('a segment went');
        await staging.take(transaction);
        let { nextSeq } = head;
        await transaction.askAll(
          made.flatMap((segment) => segmentStatements(place, segment, { id: nextSeq++, age })),
        );
        const bytes =
          head.bytes + sum(made.map((each) => each.bytes)) - sum(chosen.map((each) => each.stored.bytes));
        await writeHead(transaction, place, { ...head, nextSeq, bytes, version: head.version + 1 });
      },
      { lane: place.lane },
    );
  } catch (error) {
    await staging.discard();
    throw error;
  }
}

/** Puts the rows of segments in order; returns the numbers of the blocks that stay as they are. */
async function putTogether(
  reading: Reading,
  chosen: readonly SuppliedSegment[],
  building: Building,
  between: () => Promise<void>,
): Promise<ReadonlySet<number>> {
  const again = new Set<number>();
  const timeline = new Timeline(chosen);
  const keys = await keysOf(reading, chosen);
  for (let rank = 0; rank < timeline.rows;) {
    const cluster = timeline.clusters[timeline.clusterAt(rank)];
    const [segment, other] = cluster?.sources ?? [];
    if (!cluster) break;
    if (other || !(segment instanceof SuppliedSegment)) {
      const to = cluster.before + cluster.rows;
      for await (const batch of walkRows(reading, timeline, { from: rank, to }, EVERYTHING)) {
        for (let i = 0; i < batch.size; i++) building.row(batch.sliceAt(i), batch.rowAt(i));
        await between();
      }
      rank = to;
      continue;
    }
    const { table } = segment;
    const index = table.blockOf(rank - cluster.before);
    const to = rank + table.rowsOf(index);
    if (table.rowsOf(index) >= LARGE_ROWS) {
      building.again(segment, index, keys.get(segment) ?? []);
      again.add(table.offsetOf(index));
    } else {
      for await (const batch of walkRows(reading, timeline, { from: rank, to }, EVERYTHING))
        for (let i = 0; i < batch.size; i++) building.row(batch.sliceAt(i), batch.rowAt(i));
    }
    await between();
    rank = to;
  }
  return again;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
