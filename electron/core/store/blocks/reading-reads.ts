import { Pace } from '../../turns/pace.ts';
import type { ReadingsAsked, TakeReadings } from '../store.ts';
import type { Readable } from './readable.ts';
import { feedsOf, walkReadings } from './series/readings.ts';

/** The readings of a key, as `RecordStore.readings` says, of blocks that are at hand; in slices of time. */
export function readReadings<T extends TakeReadings>(
  device: Readable,
  { query, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  return device.retrying(async () => {
    const { sources, release } = device.snapshot();
    try {
      const into = begin();
      const pace = new Pace();
      for (const _ of walkReadings(feedsOf(sources, query), into)) {
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
