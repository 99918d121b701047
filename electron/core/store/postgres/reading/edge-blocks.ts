import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros } from '#shared/values/time.ts';
import type { SeriesQuery } from '../../blocks/series/series.ts';
import type { CachedDevice } from '../rows/cached-device.ts';

/** The blocks that an edge of a column of pixels divides: a picture takes all others from summaries. */
export function edgeBlocks({ segments }: CachedDevice, { range, width }: SeriesQuery): Set<number> {
  const starts = columnStarts(range.start, range.end, width);
  const blocks = new Set<number>();
  for (const segment of segments) {
    if (segment.last < range.start || segment.first > range.end) continue;
    const { table } = segment;
    const add = (edge: Micros) => {
      const index = table.blockEnding(edge, false);
      if (index < table.count && table.firstOf(index) < edge) blocks.add(table.offsetOf(index));
    };
    for (const start of starts) add(start);
    add(range.end + 1);
  }
  return blocks;
}
