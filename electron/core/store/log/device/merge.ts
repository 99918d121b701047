import type { Segment } from '../segment/segment.ts';
import type { DeviceRows } from './device-rows.ts';
import { Abandoned, wholeParts } from '../segment/sorted-writer.ts';
import { chooseRuns } from '../../blocks/query/choose-runs.ts';

/*
 * Merging in the background, so that pages stay quick after late data and small segments do not pile up. Nothing waits
 * for it: the new segments take the place of the old ones at once when they are durable. It is size-tiered (as
 * "universal compaction" in RocksDB), so each row is rewritten a few times in its life at most.
 */

/** Merges segments until nothing is worth it. Resolves also when the work was given up for a purge. */
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

/** Returns the segments to be merged next; null for none. */
export function chooseSegments(
  { segments, keptAges }: Pick<DeviceRows, 'segments' | 'keptAges'>,
  segmentRows: number,
): readonly Segment[] | null {
  return chooseRuns(segments, keptAges, segmentRows);
}
