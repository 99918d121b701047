import type { SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { Series } from '#shared/domain/series.ts';
import { columnAt } from '../draw/draw-series.ts';

/** The span and the columns of pixels of a series. */
export type Frame = Pick<Series, 'start' | 'end' | 'width'>;

/**
 * Columns of a series as those of another one, which it is drawn with while its own is on its way: each goes where its middle
 * lies, and those that come together are one.
 */
export function reframed(key: SeriesPictureKey, from: Frame, to: Frame): SeriesPictureKey {
  if (from.start === to.start && from.end === to.end && from.width === to.width) return key;
  const gaps = () => new Float64Array(to.width).fill(Number.NaN);
  const [min, max, first, last, firstTimes, lastTimes] = [gaps(), gaps(), gaps(), gaps(), gaps(), gaps()];
  const counts = new Uint32Array(to.width);
  for (const [column, count] of key.counts.entries()) {
    const [begin = 0, end = 0] = [key.firstTimes[column], key.lastTimes[column]];
    if (count === 0 || end < to.start || begin > to.end) continue;
    const at = columnAt(to, (begin + end) / 2);
    const isFirst = counts[at] === 0;
    const [least = Infinity, most = -Infinity] = isFirst ? [] : [min[at], max[at]];
    counts[at] = (counts[at] ?? 0) + count;
    min[at] = Math.min(least, key.min[column] ?? Infinity);
    max[at] = Math.max(most, key.max[column] ?? -Infinity);
    if (isFirst) {
      first[at] = key.first[column] ?? Number.NaN;
      firstTimes[at] = begin;
    }
    last[at] = key.last[column] ?? Number.NaN;
    lastTimes[at] = end;
  }
  return { ...key, before: null, after: null, counts, min, max, first, last, firstTimes, lastTimes };
}
