import type { RequestMatch } from '#shared/operations/service/requests.ts';
import { BodyChecker, type BodyConditions } from './body-conditions.ts';
import type { Kept } from './groups.ts';
import { differencesFrom, type Difference } from './match.ts';

/** What requests are verified by. */
export interface Wanted {
  readonly match: RequestMatch;
  readonly count: number | { readonly min?: number | undefined; readonly max?: number | undefined };
  readonly body?: BodyConditions | undefined;
  readonly order?: readonly RequestMatch[] | undefined;
}

export interface Verified {
  readonly matched: boolean;
  readonly count: number;
  /** Where there are too few: those that come nearest, the nearest first. */
  readonly nearest: readonly { readonly request: Kept; readonly differs: readonly string[] }[];
  /** Whether more requests could still make it match. */
  readonly mayMatch: boolean;
}

const MOST_NEAREST = 3;

interface Miss {
  readonly request: Kept;
  readonly differs: readonly Difference[];
}

/** Holds requests, oldest first, against what is wanted. Throws a 400 Refusal where its conditions cannot be. */
export function createVerifier({
  match,
  count,
  body,
  order = [],
}: Wanted): (requests: readonly Kept[]) => Verified {
  const checker = new BodyChecker(body ?? {});
  const min = typeof count === 'number' ? count : (count.min ?? 0);
  const max = typeof count === 'number' ? count : (count.max ?? Infinity);
  return (requests) => {
    let found = 0;
    let inOrder = 0;
    const misses: Miss[] = [];
    for (const request of requests) {
      const wanted = order[inOrder];
      if (wanted !== undefined && differencesFrom(wanted, request).length === 0) inOrder++;
      const differs = differencesFrom(match, request).concat(checker.differences(request.body));
      if (differs.length > 0) misses.push({ request, differs });
      // Of those that are counted and not kept the bodies are not known.
      else found += 1 + (body === undefined ? request.more : 0);
    }
    const isInOrder = inOrder === order.length;
    return {
      matched: found >= min && found <= max && isInOrder,
      count: found,
      nearest: found < min ? nearestOf(misses) : [],
      mayMatch: found <= max,
    };
  };
}

/** Returns the few with the fewest differences, of equal ones the later. */
function nearestOf(misses: readonly Miss[]): Verified['nearest'] {
  const sorted = misses.toReversed().toSorted((a, b) => a.differs.length - b.differs.length);
  return sorted
    .slice(0, MOST_NEAREST)
    .map(({ request, differs }) => ({ request, differs: differs.map((tell) => tell()) }));
}
