import type { OutputOf } from '#shared/operations/index.ts';
import { formatMicros } from '#shared/time.ts';
import type { Series } from '../../store/store.ts';
import type { HandlersOf } from '../context.ts';
import { readSeries } from '../series.ts';

export const seriesHandlers: HandlersOf<'series'> = {
  async 'series.get'({ input, device }, context) {
    return { data: seriesView(await readSeries(context, device.id, input)) };
  },
};

/** A gap is null in JSON, which has no NaN. */
function gapsAsNull(column: Float64Array): (number | null)[] {
  return Array.from(column, (value) => (Number.isNaN(value) ? null : value));
}

function seriesView({ start, end, width, keys }: Series): OutputOf<'series.get'> {
  return {
    start: formatMicros(start),
    end: formatMicros(end),
    width,
    keys: keys.map(({ key, counts, min, max, first, last }) => ({
      key,
      counts: [...counts],
      min: gapsAsNull(min),
      max: gapsAsNull(max),
      first: gapsAsNull(first),
      last: gapsAsNull(last),
    })),
  };
}
