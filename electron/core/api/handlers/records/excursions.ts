import type { View } from '#shared/domain/corrections.ts';
import { MOST_IN_FILE, type Excursions } from '#shared/operations/records/excursions.ts';
import { isoDuration } from '#shared/values/duration.ts';
import { exportStem } from '#shared/values/file-name.ts';
import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import { badRequest } from '../../../base/errors.ts';
import {
  surveyExcursions,
  type Excursion,
  type ExcursionsQuery,
  type Surveyed,
} from '../../../survey/excursions.ts';
import { pauseOf } from '../../../survey/pause.ts';
import { csvText } from '../../../store/blocks/codec/csv-text.ts';
import { Pace } from '../../../turns/pace.ts';
import { EncodedJson, type Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { viewed } from '../../corrections/viewed.ts';
import { contentTypeOf } from '../../exports/write-export.ts';

/** Excursions, gaps and runs that are written at once; more come piece by piece. */
const AT_ONCE = 1024;

export const excursionHandlers: HandlersOf<'excursions'> = {
  async 'excursions.get'(call, context) {
    const { limit, width } = call.input;
    const { query, found } = await survey(call, { most: limit, width: width ?? null }, context);
    const { list: excursions } = found.excursions;
    const { list: gaps } = found.gaps;
    const frame = frameOf(query, found);
    const parts = [
      ['excursions', excursions, excursionView],
      ['not_measured', gaps, gapView],
    ] as const;
    if (excursions.length + gaps.length + found.runs.length > AT_ONCE)
      return { data: new EncodedJson(piecesOf(frame, parts)) };
    return {
      data: { ...frame, excursions: excursions.map(excursionView), not_measured: gaps.map(gapView) },
    };
  },

  async 'excursions.export'(call, context) {
    const { key } = call.input;
    const { query, found } = await survey(call, { most: MOST_IN_FILE, width: null }, context);
    const rows = found.excursions.count + found.gaps.count;
    if (rows > MOST_IN_FILE)
      throw badRequest(
        `key: "${key}" has ${rows} excursions and gaps in this span, and a file takes ${MOST_IN_FILE}; ask for a shorter span by start and end`,
      );
    const { start, end } = query.range;
    const name = `${exportStem(`${call.device.name}_${key}`, day(start), day(end))}${call.input.view === 'corrected' ? '_corrected' : ''}_excursions`;
    const bytes = linesOf(key, found);
    return { data: { rows, name }, download: { type: contentTypeOf('csv'), name, extension: 'csv', bytes } };
  },
};

const day = (time: Micros) => formatMicros(time).slice(0, 10);

interface Asked {
  readonly input: {
    readonly key: string;
    readonly view: View;
    readonly start?: Micros | undefined;
    readonly end?: Micros | undefined;
  };
  readonly project: { readonly id: string };
  readonly device: { readonly id: string };
  readonly principal: Principal;
  readonly signal: AbortSignal | undefined;
}

type Parts = Pick<Context, 'records' | 'metadata' | 'clock' | 'surveys'>;

/** Without ends, from the first to the last record of the device. */
async function survey(
  { input: { key, view, ...range }, project, device, principal, signal }: Asked,
  how: Pick<ExcursionsQuery, 'most' | 'width'>,
  { records, metadata, clock, surveys }: Parts,
): Promise<{ readonly query: ExcursionsQuery; readonly found: Surveyed }> {
  const settings = await metadata.read((tables) =>
    tables.list('key_settings', { project_id: project.id, device_id: device.id }),
  );
  const { low = null, high = null, longest_gap_s = null } = settings.find((one) => one.key === key) ?? {};
  const of = await viewed(device.id, view, { metadata });
  const { first, last } = await records.within(of, {});
  const start = range.start ?? Math.min(first ?? clock.now(), range.end ?? Infinity);
  const end = range.end ?? Math.max(start, last ?? start);
  const [interval = Number.NaN] = longest_gap_s === null ? await records.intervals(of, [key]) : [];
  const pause = pauseOf(longest_gap_s, interval);
  const query = { range: { start, end }, key, normal: { low, high }, pause, ...how };
  const semaphore = surveys.of(principal.key_id);
  const found = await semaphore.run(() => surveyExcursions(records, of, query, signal), signal);
  return { query, found };
}

type Frame = Omit<Excursions, 'excursions' | 'not_measured'>;

function frameOf({ key, range, normal, pause, width }: ExcursionsQuery, found: Surveyed): Frame {
  return {
    key,
    start: formatMicros(range.start),
    end: formatMicros(range.end),
    low: normal.low,
    high: normal.high,
    longest_gap_us: pause,
    inside_us: found.inside,
    outside_us: found.outside,
    not_measured_us: found.notMeasured,
    excursion_count: found.excursions.count,
    not_measured_count: found.gaps.count,
    runs:
      width === null
        ? null
        : found.runs.map((run) => ({ ...run, from: formatMicros(run.from), to: formatMicros(run.to) })),
  };
}

const excursionView = ({ start, end, worst, at, side }: Excursion) => ({
  start: formatMicros(start),
  end: formatMicros(end),
  worst,
  at: formatMicros(at),
  side,
});

const gapView = ({ start, end }: Required<TimeRange>) => ({
  start: formatMicros(start),
  end: formatMicros(end),
});

type Part<T> = readonly [name: string, list: readonly T[], view: (one: T) => object];

/** The JSON of many: others get their turn between its pieces. */
async function* piecesOf(
  frame: Frame,
  [excursions, gaps]: readonly [Part<Excursion>, Part<Required<TimeRange>>],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(frame).slice(0, -1));
  yield* listOf(excursions);
  yield* listOf(gaps);
  yield Buffer.from('}');
}

async function* listOf<T>([name, list, view]: Part<T>): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  yield Buffer.from(`,"${name}":[`);
  for (let from = 0; from < list.length; from += AT_ONCE) {
    const some = list.slice(from, from + AT_ONCE).map((one) => JSON.stringify(view(one)));
    yield Buffer.from(`${from > 0 ? ',' : ''}${some.join(',')}`);
    await pace.pause();
  }
  yield Buffer.from(']');
}

/** Excursions and gaps in order of time, a row each (RFC 4180). */
async function* linesOf(key: string, { excursions, gaps }: Surveyed): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  const name = csvText(key);
  const rows = [
    ...excursions.list.map((one) => ({ ...one, what: one.side })),
    ...gaps.list.map((one) => ({ ...one, what: 'not measured', worst: '', at: null })),
  ].toSorted((a, b) => a.start - b.start);
  yield Buffer.from('key,side,start,end,duration,worst,at\r\n');
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const lines = rows
      .slice(from, from + AT_ONCE)
      .map(
        ({ what, start, end, worst, at }) =>
          `${name},${what},${formatMicros(start)},${formatMicros(end)},${isoDuration(end - start)},${worst},${at === null ? '' : formatMicros(at)}\r\n`,
      );
    yield Buffer.from(lines.join(''));
    await pace.pause();
  }
}
