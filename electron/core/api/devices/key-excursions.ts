import type { Excursions } from '#shared/operations/records/excursions.ts';
import { formatMicros, type TimeRange } from '#shared/values/time.ts';
import {
  surveyExcursions,
  type Excursion,
  type ExcursionsQuery,
  type Surveyed,
} from '../../survey/excursions.ts';
import { pauseOf } from '../../survey/pause.ts';
import type { Viewed } from '../../store/store.ts';
import type { Context } from '../context.ts';

/** Excursions of a key as they are asked for. */
interface AskedKey extends Pick<ExcursionsQuery, 'most' | 'width'> {
  readonly project_id: string;
  readonly device_id: string;
  readonly key: string;
  /** Without an end, from the first or to the last record of the device. */
  readonly range: TimeRange;
  /** Of the API key, null for the owner, as which it waits for its turn. */
  readonly key_id: string | null;
}

export interface SurveyedKey {
  readonly query: ExcursionsQuery;
  readonly found: Surveyed;
}

/** Surveys a key of a device as a view shows it, by its settings. Rejects with StoreError, or as the signal's reason. */
export async function surveyKey(
  of: Viewed,
  { project_id, device_id, key, range, key_id, ...how }: AskedKey,
  { records, metadata, clock, surveys }: Pick<Context, 'records' | 'metadata' | 'clock' | 'surveys'>,
  signal?: AbortSignal,
): Promise<SurveyedKey> {
  const settings = await metadata.read((tables) => tables.list('key_settings', { project_id, device_id }));
  const { low = null, high = null, longest_gap_s = null } = settings.find((one) => one.key === key) ?? {};
  const { first, last } = await records.within(of, {});
  const start = range.start ?? Math.min(first ?? clock.now(), range.end ?? Infinity);
  const end = range.end ?? Math.max(start, last ?? start);
  const [interval = Number.NaN] = longest_gap_s === null ? await records.intervals(of, [key]) : [];
  const pause = pauseOf(longest_gap_s, interval);
  const query = { range: { start, end }, key, normal: { low, high }, pause, ...how };
  const found = await surveys.of(key_id).run(() => surveyExcursions(records, of, query, signal), signal);
  return { query, found };
}

export type Frame = Omit<Excursions, 'excursions' | 'not_measured'>;

export function frameOf({ query, found }: SurveyedKey): Frame {
  const { key, range, normal, pause, width } = query;
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

/** Excursions as askers see them. */
export function excursionsView(surveyed: SurveyedKey): Excursions {
  const { excursions, gaps } = surveyed.found;
  return {
    ...frameOf(surveyed),
    excursions: excursions.list.map(excursionView),
    not_measured: gaps.list.map(gapView),
  };
}

export const excursionView = ({ start, end, worst, at, side }: Excursion) => ({
  start: formatMicros(start),
  end: formatMicros(end),
  worst,
  at: formatMicros(at),
  side,
});

export const gapView = ({ start, end }: Required<TimeRange>) => ({
  start: formatMicros(start),
  end: formatMicros(end),
});
