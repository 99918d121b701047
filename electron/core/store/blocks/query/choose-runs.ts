import type { SortedRows } from './sorted-rows.ts';
import { Timeline } from './timeline.ts';

/** Rows with their place in the order of arrival. */
interface AgedRows extends SortedRows {
  readonly age: number;
}

/** Overlapping runs that are merged as soon as there are so many of about one size. */
const OVERLAPPING = 4;
/** The same for segments that follow one another. */
const FOLLOWING = 8;
/** A run joins younger ones that together are at least 1/RATIO of its size. */
const RATIO = 4;

/**
 * Runs whose rows may be put together without changing the order of equal times: of those that overlap in time,
 * neighbours in age; of those that do not, neighbours in time that are also in order of age. Where something is kept that
 * arrived between two of them it may come back between them.
 */
export function chooseRuns<T extends AgedRows>(
  runs: readonly T[],
  keptAges: readonly number[],
  segmentRows: number,
): readonly T[] | null {
  const { clusters } = new Timeline(runs);
  let following: T[] = [];
  for (const cluster of clusters) {
    const members = cluster.sources as readonly T[];
    const [only] = members;
    if (members.length > 1) {
      const chosen = youngestOfOneSize(members, OVERLAPPING, keptAges);
      if (chosen !== null) return chosen;
    }
    const before = following.at(-1);
    const follows = before === undefined || (only !== undefined && only.age > before.age);
    if (only === undefined || members.length > 1 || only.rows * RATIO > segmentRows) following = [];
    else following = follows ? [...following, only] : [only];
    const chosen = youngestOfOneSize(following, FOLLOWING, keptAges);
    if (chosen !== null) return chosen;
  }
  return null;
}

function youngestOfOneSize<T extends AgedRows>(
  oldestFirst: readonly T[],
  atLeast: number,
  keptAges: readonly number[],
): readonly T[] | null {
  let from = oldestFirst.length;
  let rows = 0;
  while (from > 0 && (rows === 0 || oldestFirst[from - 1]!.rows <= rows * RATIO)) {
    const [older, younger] = [oldestFirst[from - 1]!.age, oldestFirst[from]?.age];
    if (younger !== undefined && keptAges.some((age) => age > older && age <= younger)) break;
    rows += oldestFirst[--from]!.rows;
  }
  return oldestFirst.length - from >= atLeast ? oldestFirst.slice(from) : null;
}
