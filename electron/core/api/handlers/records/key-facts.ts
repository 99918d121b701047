import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { formatMicros } from '#shared/values/time.ts';
import { cutValue } from '../../devices/last-values.ts';
import type { KeySummary, LatestValue, SeriesKey } from '../../../store/store.ts';
import type { HandlersOf } from '../../context.ts';
import { instantText } from '../../resources.ts';
import { viewed } from '../../corrections/viewed.ts';

export const keyFactsHandlers: HandlersOf<'key-facts'> = {
  async 'key-facts.list'({ input, device, signal }, { records, metadata }) {
    const of = await viewed(device.id, input.view, { metadata });
    const { first, last, keys } = await records.summary(of, signal);
    const numeric = keys.filter((key) => key.numeric > 0).map(({ key }) => key);
    // All of it as one column of pixels, which is what summaries of blocks are quick at.
    const series =
      first === null || last === null
        ? []
        : (await records.series(of, { range: { start: first, end: last }, keys: numeric, width: 1 })).keys;
    const byKey = new Map(series.map((one) => [one.key, one]));
    const [latest = []] = await records.latest([{ device: of, keys: keys.map(({ key }) => key) }]);
    const summaries = new Map(keys.map((summary) => [summary.key, summary]));
    // A key that went meanwhile has no newest value.
    return {
      data: latest.flatMap((newest) => {
        const summary = summaries.get(newest.key);
        return summary ? factsOf(summary, byKey.get(newest.key), newest) : [];
      }),
    };
  },
};

/** Returns the facts of a key; records that came or went between the two readings may leave it without a number. */
function factsOf(summary: KeySummary, series: SeriesKey | undefined, latest: LatestValue): KeyFacts {
  const has = series !== undefined && (series.counts[0] ?? 0) > 0;
  const of = (column: Float64Array | undefined) => (has ? (column?.[0] ?? null) : null);
  return {
    key: summary.key,
    count: summary.count,
    numeric: summary.numeric,
    min: of(series?.min),
    max: of(series?.max),
    newest: of(series?.last),
    first: instantText(of(series?.firstTimes)),
    last: instantText(of(series?.lastTimes)),
    value: cutValue(latest.value),
    value_time: formatMicros(latest.timestamp),
  };
}
