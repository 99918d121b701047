import type { RequestMatch } from '#shared/operations/service/requests.ts';
import { BodyChecker, type BodyConditions } from './body-conditions.ts';
import { requireOperation } from '../faults/known-operation.ts';
import type { Kept } from './groups.ts';
import { countDifferences, differencesFrom } from './match.ts';

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
/** Bodies that are known at once: where all are different, knowing them costs more than reading them. */
const MOST_BODIES = 64;

interface Miss {
  readonly request: Kept;
  /** How many differences it has. */
  readonly differs: number;
}

/** Holds requests, oldest first, against what is wanted. Throws a 400 Refusal where its conditions cannot be. */
export function createVerifier({
  match,
  count,
  body,
  order = [],
}: Wanted): (requests: readonly Kept[]) => Verified {
  requireOperation(match, 'match');
  for (const [at, each] of order.entries()) requireOperation(each, `order.${at}`);
  const checker = new BodyChecker(body ?? {});
  const min = typeof count === 'number' ? count : (count.min ?? 0);
  const max = typeof count === 'number' ? count : (count.max ?? Infinity);
  const inWords = ({ request }: Miss) => ({
    request,
    differs: [...differencesFrom(match, request), ...checker.differences(request.body)],
  });
  return (requests) => {
    let found = 0;
    let inOrder = 0;
    const nearest: Miss[] = [];
    const bodyDiffers = countOfBodies(checker);
    for (const request of requests) {
      const wanted = order[inOrder];
      if (wanted !== undefined && countDifferences(wanted, request) === 0) inOrder++;
      const differs = countDifferences(match, request) + bodyDiffers(request.body);
      if (differs > 0) addNearest(nearest, { request, differs });
      // Of those that are counted and not kept the bodies are not known.
      else found += 1 + (body === undefined ? request.more : 0);
    }
    const isInOrder = inOrder === order.length;
    return {
      matched: found >= min && found <= max && isInOrder,
      count: found,
      nearest: found < min ? nearest.map(inWords) : [],
      mayMatch: found <= max,
    };
  };
}

/** Counts the differences of bodies; equal ones, which devices send again and again, are read once. */
function countOfBodies(checker: BodyChecker): (body: string | null) => number {
  const counts = new Map<string | null, number>();
  return (body) => {
    const known = counts.get(body);
    if (known !== undefined) return known;
    const count = checker.count(body);
    if (counts.size < MOST_BODIES) counts.set(body, count);
    return count;
  };
}

/** Keeps the few with the fewest differences, the nearest first, of equal ones the later; misses come oldest first. */
function addNearest(nearest: Miss[], miss: Miss): void {
  if (nearest.length === MOST_NEAREST && miss.differs > nearest.at(-1)!.differs) return;
  let place = Math.min(nearest.length, MOST_NEAREST - 1);
  for (; place > 0 && nearest[place - 1]!.differs >= miss.differs; place--)
    nearest[place] = nearest[place - 1]!;
  nearest[place] = miss;
}
