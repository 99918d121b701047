import type { TimeRange } from '#shared/values/time.ts';
import type { DeviceLog } from './device-log.ts';
import { rowsWithin } from './rows-within.ts';
import { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { Abandoned, type Part } from '../segment/sorted-writer.ts';

/**
 * Rewrites the segments that hold rows of the range without them, and puts the new ones in their place at once. Blocks
 * wholly inside or outside are not decoded. Resolves with how many rows went.
 */
export async function deleteRecords(log: DeviceLog, range: TimeRange): Promise<number> {
  // There may be records that were refused and will be found after all: then this would not have deleted them.
  if (log.common.poison.reason !== null) throw log.common.poison.reason;
  try {
    await log.flushNow();
    return await log.retrying(() => rewrite(log, range));
  } catch (error) {
    // A purge came in between and took the rows with it.
    if (error instanceof Abandoned) return 0;
    throw error;
  }
}

async function rewrite(log: DeviceLog, range: TimeRange): Promise<number> {
  const { generation } = log;
  const made: SegmentMeta[] = [];
  const replaced: Segment[] = [];
  let gone = 0;
  try {
    for (const { segment, from, to } of rowsWithin(log.segments, range)) {
      gone += to - from;
      replaced.push(segment);
      const rest: Part[] = [
        { source: segment, from: 0, to: from },
        { source: segment, from: to, to: segment.rows },
      ];
      const { id, age } = segment.meta;
      made.push(...(await log.write(rest, { age, replaces: [id] })));
    }
  } catch (error) {
    await log.folder.discard(made);
    throw error;
  }
  if (gone > 0) {
    if (!(await log.commit(made, replaced, 0, generation))) {
      await log.folder.discard(made);
      throw new Abandoned();
    }
    log.revised();
  }
  log.resetNewest();
  return gone;
}
