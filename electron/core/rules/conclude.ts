import type { Micros } from '#shared/values/time.ts';
import type { Behind, JudgedRule } from './course.ts';
import type { EndedFirings } from './ended-firings.ts';
import { MOST_FIRINGS, type CutWindow, type Judgement } from './firing.ts';

/** A judgement, and how many firings there are, of those that count. */
export interface Judged extends Judgement {
  readonly count: number;
}

interface Moment {
  readonly horizon: Micros;
  /** Firings that ended before are left out. */
  readonly after: Micros;
  readonly ended: EndedFirings;
}

/** Verdict of a rule at a moment behind all that is stored: from then on time alone goes on. */
export function conclude(
  { leaves, truth, lasting, span }: JudgedRule,
  { states, since, ended: endedCount }: Behind,
  { horizon, after, ended }: Moment,
): Judged {
  const truths = states.map(({ isTrue }) => isTrue);
  const due: Micros[] = [];
  const falls: { readonly place: number; readonly at: Micros }[] = [];
  for (const [place, leaf] of leaves.entries()) {
    const { isTrue, last } = states[place]!;
    if (leaf.kind !== 'silence' || isTrue || last === null) continue;
    const at = last + leaf.silent;
    if (at > horizon) due.push(at);
    else falls.push({ place, at });
  }
  // Silences begin, and nothing ends: what is true stays so.
  let start = since;
  for (const { place, at } of falls.toSorted((a, b) => a.at - b.at)) {
    truths[place] = true;
    if (start === null && truth(truths)) start = at;
  }
  const firings = ended.list(after, lasting);
  const fired = start === null ? Infinity : start + lasting;
  const isFiring = start !== null && fired <= horizon && fired <= span.until;
  if (start !== null && fired <= horizon) {
    if (isFiring) firings.push({ start, fired, end: null });
  } else if (start !== null) due.push(fired);
  return {
    firings: firings.slice(-MOST_FIRINGS),
    next: due.length === 0 ? null : Math.min(...due),
    count: endedCount + (isFiring ? 1 : 0),
    cut: newestCut(leaves, states, after),
  };
}

function newestCut(leaves: JudgedRule['leaves'], states: Behind['states'], after: Micros): CutWindow | null {
  let newest: CutWindow | null = null;
  for (const [place, leaf] of leaves.entries()) {
    const at = states[place]?.cut ?? null;
    if (leaf.kind === 'change' && at !== null && at >= after && at > (newest?.at ?? -Infinity))
      newest = { key: leaf.key, width: leaf.width, at };
  }
  return newest;
}
