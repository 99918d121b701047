import { columnAt } from './draw-series.ts';
import type { Picture } from './picture.ts';
import { firstNotBefore } from '../time/window.ts';

/**
 * The nearest instant after (1) or before (−1) one at which a line has something to read: a record's, or the middle of a
 * column of pixels where records are summarised. `lines` are places in the picture. Null where there is none.
 */
export function stepFrom(
  picture: Picture,
  lines: readonly number[],
  instant: number,
  by: -1 | 1,
): number | null {
  if (picture.kind === 'series') {
    const { series } = picture;
    const pixel = (series.end - series.start + 1) / series.width;
    const keys = lines.flatMap((line) => series.keys[line] ?? []);
    const inside = instant >= series.start && instant <= series.end;
    let column = inside ? columnAt(series, instant) + by : by === 1 ? 0 : series.width - 1;
    if (!inside && instant < series.start === (by === -1)) return null;
    while (column >= 0 && column < series.width && !keys.some(({ counts }) => counts[column])) column += by;
    return column < 0 || column >= series.width ? null : series.start + Math.floor((column + 0.5) * pixel);
  }
  const { timestamps, columns } = picture.view;
  const held = lines.flatMap((line) => columns[line] ?? []);
  let row = by === 1 ? firstNotBefore(timestamps, instant + 1) : firstNotBefore(timestamps, instant) - 1;
  while (
    row >= 0 &&
    row < timestamps.length &&
    !held.some((column) => !Number.isNaN(column[row] ?? Number.NaN))
  )
    row += by;
  return timestamps[row] ?? null;
}
