import type { Micros } from '#shared/values/time.ts';
import { MOST_FIRINGS, type Firing } from '../../rules/firing.ts';

/** An alarm, as far as it is compared. */
export interface KnownFiring extends Firing {
  readonly id: string;
  readonly withdrawn: Micros | null;
}

/** Difference between alarms and firings: the change of one alarm that reconciles them. */
export type Difference =
  /** A firing without an alarm; one that was withdrawn and is there again has the id of its alarm. */
  | { readonly is: 'raised'; readonly id: string | null; readonly firing: Firing }
  | { readonly is: 'ended' | 'amended'; readonly id: string; readonly firing: Firing }
  | { readonly is: 'withdrawn'; readonly id: string };

/** Moments from which on firings count. */
export interface Bounds {
  /** Firings that ended no later are none of this version of the rule. */
  readonly since: Micros;
  /** Alarms that ended no later are left as they are. */
  readonly keep: Micros;
}

/** Returns the firings of which there are to be alarms: oldest first, as they are given. */
export const listedFirings = (firings: readonly Firing[], { since }: Pick<Bounds, 'since'>): Firing[] =>
  firings.filter(({ end }) => end === null || end > since).slice(-MOST_FIRINGS);

/**
 * Compares the firings of one version of a rule on a device with its alarms. A firing belongs to the alarm with its start, else to the
 * first one that overlaps it, else to one that was withdrawn and has its start. Each has one of the other at most.
 */
export function compareFirings(
  firings: readonly Firing[],
  rows: readonly KnownFiring[],
  bounds: Bounds,
): Difference[] {
  const listed = listedFirings(firings, bounds);
  const oldest = listed.length === MOST_FIRINGS ? (listed[0]?.start ?? -Infinity) : -Infinity;
  const ordered = rows.toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
  const matched = match(listed, ordered);
  const found: Difference[] = [];
  const taken = new Set<KnownFiring>(matched.values());
  for (const row of ordered) {
    const isBefore = row.end !== null && (row.end <= bounds.keep || row.end <= oldest);
    if (row.withdrawn === null && !taken.has(row) && !isBefore) found.push({ is: 'withdrawn', id: row.id });
  }
  for (const firing of listed) {
    const row = matched.get(firing);
    const difference = row ? differenceOf(firing, row) : raisedOf(firing, bounds);
    if (difference) found.push(difference);
  }
  return found;
}

function raisedOf(firing: Firing, { keep }: Bounds): Difference | null {
  const isOld = firing.end !== null && firing.end <= keep;
  return isOld ? null : { is: 'raised', id: null, firing };
}

function differenceOf(firing: Firing, row: KnownFiring): Difference | null {
  const { id } = row;
  if (row.withdrawn !== null) return { is: 'raised', id, firing };
  if (row.start === firing.start && row.fired === firing.fired && row.end === firing.end) return null;
  return { is: row.end === null && firing.end !== null ? 'ended' : 'amended', id, firing };
}

function match(firings: readonly Firing[], rows: readonly KnownFiring[]): ReadonlyMap<Firing, KnownFiring> {
  const matched = new Map<Firing, KnownFiring>();
  const standing = new Set(rows.filter(({ withdrawn }) => withdrawn === null));
  const gone = new Set(rows.filter(({ withdrawn }) => withdrawn !== null));
  const take = (firing: Firing, row: KnownFiring | undefined, from: Set<KnownFiring>) => {
    if (row !== undefined && !matched.has(firing) && from.delete(row)) matched.set(firing, row);
  };
  const byStart = (from: Iterable<KnownFiring>) =>
    new Map([...from].toReversed().map((row) => [row.start, row]));
  const starts = byStart(standing);
  for (const firing of firings) take(firing, starts.get(firing.start), standing);
  for (const firing of firings) {
    if (standing.size === 0) break;
    if (!matched.has(firing)) take(firing, firstOverlapping(firing, standing), standing);
  }
  const startsOfGone = byStart(gone);
  for (const firing of firings) take(firing, startsOfGone.get(firing.start), gone);
  return matched;
}

function firstOverlapping(firing: Firing, rows: Iterable<KnownFiring>): KnownFiring | undefined {
  for (const row of rows) if (overlap(firing, row)) return row;
  return undefined;
}

const overlap = (a: Firing, b: Firing): boolean =>
  a.start < (b.end ?? Infinity) && b.start < (a.end ?? Infinity);
