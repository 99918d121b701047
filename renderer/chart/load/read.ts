import type { InputOf } from '#shared/operations/index.ts';
import type { ArraysOf, ColumnPage, RatesPicture, SeriesPicture } from '#shared/bridge/wire.ts';
import { dataOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';

/* All that the chart asks of the service. */

/** Reads the records of a span, newest first; resolves once `onPage` had the last page. Rejects with `Refused`. */
export async function readRecords(
  request: InputOf<'chart.columns'>,
  onPage: (page: ColumnPage) => void,
  signal: AbortSignal,
): Promise<void> {
  dataOf(await bridge.stream('chart.columns', request, onPage, { signal }));
}

/** Reads pages, newest first, as long as `wanted` asks for more; resolves with whether it did to the end. */
export async function readPages(
  request: InputOf<'chart.columns'>,
  signal: AbortSignal,
  wanted: (page: ColumnPage) => boolean,
): Promise<boolean> {
  const enough = new AbortController();
  try {
    const take = (page: ColumnPage) => {
      if (!wanted(page)) enough.abort();
    };
    await readRecords(request, take, AbortSignal.any([signal, enough.signal]));
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return !enough.signal.aborted;
}

/** Resolves with what each column of pixels of a span holds. Rejects with `Refused`. */
export const readSeries = (request: InputOf<'chart.series'>, signal: AbortSignal): Promise<SeriesPicture> =>
  onePicture('chart.series', request, signal);

/** The same of differences per time; the service reads every record for it. Rejects with `Refused`. */
export const readRates = (request: InputOf<'chart.rates'>, signal: AbortSignal): Promise<RatesPicture> =>
  onePicture('chart.rates', request, signal);

async function onePicture<Id extends 'chart.series' | 'chart.rates'>(
  id: Id,
  request: InputOf<Id>,
  signal: AbortSignal,
): Promise<ArraysOf<Id>> {
  const { promise, resolve } = Promise.withResolvers<ArraysOf<Id>>();
  const ended = bridge.stream(id, request, resolve, { signal }).then(dataOf);
  // One picture is all that comes: that no other follows need not be waited for.
  return Promise.race([promise, ended.then(() => promise)]);
}
