import type { Segment } from '../segment/segment.ts';
import type { DeviceRows } from './device-rows.ts';
import { Abandoned, wholeParts } from '../segment/sorted-writer.ts';
import { Timeline } from '../../blocks/query/timeline.ts';

/*
 * Merging in the background, so that pages stay quick after late data and small segments do not pile up. Nothing waits
 * for it: the new segments take the place of the old ones at once when they are durable. It is size-tiered (as
 * "universal compaction" in RocksDB), so each row is rewritten a few times in its life at most.
 */

/** Overlapping segments that are merged as soon as there are so many of about one size. */
const OVERLAPPING = 4;
/** The same for segments that follow one another. */
const FOLLOWING = 8;
/** A segment joins younger ones that together are at least 1/RATIO of its size. */
const RATIO = 4;

/** Merges until nothing is worth it. Resolves also when the work was given up for a purge. */
export async function mergeSegments(device: DeviceRows): Promise<void> {
  try {
    for (
      let chosen = chooseSegments(device, device.common.limits.segmentRows);
      chosen !== null && !device.common.isClosing();
      chosen = chooseSegments(device, device.common.limits.segmentRows)
    )
      await replaceByOne(device, chosen);
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
  }
}

async function replaceByOne(device: DeviceRows, chosen: readonly Segment[]): Promise<void> {
  const { generation } = device;
  const age = Math.max(...chosen.map(({ meta }) => meta.age));
  const replaces = chosen.map(({ meta }) => meta.id);
  for (const segment of chosen) segment.use();
  try {
    const made = await device.retrying(() => {
      // Begun anew after damage, it would not be given up for a purge that came before.
      if (device.generation !== generation) throw new Abandoned();
      return device.write(wholeParts(chosen), { age, replaces, mayStop: true });
    });
    const committed = await device.work.run(async () => {
      const present = chosen.every((segment) => device.segments.includes(segment));
      return present && (await device.commit(made, chosen, 0, generation));
    });
    if (!committed) await device.discard(made);
  } finally {
    await device.free(chosen);
  }
}

/**
 * Segments whose rows may be put together without changing the order of equal times: of those that overlap in time,
 * neighbours in age; of those that do not, neighbours in time that are also in order of age. Where something is kept that
 * arrived between two of them it may come back between them.
 */
export function chooseSegments(
  { segments, keptAges }: Pick<DeviceRows, 'segments' | 'keptAges'>,
  segmentRows: number,
): readonly Segment[] | null {
  const { clusters } = new Timeline(segments);
  let following: Segment[] = [];
  for (const cluster of clusters) {
    const members = cluster.sources as readonly Segment[];
    const [only] = members;
    if (members.length > 1) {
      const chosen = youngestOfOneSize(members, OVERLAPPING, keptAges);
      if (chosen !== null) return chosen;
    }
    const before = following.at(-1);
    const follows = before === undefined || (only !== undefined && only.meta.age > before.meta.age);
    if (only === undefined || members.length > 1 || only.rows * RATIO > segmentRows) following = [];
    else following = follows ? [...following, only] : [only];
    const chosen = youngestOfOneSize(following, FOLLOWING, keptAges);
    if (chosen !== null) return chosen;
  }
  return null;
}

function youngestOfOneSize(
  oldestFirst: readonly Segment[],
  atLeast: number,
  keptAges: readonly number[],
): readonly Segment[] | null {
  let from = oldestFirst.length;
  let rows = 0;
  while (from > 0 && (rows === 0 || oldestFirst[from - 1]!.rows <= rows * RATIO)) {
    const [older, younger] = [oldestFirst[from - 1]!.meta.age, oldestFirst[from]?.meta.age];
    if (younger !== undefined && keptAges.some((age) => age > older && age <= younger)) break;
    rows += oldestFirst[--from]!.rows;
  }
  return oldestFirst.length - from >= atLeast ? oldestFirst.slice(from) : null;
}
