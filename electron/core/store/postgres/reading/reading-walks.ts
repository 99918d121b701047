import { Pace } from '../../../turns/pace.ts';
import { correctedFeedsOf } from '../../blocks/series/corrected-feeds.ts';
import type { Needed } from '../../blocks/series/reading-feeds.ts';
import { feedsOf, walkFeeds, walkReadings } from '../../blocks/series/readings.ts';
import { readingBefore, takeRows } from '../../blocks/series/row-readings.ts';
import type { ReadingsAsked, TakeReadings } from '../../store.ts';
import { SuppliedSegment } from '../rows/supplied-segment.ts';
import type { DeviceView } from './device-view.ts';
import { AHEAD_BLOCKS, walkRows } from './walking.ts';

/** Hands on the readings of a key, as `RecordStore.readings` says. Others get their turn. */
export const walkReadingsOf = <T extends TakeReadings>(
  view: DeviceView,
  asked: ReadingsAsked<T>,
): Promise<T> => (view.stored === null ? walkCorrected(view, asked) : walkStored(view, asked));

async function walkStored<T extends TakeReadings>(
  view: DeviceView,
  { query, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  const { rounds } = view;
  const into = begin();
  const device = view.frozen();
  const feeds = await rounds.run(() => feedsOf(device.sources(), query));
  await step(rounds, walkReadings(feeds, into), signal);
  return into;
}

async function walkCorrected<T extends TakeReadings>(
  view: DeviceView,
  { query, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  const { key, range } = query;
  const { rounds } = view;
  const into = begin();
  const device = view.frozen();
  const { timeline, from, held, feeds } = await rounds.run(() => {
    const whole = device.timeline();
    const ranks = whole.ranks({ start: range.start });
    return {
      timeline: whole,
      from: ranks.from,
      held: readingBefore(whole, key, ranks.from),
      feeds: correctedFeedsOf(device.sources(), query),
    };
  });
  if (held !== null) into.one(held.instant, held.value);
  if (feeds !== null) {
    await step(rounds, walkFeeds(feeds, into), signal);
    return into;
  }
  const rows = walkRows(
    rounds,
    timeline,
    { from, to: timeline.rows },
    { keys: new Set([key]), received: false },
  );
  for await (const batch of rows) {
    signal?.throwIfAborted();
    takeRows(batch, into);
    if (into.isOver) break;
  }
  return into;
}

/** Walks on to the end, and fetches what it needs. */
async function step(
  rounds: DeviceView['rounds'],
  steps: Generator<Needed | null, void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pace = new Pace();
  for (;;) {
    const { done, value: needed } = rounds.now(() => steps.next());
    if (done === true) return;
    if (needed !== null && needed.run instanceof SuppliedSegment)
      await rounds.ahead([{ segment: needed.run, index: needed.index }], AHEAD_BLOCKS);
    if (await pace.pause()) signal?.throwIfAborted();
  }
}
