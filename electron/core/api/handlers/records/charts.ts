import type { CheckedInput, OutputOf } from '#shared/operations/index.ts';
import type { ColumnPage, RatesPicture, RatesPictureKey, SeriesPicture } from '#shared/bridge/wire.ts';
import { RATES } from '../../../survey/rates.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { viewed, withFlagged } from '../../corrections/viewed.ts';
import { figureRules, NO_FIGURES, statisticsView } from '../../devices/key-statistics.ts';
import { nothingOf, readSeries, requireColumns, type Asker } from '../../series.ts';

/** Rows of the first page of columns, small so that a picture is there at once, and of those after it. */
const FIRST_PAGE = 1000;
const NEXT_PAGES = 10_000;

export const chartHandlers: HandlersOf<'chart'> = {
  'chart.columns': ({ input, device }, context) => ({ arrays: pagesOf(context, device.id, input) }),

  'chart.series': ({ input, device, principal, signal }, { records, clock, surveys, metadata }) => ({
    arrays: pictureOf(
      { records, clock, surveys, metadata, key_id: principal.key_id, signal },
      device.id,
      input,
    ),
  }),

  'chart.rates': ({ input, project, device, principal, signal }, { records, clock, surveys, metadata }) => ({
    arrays: ratesOf(
      { records, clock, surveys, metadata, key_id: principal.key_id, signal },
      { project_id: project.id, device_id: device.id },
      input,
    ),
  }),
};

/** A device's records, newest first, each page read when it is asked for; returns how many there were. */
async function* pagesOf(
  context: Pick<Context, 'records' | 'metadata'>,
  device_id: string,
  { keys, start, end, view, flagged }: CheckedInput<'chart.columns'>,
): AsyncGenerator<ColumnPage, OutputOf<'chart.columns'>, undefined> {
  const { records } = context;
  const seen = await viewed(device_id, view, context);
  const of = flagged === 'keep' ? withFlagged(seen) : seen;
  let range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  let offset = 0;
  for (let limit = FIRST_PAGE; ; limit = NEXT_PAGES) {
    const { total, timestamps, columns } = await records.columns(of, { offset, limit, range, keys });
    // Ranks count from the newest record, so newer ones that arrive meanwhile must stay outside.
    if (offset === 0 && timestamps[0] !== undefined) range = { ...range, end: timestamps[0] };
    yield { offset, total, timestamps, columns };
    offset += timestamps.length;
    if (timestamps.length === 0 || offset >= total) return { records: offset };
  }
}

async function* pictureOf(
  context: Asker & Pick<Context, 'metadata'>,
  device_id: string,
  input: CheckedInput<'chart.series'>,
): AsyncGenerator<SeriesPicture, null, undefined> {
  const seen = await viewed(device_id, input.view, context);
  const of = input.flagged === 'keep' ? withFlagged(seen) : seen;
  const series = await readSeries(of, input, context);
  const intervals = await context.records.intervals(of, input.keys);
  yield {
    ...series,
    keys: series.keys.map((key, index) => {
      const interval = intervals[index] ?? Number.NaN;
      // JSON, which carries it, has no NaN.
      return { ...key, interval: Number.isNaN(interval) ? null : interval };
    }),
  };
  return null;
}

async function* ratesOf(
  context: Asker & Pick<Context, 'metadata'>,
  where: { readonly project_id: string; readonly device_id: string },
  { rates: asked, start, end, width, view }: CheckedInput<'chart.rates'>,
): AsyncGenerator<RatesPicture, null, undefined> {
  const { records, surveys, key_id, signal } = context;
  const of = await viewed(where.device_id, view, context);
  requireColumns(asked.length, width);
  const rates = [...new Map(asked.map((rate) => [rate.key, rate])).values()];
  // Where the span begins, and what each key was before.
  const edges = await readSeries(of, { start, end, keys: rates.map(({ key }) => key), width: 1 }, context);
  const there = edges.keys.flatMap(({ counts, before }, place) => {
    const rate = rates[place];
    return rate && counts.length > 0 ? { rate, before } : [];
  });
  const keys = there.map(({ rate }) => rate.key);
  const { intervals, pauses } = await figureRules(context, where, { of, keys });
  const range = { start: edges.start, end: edges.end };
  const before = there.map((one) => one.before);
  const query = { range, keys, width, rates: there.map(({ rate }) => rate), before, pauses };
  const found = await surveyDevice(RATES, query, {
    records,
    device: of,
    semaphore: surveys.of(key_id),
    signal,
  });
  const picture = new Map(
    found.map(({ statistics, ...columns }, place) => {
      const key = keys[place] ?? '';
      const interval = intervals[place] ?? Number.NaN;
      const figures = statisticsView(key, statistics);
      const known = { interval: Number.isNaN(interval) ? null : interval, before: null, after: null };
      return [key, { key, ...known, ...columns, statistics: figures }] as const;
    }),
  );
  yield { ...range, width, keys: asked.map(({ key }) => picture.get(key) ?? noRatesOf(key)) };
  return null;
}

/** Of a key that the device does not have. */
const noRatesOf = (key: string): RatesPictureKey => ({
  ...nothingOf(key),
  interval: null,
  wraps: 0,
  resets: 0,
  statistics: statisticsView(key, NO_FIGURES),
});
