import type { SeriesPicture, SeriesPictureKey } from '#shared/wire.ts';
import type { Bounds } from './columns.ts';
import { PAUSE_FACTOR, type Drawing } from './decimate.ts';

/** First, smallest, largest and last value of a column of pixels: a line through them covers what all of its points would. */
const POINTS = 4;

/**
 * The points that draw a series: four per column of pixels, spread over it so that a column between two gaps is still
 * seen. Whatever the window on the screen is: while the series of a new one is on its way, the old one is stretched.
 */
export function drawSummary({ start, end, width, keys }: SeriesPicture): Drawing {
  const column = (end - start + 1) / width;
  const times = Array.from(
    { length: width * POINTS },
    (_, point) => (start + ((point + 0.5) / POINTS) * column) / 1000,
  );
  return { times, values: keys.map((key) => valuesOf(key, width)) };
}

/** Null breaks a line for as long as it goes on, undefined is passed over. */
function valuesOf(key: SeriesPictureKey, width: number): (number | null | undefined)[] {
  const { counts, first, min, max, last } = key;
  const values = Array.from<number | null | undefined>({ length: width * POINTS });
  const longest = longestSilence(counts);
  let before = -1;
  for (let column = 0; column < width; column++) {
    if (counts[column] === 0) continue;
    const at = column * POINTS;
    if (before !== -1 && column - before - 1 >= longest) values.fill(null, (before + 1) * POINTS, at);
    values[at] = first[column];
    values[at + 1] = min[column];
    values[at + 2] = max[column];
    values[at + 3] = last[column];
    before = column;
  }
  return values;
}

/** Empty columns in a row that break a line: as many as ten times the usual interval of the key's numbers covers. */
function longestSilence(counts: Float64Array): number {
  const filled = counts.filter((count) => count > 0).toSorted();
  const usual = filled[filled.length >> 1] ?? 1;
  return Math.max(1, PAUSE_FACTOR / usual);
}

/** The column of pixels that an instant (µs) lies in, whether or not the series covers the instant. */
export function columnAt({ start, end, width }: SeriesPicture, instant: number): number {
  const column = Math.floor(((instant - start) * width) / (end - start + 1));
  return Math.max(0, Math.min(width - 1, column));
}

/** The smallest and largest number of each key. */
export function boundsOf({ keys }: SeriesPicture): Bounds[] {
  // A gap's NaN is neither smaller nor larger than anything.
  return keys.map(({ min, max }) => ({
    min: min.reduce((least, value) => (value < least ? value : least), Infinity),
    max: max.reduce((most, value) => (value > most ? value : most), -Infinity),
  }));
}

/** The records that the series was made of, as far as they carry a number: those of the key that has the most. */
export function countOf({ keys }: SeriesPicture): number {
  return Math.max(0, ...keys.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)));
}
