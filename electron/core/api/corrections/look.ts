import type { KeptCorrection } from '#shared/domain/corrections.ts';
import type { CheckedInput, OutputOf } from '#shared/operations/index.ts';
import { SUSPECT_RULES, type Figures } from '#shared/operations/metadata/correction-looks.ts';
import { formatMicros, type TimeRange } from '#shared/values/time.ts';
import { lensOf } from '../../store/metadata/lens-of.ts';
import type { Lens, Viewed } from '../../store/store.ts';
import { STATISTICS, type KeyStatistics } from '../../survey/statistics.ts';
import { SUSPECTS } from '../../survey/suspects.ts';
import { surveyDevice } from '../../survey/survey-device.ts';
import type { Context } from '../context.ts';
import { rangeOf } from '../range.ts';
import { instantText } from '../resources.ts';

/* What a correction would change, and where one may be wanted: nothing is kept by either. */

/** Keys of a preview: of a flag for all keys, or of a clock, the first of the device. */
const MOST_KEYS = 16;
/** Spans that are told of each rule. */
const MOST_SPANS = 1000;

/** Asker of a preview or a search. */
interface Looker extends Pick<Context, 'metadata' | 'records' | 'surveys'> {
  readonly key_id: string | null;
  readonly signal: AbortSignal | undefined;
}

/** Resolves with what a correction would change of a device; `range`: of its statistics. */
export async function previewCorrection(
  what: KeptCorrection,
  id: string,
  range: TimeRange,
  looker: Looker,
): Promise<OutputOf<'corrections.preview'>> {
  const { metadata } = looker;
  const lens = await lensOf(metadata, { id });
  const before: Viewed = lens === null ? id : { device: id, lens };
  const after: Viewed = { device: id, lens: await lensWith(what, lens, looker) };
  const { records, first, last } = await touched(what, after, looker);
  const keys = await keysOf(what, after, looker);
  const [was, will] = [
    await figuresOf(before, keys, range, looker),
    await figuresOf(after, keys, range, looker),
  ];
  return {
    records,
    first: instantText(first),
    last: instantText(last),
    statistics: keys.map((key, place) => ({ key, before: was[place]!, after: will[place]! })),
  };
}

async function lensWith(what: KeptCorrection, lens: Lens | null, { metadata }: Looker): Promise<Lens> {
  const { corrections = [], formers = [] } = lens ?? {};
  if (what.kind !== 'replaced') return { corrections: [...corrections, what], formers };
  const { device_id, until } = what;
  const former = { device: device_id, until, lens: await lensOf(metadata, { id: device_id }) };
  return { corrections: [...corrections, what], formers: [...formers, former] };
}

/** The records that a correction speaks of. */
async function touched(what: KeptCorrection, after: Exclude<Viewed, string>, { records, signal }: Looker) {
  if (what.kind === 'replaced') {
    const { device, until, lens } = after.lens.formers.at(-1)!;
    return records.within(lens === null ? device : { device, lens }, { end: until });
  }
  const [of, range, keys] =
    what.kind === 'derived'
      ? ([after, {}, [what.key]] as const)
      : ([
          after.device,
          spanOf(what),
          'keys' in what ? what.keys : 'key' in what ? [what.key] : null,
        ] as const);
  const within = await records.within(of, range);
  return keys === null ? within : { ...within, records: await records.countWith(of, range, keys, signal) };
}

const spanOf = ({ from, to }: { readonly from?: number; readonly to?: number }): TimeRange =>
  rangeOf({ start: from, end: to });

async function keysOf(
  what: KeptCorrection,
  after: Viewed,
  { records, signal }: Looker,
): Promise<readonly string[]> {
  if (what.kind === 'calibration' || what.kind === 'derived') return [what.key];
  if (what.kind === 'quality' && what.keys !== null) return what.keys;
  const { keys } = await records.summary(after, signal);
  return keys.flatMap(({ key, numeric }) => (numeric > 0 ? key : [])).slice(0, MOST_KEYS);
}

async function figuresOf(
  device: Viewed,
  keys: readonly string[],
  range: TimeRange,
  { records, surveys, key_id, signal }: Looker,
): Promise<readonly Figures[]> {
  const query = { range, keys, pauses: keys.map(() => null), normal: [] };
  const found = await surveyDevice(STATISTICS, query, {
    records,
    device,
    semaphore: surveys.of(key_id),
    signal,
  });
  return found.map(({ count, min, max, mean, sd, first, last }: KeyStatistics) => ({
    count,
    min,
    max,
    mean,
    sd,
    first,
    last,
  }));
}

/** Resolves with spans of a key that someone should look at, in stored times: of calibrated values, without those that are flagged. */
export async function findSuspects(
  { key, spike, stuck, outside, gap, start, end }: CheckedInput<'corrections.find'>,
  id: string,
  { metadata, records, surveys, key_id, signal }: Looker,
): Promise<OutputOf<'corrections.find'>> {
  const lens = await lensOf(metadata, { id });
  const corrections = (lens?.corrections ?? []).filter(
    ({ kind }) => kind === 'calibration' || kind === 'quality',
  );
  const device: Viewed = corrections.length === 0 ? id : { device: id, lens: { corrections, formers: [] } };
  const query = {
    range: rangeOf({ start, end }),
    keys: [key],
    spikeSds: spike?.times_sd ?? null,
    stuck: stuck === undefined ? null : stuck.seconds * 1e6,
    outside: outside ?? null,
    gap: gap === undefined ? null : gap.seconds * 1e6,
    most: MOST_SPANS,
  };
  const found = await surveyDevice(SUSPECTS, query, {
    records,
    device,
    semaphore: surveys.of(key_id),
    signal,
  });
  return {
    spans: SUSPECT_RULES.flatMap((rule) =>
      (found[rule]?.list ?? []).map((place) => ({
        rule,
        from: formatMicros(place.start),
        to: formatMicros(place.end),
        records: place.records,
      })),
    ),
    found: {
      spike: found.spike?.places ?? null,
      stuck: found.stuck?.places ?? null,
      outside: found.outside?.places ?? null,
      gap: found.gap?.places ?? null,
    },
  };
}
