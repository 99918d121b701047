import type { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Serial } from '../../../turns/serial.ts';
import type { Common } from './common.ts';
import { Abandoned, wholeParts, type Part } from '../segment/sorted-writer.ts';
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

/** What merging needs of a device log. */
export interface Mergeable {
  readonly segments: readonly Segment[];
  /** Goes up when all records go. */
  readonly generation: number;
  readonly work: Serial;
  readonly common: Common;
  retrying<T>(work: () => Promise<T>): Promise<T>;
  write(
    parts: readonly Part[],
    about: { readonly age: number; readonly replaces: readonly number[]; readonly mayStop: boolean },
  ): Promise<SegmentMeta[]>;
  commit(
    made: readonly SegmentMeta[],
    replaced: readonly Segment[],
    flushed: number,
    generation: number,
  ): Promise<boolean>;
  free(segments: readonly Segment[]): Promise<void>;
  discard(made: readonly SegmentMeta[]): Promise<void>;
}

/** Merges until nothing is worth it. Resolves also when the work was given up for a purge. */
export async function mergeSegments(log: Mergeable): Promise<void> {
  try {
    for (
      let chosen = chooseSegments(log.segments, log.common.limits.segmentRows);
      chosen !== null && !log.common.isClosing();
      chosen = chooseSegments(log.segments, log.common.limits.segmentRows)
    )
      await replaceByOne(log, chosen);
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
  }
}

async function replaceByOne(log: Mergeable, chosen: readonly Segment[]): Promise<void> {
  const { generation } = log;
  const age = Math.max(...chosen.map(({ meta }) => meta.age));
  const replaces = chosen.map(({ meta }) => meta.id);
  for (const segment of chosen) segment.use();
  try {
    const made = await log.retrying(() => {
      // Begun anew after damage, it would not be given up for a purge that came before.
      if (log.generation !== generation) throw new Abandoned();
      return log.write(wholeParts(chosen), { age, replaces, mayStop: true });
    });
    const committed = await log.work.run(async () => {
      const present = chosen.every((segment) => log.segments.includes(segment));
      return present && (await log.commit(made, chosen, 0, generation));
    });
    if (!committed) await log.discard(made);
  } finally {
    await log.free(chosen);
  }
}

/**
 * Segments whose rows may be put together without changing the order of equal times: of those that overlap in time,
 * neighbours in age; of those that do not, neighbours in time that are also in order of age.
 */
export function chooseSegments(segments: readonly Segment[], segmentRows: number): readonly Segment[] | null {
  const { clusters } = new Timeline(segments);
  let following: Segment[] = [];
  for (const cluster of clusters) {
    const members = cluster.sources as readonly Segment[];
    const [only] = members;
    if (members.length > 1) {
      const chosen = youngestOfOneSize(members, OVERLAPPING);
      if (chosen !== null) return chosen;
    }
    const before = following.at(-1);
    const follows = before === undefined || (only !== undefined && only.meta.age > before.meta.age);
    if (only === undefined || members.length > 1 || only.rows * RATIO > segmentRows) following = [];
    else following = follows ? [...following, only] : [only];
    const chosen = youngestOfOneSize(following, FOLLOWING);
    if (chosen !== null) return chosen;
  }
  return null;
}

function youngestOfOneSize(oldestFirst: readonly Segment[], atLeast: number): readonly Segment[] | null {
  let from = oldestFirst.length;
  let rows = 0;
  while (from > 0 && (rows === 0 || oldestFirst[from - 1]!.rows <= rows * RATIO))
    rows += oldestFirst[--from]!.rows;
  return oldestFirst.length - from >= atLeast ? oldestFirst.slice(from) : null;
}
