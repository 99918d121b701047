import type { Series } from '../store/store.ts';
import type { Context } from './context.ts';

/** What series.get asks for; absent ends are the first and the last record, absent keys every key with numbers. */
export interface SeriesQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly width: number;
}

/** Reads the series of a device. One that ends before the first record begins where it ends, and has no points. */
export async function readSeries(
  { records, clock }: Pick<Context, 'records' | 'clock'>,
  device_id: string,
  query: SeriesQuery,
): Promise<Series> {
  const { first, last, keys: known } = await records.summary(device_id);
  const start = query.start ?? Math.min(first ?? clock.now(), query.end ?? Infinity);
  const end = query.end ?? Math.max(start, last ?? start);
  const keys = query.keys ?? known.filter(({ numeric }) => numeric > 0).map(({ key }) => key);
  return records.series(device_id, { range: { start, end }, keys, width: query.width });
}
