import { Pace } from '../../turns/pace.ts';
import type { ReadingsAsked, ReadingsQuery, TakeReadings } from '../store.ts';
import { Cursor } from './query/cursor.ts';
import type { SortedRows } from './query/sorted-rows.ts';
import type { Timeline } from './query/timeline.ts';
import type { Readable } from './readable.ts';
import { correctedFeedsOf } from './series/corrected-feeds.ts';
import { feedsOf, walkFeeds, walkReadings } from './series/readings.ts';
import { readingBefore, takeRows } from './series/row-readings.ts';

const BATCH_ROWS = 1024;

/** The readings of a key that is read through corrections. */
function* walkCorrected(
  sources: readonly SortedRows[],
  timeline: Timeline,
  query: ReadingsQuery,
  into: TakeReadings,
): Generator {
  const { key, range } = query;
  const { from } = timeline.ranks({ start: range.start });
  const held = readingBefore(timeline, key, from);
  if (held !== null) into.one(held.instant, held.value);
  const feeds = correctedFeedsOf(sources, query);
  if (feeds !== null) {
    yield* walkFeeds(feeds, into);
    return;
  }
  const cursor = new Cursor(timeline, from, timeline.rows, false, { keys: new Set([key]), received: false });
  while (!into.isOver) {
    const batch = cursor.next(BATCH_ROWS);
    if (batch === null) return;
    takeRows(batch, into);
    yield null;
  }
}

/** The readings of a key, as `RecordStore.readings` says, of blocks that are at hand; in slices of time. */
export function readReadings<T extends TakeReadings>(
  device: Readable,
  { query, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  return device.retrying(async () => {
    const { sources, timeline, release } = device.snapshot();
    try {
      const into = begin();
      const pace = new Pace();
      const areStored = sources.every((source) => source.storedAt === undefined);
      const steps = areStored
        ? walkReadings(feedsOf(sources, query), into)
        : walkCorrected(sources, timeline, query, into);
      for (const _ of steps) {
        if (!pace.isOver) continue;
        await pace.pause();
        signal?.throwIfAborted();
      }
      return into;
    } finally {
      await release();
    }
  });
}
