import type { SeriesPicture } from '#shared/bridge/wire.ts';
import { firstNotBefore, windowBetween, type TimeSpan } from '../time/window.ts';

/*
 * A clock that was never set, or set wrong, stores a record in 1970 or 2099. Such a few would press all the others into one
 * pixel, so a chart opens on the others, and says so.
 */

/** The span that nearly all records lie in, and the few that lie far from it. */
export interface FarOff {
  readonly core: TimeSpan;
  readonly records: number;
  /** Instants of the first and the last of the few, in µs. */
  readonly first: number;
  readonly last: number;
}

/** Share of the records that must lie together, and the share of the time in which they must, for the others to be few. */
const NEARLY_ALL = 0.95;
const SHORT = 0.01;

/** Records in the order of time, each by itself or some together. */
interface Groups {
  readonly length: number;
  /** Instants in µs. */
  from(group: number): number;
  to(group: number): number;
  /** Records before a group; of `length`, all. */
  before(group: number): number;
}

/** Of sorted instants in µs. */
export function farOffRecords(timestamps: Float64Array): FarOff | null {
  const at = (row: number) => timestamps[row] ?? Number.NaN;
  const { length } = timestamps;
  const most = Math.ceil(length * NEARLY_ALL);
  // Any so many of them in a row hold those from here to there.
  if (at(most - 1) - at(length - most) >= (at(length - 1) - at(0)) * SHORT) return null;
  return farOff({ length, from: at, to: at, before: (row) => row });
}

/** Of the columns of pixels of all records. Where keys come with different records, of the key that a column has most of. */
export function farOffColumns({ keys, width }: SeriesPicture): FarOff | null {
  const filled: { from: number; to: number }[] = [];
  const before = [0];
  for (let column = 0; column < width; column++) {
    const held = keys.filter(({ counts }) => (counts[column] ?? 0) > 0);
    if (held.length === 0) continue;
    const from = Math.min(...held.map(({ firstTimes }) => firstTimes[column] ?? Infinity));
    const to = Math.max(...held.map(({ lastTimes }) => lastTimes[column] ?? -Infinity));
    filled.push({ from, to });
    before.push((before.at(-1) ?? 0) + Math.max(...held.map(({ counts }) => counts[column] ?? 0)));
  }
  return farOff({
    length: filled.length,
    from: (group) => filled[group]?.from ?? Number.NaN,
    to: (group) => filled[group]?.to ?? Number.NaN,
    before: (group) => before[group] ?? 0,
  });
}

function farOff(groups: Groups): FarOff | null {
  const { length } = groups;
  if (length < 2) return null;
  const all = groups.to(length - 1) - groups.from(0);
  const records = groups.before(length);
  const shortest = shortestWith(groups, Math.ceil(records * NEARLY_ALL));
  if (shortest.span >= all * SHORT) return null;
  let [start, end] = [shortest.start, shortest.end];
  const span = () => groups.to(end - 1) - groups.from(start);
  // What is no farther away than the others are from one another belongs to them.
  while (start > 0 && groups.from(start) - groups.to(start - 1) <= span()) start--;
  while (end < length && groups.from(end) - groups.to(end - 1) <= span()) end++;
  const outside = records - (groups.before(end) - groups.before(start));
  if (outside === 0 || span() >= all * SHORT) return null;
  return {
    core: windowBetween(groups.from(start), groups.to(end - 1)),
    records: outside,
    first: start > 0 ? groups.from(0) : groups.from(end),
    last: end < length ? groups.to(length - 1) : groups.to(start - 1),
  };
}

/** The shortest stretch of groups, from `start` to before `end`, that holds at least so many records. */
function shortestWith(groups: Groups, records: number): { start: number; end: number; span: number } {
  let shortest = { start: 0, end: groups.length, span: Infinity };
  let end = 1;
  for (let start = 0; start < groups.length; start++) {
    while (end < groups.length && groups.before(end) - groups.before(start) < records) end++;
    if (groups.before(end) - groups.before(start) < records) break;
    const span = groups.to(end - 1) - groups.from(start);
    if (span < shortest.span) shortest = { start, end, span };
  }
  return shortest;
}

/** The rows of sorted instants that lie in a window: from, and to before. */
export function rowsIn(timestamps: Float64Array, { from, to }: TimeSpan): { first: number; end: number } {
  return { first: firstNotBefore(timestamps, from), end: firstNotBefore(timestamps, to + 1) };
}
