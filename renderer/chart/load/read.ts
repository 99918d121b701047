import type { InputOf } from '#shared/operations/index.ts';
import type { ColumnPage, SeriesPicture } from '#shared/bridge/wire.ts';
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

/** Resolves with what each column of pixels of a span holds. Rejects with `Refused`. */
export async function readSeries(
  request: InputOf<'chart.series'>,
  signal: AbortSignal,
): Promise<SeriesPicture> {
  const { promise, resolve } = Promise.withResolvers<SeriesPicture>();
  const ended = bridge.stream('chart.series', request, resolve, { signal }).then(dataOf);
  // One picture is all that comes: that no other follows need not be waited for.
  return Promise.race([promise, ended.then(() => promise)]);
}
