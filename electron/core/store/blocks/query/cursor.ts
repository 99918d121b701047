import type { Projection } from '../block/block.ts';
import { RowSlice } from '../block/row-slice.ts';
import { checkRows, RowsGone } from './rows-gone.ts';
import type { SortedRows } from './sorted-rows.ts';
import type { Timeline } from './timeline.ts';

/** Rows in reading order: row `rowAt(i)` of `sliceAt(i)`. Valid until the cursor's next step. */
export interface RowBatch {
  readonly size: number;
  sliceAt(i: number): RowSlice;
  rowAt(i: number): number;
}

interface Lane {
  readonly source: SortedRows;
  readonly slice: RowSlice;
  /** Of the source, when the cursor came to it. */
  readonly rows: number;
  /** Rows of the source still to come are [from, to). */
  from: number;
  to: number;
  /** Rows [sliceFrom, sliceTo) of the source are in the slice. */
  sliceFrom: number;
  sliceTo: number;
}

/**
 * Walks ranks [from, to) of a timeline, newest first or oldest first, and decodes no more than it hands out: it is made
 * for pages of a hundred rows as much as for exports of millions. Throws RowsGone where a source has lost rows since the
 * timeline was made.
 */
export class Cursor {
  readonly #timeline: Timeline;
  readonly #projection: Projection;
  readonly #newestFirst: boolean;
  #from: number;
  #to: number;
  #cluster = -1;
  #lanes: Lane[] = [];
  readonly #slices: RowSlice[];
  readonly #one = new SingleBatch();
  readonly #merged = new MergedBatch();

  /** `slices` are reused: of one cursor at a time. */
  constructor(
    timeline: Timeline,
    from: number,
    to: number,
    newestFirst: boolean,
    projection: Projection,
    slices: RowSlice[] = [],
  ) {
    this.#timeline = timeline;
    this.#from = from;
    this.#to = to;
    this.#newestFirst = newestFirst;
    this.#projection = projection;
    this.#slices = slices;
  }

  /** Rows still to come. */
  get left(): number {
    return this.#to - this.#from;
  }

  /** The sources that the next step reads. */
  get reading(): { readonly source: SortedRows; readonly from: number; readonly to: number }[] {
    if (this.left === 0) return [];
    this.#enterCluster();
    return this.#lanes;
  }

  /** Up to `most` rows, at least one; null at the end. */
  next(most: number): RowBatch | null {
    if (this.left === 0) return null;
    this.#enterCluster();
    const wanted = Math.min(most, this.left);
    const batch = this.#lanes.length === 1 ? this.#single(this.#lanes[0]!, wanted) : this.#merge(wanted);
    if (this.#newestFirst) this.#to -= batch.size;
    else this.#from += batch.size;
    return batch;
  }

  #enterCluster(): void {
    const index = this.#timeline.clusterAt(this.#newestFirst ? this.#to - 1 : this.#from);
    if (index === this.#cluster) return;
    const { sources, before, rows } = this.#timeline.clusters[index]!;
    if (sources.reduce((sum, source) => sum + source.rows, 0) !== rows) throw new RowsGone();
    const from = this.#timeline.split(index, Math.max(0, this.#from - before));
    const to = this.#timeline.split(index, Math.min(rows, this.#to - before));
    this.#cluster = index;
    this.#lanes = sources.flatMap((source, i) => {
      const [first, end] = [from[i]!, to[i]!];
      if (first === end) return [];
      const slice = (this.#slices[i] ??= new RowSlice());
      return [{ source, slice, rows: source.rows, from: first, to: end, sliceFrom: 0, sliceTo: 0 }];
    });
  }

  #single(lane: Lane, wanted: number): RowBatch {
    this.#load(lane, wanted);
    const { sliceFrom, sliceTo } = lane;
    const size = sliceTo - sliceFrom;
    if (this.#newestFirst) lane.to = sliceFrom;
    else lane.from = sliceTo;
    this.#one.set(lane.slice, size, this.#newestFirst);
    return this.#one;
  }

  /** Takes the newest (or oldest) row of all lanes, until a lane needs to be read on. */
  #merge(wanted: number): RowBatch {
    const newestFirst = this.#newestFirst;
    const merged = this.#merged;
    merged.clear();
    for (const lane of this.#lanes)
      if (lane.from < lane.to && !inSlice(lane, newestFirst)) this.#load(lane, wanted);
    while (merged.size < wanted) {
      let best: Lane | null = null;
      let bestTime = 0;
      // Of equal times the later lane arrived later: it is the first when walking backwards, the last otherwise.
      for (const lane of this.#lanes) {
        if (lane.from === lane.to) continue;
        const time = lane.slice.times[(newestFirst ? lane.to - 1 : lane.from) - lane.sliceFrom]!;
        if (best === null || (newestFirst ? time >= bestTime : time < bestTime)) {
          best = lane;
          bestTime = time;
        }
      }
      if (best === null) break;
      const row = newestFirst ? --best.to : best.from++;
      merged.add(best.slice, row - best.sliceFrom);
      if (best.from < best.to && !inSlice(best, newestFirst)) break;
    }
    return merged;
  }

  #load(lane: Lane, wanted: number): void {
    const next = this.#newestFirst ? lane.to - 1 : lane.from;
    checkRows(lane.source, lane.rows);
    const stretch = lane.source.stretch(next);
    if (this.#newestFirst) {
      lane.sliceTo = lane.to;
      lane.sliceFrom = Math.max(lane.from, stretch.from, lane.to - wanted);
    } else {
      lane.sliceFrom = lane.from;
      lane.sliceTo = Math.min(lane.to, stretch.to, lane.from + wanted);
    }
    lane.source.readInto(lane.slice, lane.sliceFrom, lane.sliceTo, this.#projection);
  }
}

function inSlice(lane: Lane, newestFirst: boolean): boolean {
  const next = newestFirst ? lane.to - 1 : lane.from;
  return next >= lane.sliceFrom && next < lane.sliceTo;
}

const EMPTY = new RowSlice();

class SingleBatch implements RowBatch {
  size = 0;
  #slice = EMPTY;
  #newestFirst = false;

  set(slice: RowSlice, size: number, newestFirst: boolean): void {
    this.#slice = slice;
    this.size = size;
    this.#newestFirst = newestFirst;
  }

  sliceAt(): RowSlice {
    return this.#slice;
  }

  rowAt(i: number): number {
    return this.#newestFirst ? this.size - 1 - i : i;
  }
}

class MergedBatch implements RowBatch {
  size = 0;
  readonly #slices: RowSlice[] = [];
  readonly #rows: number[] = [];

  clear(): void {
    this.size = 0;
  }

  add(slice: RowSlice, row: number): void {
    this.#slices[this.size] = slice;
    this.#rows[this.size++] = row;
  }

  sliceAt(i: number): RowSlice {
    return this.#slices[i]!;
  }

  rowAt(i: number): number {
    return this.#rows[i]!;
  }
}
