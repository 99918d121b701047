import type { KeyReading, SeriesPicture, SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { Bounds } from '../records/columns.ts';
import { LineBuilder, type Drawing, type Line } from './line.ts';
import type { TimeSpan } from '../time/window.ts';

/**
 * The lines that draw a series, whatever the window on the screen is: while the series of a new one is on its way, the
 * old one is stretched.
 */
export function drawSeries({ start, end, width, keys }: SeriesPicture): Drawing {
  return keys.map((key) => lineOf(key, new LineBuilder({ from: start, to: end }, width, key.interval)));
}

function lineOf(key: SeriesPictureKey, builder: LineBuilder): Line {
  const { before, after, counts, first, last, min, max, firstTimes, lastTimes } = key;
  if (before) builder.point(before.instant, before.value);
  for (const [column, count] of counts.entries()) {
    if (count === 0) continue;
    builder.column({
      count,
      first: first[column] ?? 0,
      last: last[column] ?? 0,
      min: min[column] ?? 0,
      max: max[column] ?? 0,
      firstTime: firstTimes[column] ?? 0,
      lastTime: lastTimes[column] ?? 0,
    });
  }
  if (after) builder.point(after.instant, after.value);
  return builder.line();
}

/** The column of pixels that an instant (µs) lies in, whether or not the series covers the instant. */
export function columnAt(
  { start, end, width }: Pick<SeriesPicture, 'start' | 'end' | 'width'>,
  instant: number,
): number {
  const column = Math.floor(((instant - start) * width) / (end - start + 1));
  return Math.max(0, Math.min(width - 1, column));
}

/** The smallest and largest number of each key in the columns that lie in `window`. */
export function boundsOf({ keys }: Pick<SeriesPicture, 'keys'>, window: TimeSpan): Bounds[] {
  return keys.map(({ counts, min, max, firstTimes, lastTimes }) => {
    let [least, most] = [Infinity, -Infinity];
    for (const [column, count] of counts.entries()) {
      if (count === 0 || !isIn(window, firstTimes[column], lastTimes[column])) continue;
      least = Math.min(least, min[column] ?? Infinity);
      most = Math.max(most, max[column] ?? -Infinity);
    }
    return { min: least, max: most };
  });
}

/** The newest number of each key in the columns that lie in `window`; null where there is none. */
export function newestOf({ keys }: Pick<SeriesPicture, 'keys'>, window: TimeSpan): (KeyReading | null)[] {
  return keys.map(({ counts, last, firstTimes, lastTimes }) => {
    let column = counts.length - 1;
    while (column >= 0 && !(counts[column] && isIn(window, firstTimes[column], lastTimes[column]))) column--;
    return column < 0 ? null : { instant: lastTimes[column] ?? 0, value: last[column] ?? 0 };
  });
}

function isIn({ from, to }: TimeSpan, first: number | undefined, last: number | undefined): boolean {
  return (first ?? -Infinity) >= from && (last ?? Infinity) <= to;
}

/** The records that the series was made of, as far as they carry a number: those of the key that has the most. */
export function recordCount({ keys }: SeriesPicture): number {
  return Math.max(0, ...keys.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)));
}
