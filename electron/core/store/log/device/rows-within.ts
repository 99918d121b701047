import type { TimeRange } from '#shared/values/time.ts';
import type { Segment } from '../segment/segment.ts';

/** The segments that hold rows of a range, each with the first of those rows and the one after the last. */
export function* rowsWithin(
  segments: Iterable<Segment>,
  { start = -Infinity, end = Infinity }: TimeRange,
): Generator<{ readonly segment: Segment; readonly from: number; readonly to: number }> {
  for (const segment of segments) {
    if (segment.last < start || segment.first > end) continue;
    const from = segment.rowsBefore(start, false);
    const to = segment.rowsBefore(end, true);
    if (from < to) yield { segment, from, to };
  }
}
