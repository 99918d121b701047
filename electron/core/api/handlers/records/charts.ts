import type { CheckedInput, OutputOf } from '#shared/operations/index.ts';
import type { ColumnPage, SeriesPicture } from '#shared/bridge/wire.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { readSeries, type Asker } from '../../series.ts';
import { viewed } from '../../corrections/viewed.ts';

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
};

/** A device's records, newest first, each page read when it is asked for; returns how many there were. */
async function* pagesOf(
  context: Pick<Context, 'records' | 'metadata'>,
  device_id: string,
  { keys, start, end, view }: CheckedInput<'chart.columns'>,
): AsyncGenerator<ColumnPage, OutputOf<'chart.columns'>, undefined> {
  const { records } = context;
  const of = await viewed(device_id, view, context);
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
  const of = await viewed(device_id, input.view, context);
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
