import { formatMicros } from '#shared/time.ts';
import { badRequest } from '../errors.ts';
import type { Series } from '../store/store.ts';
import type { Context } from './context.ts';

/** What series.get asks for; absent ends are the first and the last record, absent keys every key with numbers. */
export interface SeriesQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly width: number;
}

/** Reads the series of a device; throws a 400 Refusal where it would begin after the last record. */
export async function readSeries(
  { records, clock }: Pick<Context, 'records' | 'clock'>,
  device_id: string,
  query: SeriesQuery,
): Promise<Series> {
  const { first, last, keys: known } = await records.summary(device_id);
  const start = query.start ?? first ?? clock.now();
  const end = query.end ?? Math.max(start, last ?? start);
  if (start > end) throw badRequest(`end must not be before the first record's time, ${formatMicros(start)}`);
  const keys = query.keys ?? known.filter(({ numeric }) => numeric > 0).map(({ key }) => key);
  return records.series(device_id, { range: { start, end }, keys, width: query.width });
}
