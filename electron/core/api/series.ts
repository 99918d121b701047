import type { KeySummary, Series, SeriesKey } from '../store/store.ts';
import { badRequest } from '../base/errors.ts';
import type { Context } from './context.ts';

/** Columns of pixels of all keys together (docs/running.md, "Limits"): so much is drawn, held and sent in a moment. */
const MOST_COLUMNS = 1_000_000;

/** Query of series.get; absent ends are the first and the last record, absent keys every key with numbers. */
export interface SeriesQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly width: number;
}

/**
 * Reads the series of a device. One that ends before the first record begins where it ends, and has no points. Of keys
 * that the device does not have nothing is made: all their columns have no length. Throws a 400 Refusal where keys times
 * width is too much.
 */
export async function readSeries(
  { records, clock }: Pick<Context, 'records' | 'clock'>,
  device_id: string,
  { start: from, end: until, keys, width }: SeriesQuery,
): Promise<Series> {
  const { first, last, keys: known } = await records.summary(device_id);
  const start = from ?? Math.min(first ?? clock.now(), until ?? Infinity);
  const end = until ?? Math.max(start, last ?? start);
  const drawn = drawable(keys, known);
  requireColumns(drawn.length, width);
  const series = await records.series(device_id, { range: { start, end }, keys: drawn, width });
  if (keys === undefined || drawn.length === keys.length) return series;
  const byKey = new Map(series.keys.map((key) => [key.key, key]));
  return { ...series, keys: keys.map((key) => byKey.get(key) ?? nothingOf(key)) };
}

/** Throws a 400 Refusal where keys times width is too much. */
export function requireColumns(keys: number, width: number): void {
  if (keys * width > MOST_COLUMNS)
    throw badRequest(
      `keys times width must be at most ${MOST_COLUMNS}, got ${keys} keys of ${width} columns; ask for a smaller width or fewer keys`,
    );
}

/** The asked keys that the device has, each once; without asked ones those with numbers. */
function drawable(keys: readonly string[] | undefined, known: readonly KeySummary[]): string[] {
  if (keys === undefined) return known.filter(({ numeric }) => numeric > 0).map(({ key }) => key);
  const names = new Set(known.map(({ key }) => key));
  return [...new Set(keys)].filter((key) => names.has(key));
}

/** Columns of a key that the device does not have: none. */
export function nothingOf(key: string): SeriesKey {
  const none = new Float64Array();
  return {
    key,
    counts: new Uint32Array(),
    min: none,
    max: none,
    first: none,
    last: none,
    firstTimes: none,
    lastTimes: none,
    before: null,
    after: null,
  };
}
