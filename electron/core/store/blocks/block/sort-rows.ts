import type { Pace } from '../../../turns/pace.ts';
import type { RowBuffer } from './row-buffer.ts';

/**
 * Orders the rows of a buffer that does not sort by time, equal times as they arrived. It is a merge sort from the bottom
 * up, because that can pause.
 */
export async function sortRows(rows: RowBuffer, pace: Pace): Promise<void> {
  if (rows.inOrder) return;
  const { times, size } = rows;
  let from: Uint32Array = rows.order.subarray(0, size);
  let to: Uint32Array = new Uint32Array(size);
  for (let run = 1; run < size; run *= 2) {
    for (let at = 0; at < size; at += 2 * run)
      mergeRuns(times, from, to, at, Math.min(at + run, size), Math.min(at + 2 * run, size));
    [from, to] = [to, from];
    await pace.pause();
  }
  rows.order.set(from);
}

/** Merges the sorted runs [start, middle) and [middle, end). */
function mergeRuns(
  times: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft = right === end || (left < middle && times[from[left]!]! <= times[from[right]!]!);
    to[at] = takeLeft ? from[left++]! : from[right++]!;
  }
}
