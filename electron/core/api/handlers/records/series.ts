import type { OutputOf } from '#shared/operations/index.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Series, SeriesKey } from '../../../store/store.ts';
import { EncodedJson } from '../../call.ts';
import type { HandlersOf } from '../../context.ts';
import { readTrends } from '../../devices/trends.ts';
import { readSeries } from '../../series.ts';
import { viewed } from '../../corrections/viewed.ts';
import { Pace } from '../../../turns/pace.ts';

/** Columns of all keys together up to which an answer is written at once; more are written piece by piece. */
const AT_ONCE = 16_384;

export const seriesHandlers: HandlersOf<'series'> = {
  async 'series.get'({ input, device, principal, signal }, context) {
    const of = await viewed(device.id, input.view, context);
    const { records, clock, surveys } = context;
    const asker = { records, clock, surveys, key_id: principal.key_id, signal };
    const series = await readSeries(of, input, asker);
    if (series.keys.length * series.width > AT_ONCE) return { data: new EncodedJson(piecesOf(series)) };
    return { data: { ...frameOf(series), keys: series.keys.map(keyView) } };
  },

  async 'series.trends'({ input, signal }, context) {
    return { data: [...(await readTrends(input, context, signal))] };
  },
};

/** The JSON of many columns: others get their turn between its pieces. */
async function* piecesOf(series: Series): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  const most = Math.max(1, Math.floor(AT_ONCE / series.width));
  let text = `${JSON.stringify(frameOf(series)).slice(0, -1)},"keys":[`;
  for (let from = 0; from < series.keys.length; from += most) {
    const some = series.keys.slice(from, from + most).map((key) => JSON.stringify(keyView(key)));
    yield Buffer.from(`${text}${some.join(',')}`);
    text = ',';
    await pace.pause();
  }
  yield Buffer.from(']}');
}

function frameOf({ start, end, width }: Series) {
  return { start: formatMicros(start), end: formatMicros(end), width };
}

/** A gap is null in JSON, which has no NaN. */
function gapsAsNull(column: Float64Array): (number | null)[] {
  return Array.from(column, (value) => (Number.isNaN(value) ? null : value));
}

function keyView({ key, counts, min, max, first, last }: SeriesKey): OutputOf<'series.get'>['keys'][number] {
  return {
    key,
    counts: [...counts],
    min: gapsAsNull(min),
    max: gapsAsNull(max),
    first: gapsAsNull(first),
    last: gapsAsNull(last),
  };
}
