import type { Micros } from '#shared/values/time.ts';
import type { Projection } from '../block/block.ts';
import type { RowSlice } from '../block/row-slice.ts';
import type { SortedRows, StoredPlace } from '../query/sorted-rows.ts';
import { Timeline } from '../query/timeline.ts';
import { GatheredRows } from './gathered-rows.ts';

/** Sources whose times overlap as one: where what is done to their times would not keep their order apart. */
export class MergedRows implements SortedRows {
  protected readonly timeline: Timeline;
  readonly sources: readonly SortedRows[];

  /** In order of arrival; not all of them without rows. */
  constructor(sources: readonly SortedRows[]) {
    this.sources = sources;
    this.timeline = new Timeline(sources);
  }

  /** None where a source has lost rows since (rows-gone.ts). */
  get rows(): number {
    const { rows } = this.timeline;
    return this.sources.reduce((sum, source) => sum + source.rows, 0) === rows ? rows : 0;
  }

  get first(): Micros {
    return this.timeline.clusters[0]!.first;
  }

  get last(): Micros {
    return this.timeline.clusters.reduce((last, cluster) => Math.max(last, cluster.last), -Infinity);
  }

  rowsBefore(time: Micros, inclusive: boolean): number {
    return this.timeline.ranks({ end: inclusive ? time : time - 1 }).to;
  }

  timeAt(row: number): Micros {
    return Math.min(...this.#next(row).map(({ source, row: at }) => source.timeAt(at)));
  }

  /** So few rows that none of the sources is read beyond a stretch of its own. */
  stretch(row: number): { from: number; to: number } {
    const ahead = this.#next(row).map(({ source, row: at }) => source.stretch(at).to - at);
    const behind = this.#last(row).map(({ source, row: at }) => at + 1 - source.stretch(at).from);
    return { from: row + 1 - Math.min(...behind), to: row + Math.min(...ahead) };
  }

  readInto(slice: RowSlice, from: number, to: number, projection: Projection): void {
    new GatheredRows(this.timeline, from, to, projection).fill(slice, 0, undefined);
  }

  storedAt(row: number): StoredPlace[] {
    return this.#next(row).flatMap(({ source, row: at }) => source.storedAt?.(at) ?? [{ source, row: at }]);
  }

  /** The first row of each source that is not before a row of all. */
  #next(row: number): StoredPlace[] {
    return this.#split(row).filter(({ source, row: at }) => at < source.rows);
  }

  /** The last row of each source that is not behind a row of all. */
  #last(row: number): StoredPlace[] {
    return this.#split(row, 1).flatMap(({ source, row: at }) => (at > 0 ? [{ source, row: at - 1 }] : []));
  }

  /** Where the sources of a row's cluster are divided by it, or by the row so many behind it. */
  #split(row: number, more = 0): StoredPlace[] {
    const index = this.timeline.clusterAt(row);
    const { sources, before } = this.timeline.clusters[index]!;
    const rows = this.timeline.split(index, row + more - before);
    return sources.map((source, i) => ({ source, row: rows[i]! }));
  }
}
