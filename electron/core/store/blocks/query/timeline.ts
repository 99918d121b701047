import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { SortedRows } from './sorted-rows.ts';

/** Sources whose times overlap, the older arrivals first: of equal times, a later source's rows arrived later. */
interface Cluster {
  readonly sources: readonly SortedRows[];
  readonly first: Micros;
  readonly last: Micros;
  /** Rows of the timeline before this cluster. */
  readonly before: number;
  readonly rows: number;
}

let versions = 0;

/**
 * Timeline: all rows of a device in order, over sources that mostly follow one another. Where they overlap, the row of a
 * rank is found by bisecting time over all of them.
 */
export class Timeline {
  /** Told apart by it from every other timeline of this process. */
  readonly version = ++versions;
  readonly rows: number;
  readonly clusters: readonly Cluster[];

  /** `sources`: in order of arrival; rows of equal time must have arrived source by source. */
  constructor(sources: readonly SortedRows[]) {
    this.clusters = clusterByTime(sources.filter((source) => source.rows > 0));
    const last = this.clusters.at(-1);
    this.rows = last === undefined ? 0 : last.before + last.rows;
  }

  /** Ranks [from, to), counted from the oldest, of the rows in the range. */
  ranks({ start, end }: TimeRange = {}): { from: number; to: number } {
    const from = start === undefined ? 0 : this.#rowsBefore(start, false);
    const to = end === undefined ? this.rows : this.#rowsBefore(end, true);
    return { from, to: Math.max(from, to) };
  }

  #rowsBefore(time: Micros, inclusive: boolean): number {
    let count = 0;
    for (const cluster of this.clusters) {
      if (cluster.last < time || (inclusive && cluster.last === time)) count += cluster.rows;
      else if (cluster.first <= time)
        for (const source of cluster.sources) count += source.rowsBefore(time, inclusive);
    }
    return count;
  }

  /** The cluster that holds the row of a rank. */
  clusterAt(rank: number): number {
    let low = 0;
    let high = this.clusters.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.clusters[middle]!.before <= rank) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Divides the sources of a cluster so that `rows` of its rows come before. */
  split(index: number, rows: number): number[] {
    const { sources, rows: all } = this.clusters[index]!;
    if (sources.length === 1) return [rows];
    if (rows === 0) return sources.map(() => 0);
    if (rows === all) return sources.map((source) => source.rows);
    return divide(sources, rows);
  }
}

function divide(sources: readonly SortedRows[], rows: number): number[] {
  let low = sources.map(() => 0);
  let high = sources.map((source) => source.rows);
  for (;;) {
    const widest = indexOfLargest(low, high);
    const pivot = sources[widest]!.timeAt((low[widest]! + high[widest]!) >>> 1);
    const before = sources.map((source) => source.rowsBefore(pivot, false));
    if (sum(before) > rows) {
      high = before;
      continue;
    }
    const upTo = sources.map((source) => source.rowsBefore(pivot, true));
    if (sum(upTo) < rows) {
      low = upTo;
      continue;
    }
    // The division falls among rows of one time: the earlier arrivals come before it.
    let left = rows - sum(before);
    return before.map((count, i) => {
      const taken = Math.min(left, upTo[i]! - count);
      left -= taken;
      return count + taken;
    });
  }
}

function indexOfLargest(low: readonly number[], high: readonly number[]): number {
  let widest = 0;
  for (let i = 1; i < low.length; i++) if (high[i]! - low[i]! > high[widest]! - low[widest]!) widest = i;
  return widest;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function clusterByTime(sources: readonly SortedRows[]): Cluster[] {
  const spans = sources.map((source, age) => ({ source, age, first: source.first, last: source.last }));
  spans.sort((a, b) => a.first - b.first || a.age - b.age);
  const groups: { members: typeof spans; first: Micros; last: Micros; youngest: number }[] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const follows =
      group === undefined ||
      span.first > group.last ||
      (span.first === group.last && span.age > group.youngest);
    if (follows) {
      groups.push({ members: [span], first: span.first, last: span.last, youngest: span.age });
    } else {
      group.members.push(span);
      group.last = Math.max(group.last, span.last);
      group.youngest = Math.max(group.youngest, span.age);
    }
  }
  let before = 0;
  return groups.map(({ members, first, last }) => {
    const ordered = members.toSorted((a, b) => a.age - b.age).map(({ source }) => source);
    const rows = ordered.reduce((total, source) => total + source.rows, 0);
    const cluster = { sources: ordered, first, last, before, rows };
    before += rows;
    return cluster;
  });
}
