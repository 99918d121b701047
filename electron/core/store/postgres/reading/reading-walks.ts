import { Pace } from '../../../turns/pace.ts';
import { feedsOf, walkReadings } from '../../blocks/series/readings.ts';
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
  const pace = new Pace();
  const into = begin();
  const device = view.frozen();
  const feeds = await rounds.run(() => feedsOf(device.sources(), query));
  const steps = walkReadings(feeds, into);
  for (;;) {
    const { done, value: needed } = rounds.now(() => steps.next());
    if (done === true) return into;
    if (needed !== null && needed.run instanceof SuppliedSegment)
      await rounds.ahead([{ segment: needed.run, index: needed.index }], AHEAD_BLOCKS);
    if (await pace.pause()) signal?.throwIfAborted();
  }
}

async function walkCorrected<T extends TakeReadings>(
  view: DeviceView,
  { query: { key, range }, begin, signal }: ReadingsAsked<T>,
): Promise<T> {
  const { rounds } = view;
  const into = begin();
  const device = view.frozen();
  const { timeline, from, held } = await rounds.run(() => {
    const whole = device.timeline();
    const ranks = whole.ranks({ start: range.start });
    return { timeline: whole, from: ranks.from, held: readingBefore(whole, key, ranks.from) };
  });
  if (held !== null) into.one(held.instant, held.value);
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
