import { FINDINGS } from '#shared/domain/time-findings.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { EQUAL_RECORDS, type EqualRecords } from '../../../survey/equal-records.ts';
import { pauseOf } from '../../../survey/pause.ts';
import type { Found } from '../../../survey/places.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import { TIMES } from '../../../survey/times.ts';
import type { Viewed } from '../../../store/store.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';

/** Of so many keys the usual interval is looked for. */
const MOST_KEYS = 16;
const DAY_US = 86_400e6;
const FIRST_SET_CLOCK = Date.UTC(1972, 0, 1) * 1000;

export const timesHandlers: HandlersOf<'times'> = {
  async 'times.get'({ input, device, principal, signal }, context) {
    const { records, surveys, clock } = context;
    const of = await viewed(device.id, input.view, context);
    const { width, limit: most, gap_s } = input;
    const { keys } = await records.summary(of, signal);
    const now = clock.now();
    const shown = await spanShown(of, input, now, context);
    const numeric = keys.flatMap(({ key, numeric: numbers }) => (numbers > 0 ? key : []));
    const pause =
      gap_s === undefined ? await usualPause(of, numeric.slice(0, MOST_KEYS), context) : gap_s * 1e6;
    const options = { records, device: of, semaphore: surveys.of(principal.key_id), signal };
    const range = rangeOf(input);
    const found = await surveyDevice(TIMES, { range, keys: [], shown, width, now, pause, most }, options);
    const equal: EqualRecords =
      found.equal === null
        ? { found: { records: 0, places: 0, list: [] }, exact: true }
        : await surveyDevice(
            EQUAL_RECORDS,
            { range: found.equal, keys: keys.map(({ key }) => key), most },
            options,
          );
    const { counts, min, max } = found.skew;
    const kinds = { ...found, equal_records: equal.found };
    return {
      data: {
        records: found.records,
        start: formatMicros(shown.start),
        end: formatMicros(shown.end),
        skew: { counts: [...counts], min: numbersOf(min), max: numbersOf(max) },
        gap_us: pause,
        findings: FINDINGS.map((kind) => ({ kind, ...viewOf(kinds[kind]) })),
        exact: equal.exact,
      },
    };
  },
};

/** Without ends, from the first to the last record, but without times that cannot be right: they would press all others together. */
async function spanShown(
  device: Viewed,
  { start, end }: { readonly start?: Micros | undefined; readonly end?: Micros | undefined },
  now: Micros,
  { records }: Pick<Context, 'records'>,
): Promise<{ readonly start: Micros; readonly end: Micros }> {
  if (start !== undefined && end !== undefined) return { start, end };
  const from = start ?? Math.min(FIRST_SET_CLOCK, end ?? Infinity);
  const to = end ?? Math.max(now + DAY_US, from);
  const { first, last } = await records.within(device, { start: from, end: to });
  return { start: start ?? first ?? Math.min(now, to), end: end ?? last ?? Math.max(now, from) };
}

/** Of the key that comes most often; null where nothing says how often one comes. */
async function usualPause(
  device: Viewed,
  keys: readonly string[],
  { records }: Pick<Context, 'records'>,
): Promise<Micros | null> {
  const intervals = (await records.intervals(device, keys)).filter((interval) => !Number.isNaN(interval));
  return intervals.length > 0 ? pauseOf(null, Math.min(...intervals)) : null;
}

const numbersOf = (column: Float64Array) =>
  Array.from(column, (value) => (Number.isNaN(value) ? null : value));

function viewOf({ records, places, list }: Found) {
  return {
    records,
    places,
    list: list.map(({ start, end, records: held }) => ({
      start: formatMicros(start),
      end: formatMicros(end),
      records: held,
    })),
  };
}
