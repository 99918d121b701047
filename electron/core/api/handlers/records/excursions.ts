import type { View } from '#shared/domain/corrections.ts';
import { MOST_IN_FILE } from '#shared/operations/records/excursions.ts';
import { isoDuration } from '#shared/values/duration.ts';
import { exportStem } from '#shared/values/file-name.ts';
import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import { badRequest } from '../../../base/errors.ts';
import type { Excursion, Surveyed } from '../../../survey/excursions.ts';
import { csvText } from '../../../store/blocks/codec/csv-text.ts';
import { Pace } from '../../../turns/pace.ts';
import { EncodedJson, type Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { viewed } from '../../corrections/viewed.ts';
import {
  excursionsView,
  excursionView,
  frameOf,
  gapView,
  surveyKey,
  type Frame,
  type SurveyedKey,
} from '../../devices/key-excursions.ts';
import { contentTypeOf } from '../../exports/write-export.ts';
import { rangeOf } from '../../range.ts';

/** Excursions, gaps and runs that are written at once; more come piece by piece. */
const AT_ONCE = 1024;

export const excursionHandlers: HandlersOf<'excursions'> = {
  async 'excursions.get'(call, context) {
    const { limit, width } = call.input;
    const surveyed = await survey(call, { most: limit, width: width ?? null }, context);
    const { found } = surveyed;
    const { list: excursions } = found.excursions;
    const { list: gaps } = found.gaps;
    const parts = [
      ['excursions', excursions, excursionView],
      ['not_measured', gaps, gapView],
    ] as const;
    if (excursions.length + gaps.length + found.runs.length > AT_ONCE)
      return { data: new EncodedJson(piecesOf(frameOf(surveyed), parts)) };
    return { data: excursionsView(surveyed) };
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

async function survey(
  { input, project, device, principal, signal }: Asked,
  how: { readonly most: number; readonly width: number | null },
  context: Context,
): Promise<SurveyedKey> {
  const of = await viewed(device.id, input.view, context);
  const whose = { project_id: project.id, device_id: device.id, key_id: principal.key_id };
  return surveyKey(of, { ...whose, key: input.key, range: rangeOf(input), ...how }, context, signal);
}

const day = (time: Micros) => formatMicros(time).slice(0, 10);

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
