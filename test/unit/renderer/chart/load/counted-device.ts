import { succeeded } from '#shared/schema/envelope.ts';
import type { ArraysId, InputOf } from '#shared/operations/index.ts';
import type { ColumnPage, SeriesPicture } from '#shared/bridge/wire.ts';
import { seriesOf, type Point } from '../draw/series-of.ts';
import { subscribe } from './events.ts';

/** A device whose records count a thousandfold in the series, so that tests need not make hundreds of thousands. */
export const device = {
  records: [] as Point[],
  series: [] as InputOf<'chart.series'>[],
  columns: [] as InputOf<'chart.columns'>[],
  /** Holds answers up where a test wants it. */
  gate: async () => {},
};

const answers = {
  async 'chart.series'(
    request: InputOf<'chart.series'>,
    onPicture: (picture: SeriesPicture) => void,
    { signal }: { signal?: AbortSignal } = {},
  ) {
    device.series.push(request);
    await device.gate();
    if (signal?.aborted) throw signal.reason;
    const { start = 0, end = 0, width, keys } = request;
    const series = seriesOf(device.records, keys, start, end, width);
    for (const { counts } of series.keys) counts.forEach((count, column) => (counts[column] = count * 1000));
    onPicture(series);
    return succeeded('get series', 200, 'Series retrieved successfully.', null);
  },
  async 'chart.columns'(
    request: InputOf<'chart.columns'>,
    onPage: (page: ColumnPage) => void,
    { signal }: { signal?: AbortSignal } = {},
  ) {
    device.columns.push(request);
    const { start = -Infinity, end = Infinity } = request;
    const rows = device.records.filter(({ time }) => time >= start && time <= end).toReversed();
    if (signal?.aborted) throw signal.reason;
    onPage({
      offset: 0,
      total: rows.length * 1000,
      timestamps: Float64Array.from(rows, ({ time }) => time),
      columns: [Float64Array.from(rows, ({ values }) => values[0] ?? NaN)],
    });
    if (signal?.aborted) throw signal.reason;
    return succeeded('read columns', 200, 'Columns read successfully.', { records: rows.length });
  },
};

/** In place of renderer/bridge/bridge.ts: the service that has this device alone. */
export const bridge = {
  subscribe,
  stream: (id: Exclude<ArraysId, 'chart.rates'>, ...asked: [never, never, never]) => answers[id](...asked),
};
