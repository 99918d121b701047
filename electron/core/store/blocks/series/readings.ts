import type { KeyReading, ReadingsQuery, TakeReadings } from '../../store.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import type { Readings } from './block-readings.ts';
import { feedOf, type Feed, type Needed, type StoredFeed } from './reading-feeds.ts';

/*
 * The readings of one key in order of time, over sources that may overlap. A block that no other source reaches into goes on as
 * a whole: where who takes it needs no more than the index says of it, and an earlier walk has seen that no pause in it is too
 * long, it is not even read. Only blocks that do overlap are merged, reading by reading.
 */

/** Steps of blocks that are not read, after which others get their turn. */
const STEPS_A_LOOK = 256;

/** The sources of a key; reads no block, and may be made again. */
export function feedsOf(sources: readonly SortedRows[], query: ReadingsQuery): readonly StoredFeed[] {
  return sources.flatMap((source, order) => feedOf(source, order, query) ?? []);
}

/** Walks through feeds, once. Before it reads a block it says which one it needs; others may get their turn at each step. */
export function* walkReadings(
  feeds: readonly StoredFeed[],
  into: TakeReadings,
): Generator<Needed | null, void> {
  const held = yield* heldBefore(feeds);
  if (held !== null) into.one(held.instant, held.value);
  yield* walkFeeds(feeds, into);
}

/** The same from the beginning of the range on. */
export function* walkFeeds(feeds: readonly Feed[], into: TakeReadings): Generator<Needed | null, void> {
  const open: OpenReadings[] = [];
  for (let step = 1; !into.isOver; step++) {
    const feed = earliest(feeds);
    if (open.length > 0) {
      merge(open, feed?.first ?? Infinity, into);
      if (open.length === 0 || into.isOver) continue;
    }
    if (feed === null) return;
    if (open.length > 0 || !isAlone(feed, feeds)) {
      const needed = feed.needed;
      if (needed !== null) yield needed;
      insert(open, { order: feed.order, at: 0, ...feed.take() });
      continue;
    }
    if (!feed.skip(into)) {
      yield feed.needed;
      feed.pass(into);
    }
    if (step % STEPS_A_LOOK === 0) yield null;
  }
}

/** The newest reading before the range, of several at one instant the one that arrived last. */
function* heldBefore(feeds: readonly StoredFeed[]): Generator<Needed | null, KeyReading | null> {
  let held: KeyReading | null = null;
  for (const feed of feeds) {
    const found: KeyReading | null = yield* feed.held();
    if (found !== null && found.instant >= (held?.instant ?? -Infinity)) held = found;
  }
  return held;
}

/** The feed whose next reading comes first; of equal ones that of the earlier arrival. */
function earliest(feeds: readonly Feed[]): Feed | null {
  let first: Feed | null = null;
  for (const feed of feeds) if (!feed.isOver && (first === null || feed.first < first.first)) first = feed;
  return first;
}

/** Whether what a feed has next ends before any other begins. */
function isAlone({ order, last }: Feed, feeds: readonly Feed[]): boolean {
  for (const other of feeds) {
    if (other.order === order || other.isOver || other.first > last) continue;
    if (other.first < last || other.order < order) return false;
  }
  return true;
}

interface OpenReadings extends Readings {
  readonly order: number;
  at: number;
}

/** Earlier arrivals first, and what a feed had before what it has next. */
function insert(open: OpenReadings[], readings: OpenReadings): void {
  if (readings.count === 0) return;
  const place = open.findIndex(({ order }) => order > readings.order);
  open.splice(place === -1 ? open.length : place, 0, readings);
}

/** Hands on what comes before `until`. */
function merge(open: OpenReadings[], until: number, into: TakeReadings): void {
  while (open.length > 0 && !into.isOver) {
    let best = open[0]!;
    let time = best.times[best.at]!;
    for (let i = 1; i < open.length; i++) {
      const other = open[i]!;
      const next = other.times[other.at]!;
      if (next >= time) continue;
      best = other;
      time = next;
    }
    if (time >= until) return;
    into.one(time, best.values[best.at]!);
    if (++best.at === best.count) open.splice(open.indexOf(best), 1);
  }
}
