import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import { pauseOf } from '../../survey/pause.ts';
import { STATISTICS, type KeyStatistics as Surveyed, type NormalRange } from '../../survey/statistics.ts';
import { surveyDevice } from '../../survey/survey-device.ts';
import type { Viewed } from '../../store/store.ts';
import type { Context } from '../context.ts';

interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** What figures of keys depend on, one of each a key. */
export interface FigureRules {
  /** The usual interval, in µs; NaN where there is none. */
  readonly intervals: readonly number[];
  /** How long a silence is no gap yet, in µs; null where none is known. */
  readonly pauses: readonly (Micros | null)[];
  readonly normal: readonly NormalRange[];
}

/** Reads what is usual of keys, and what somebody set for them. */
export async function figureRules(
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
  { project_id, device_id }: Place,
  { of, keys }: { readonly of: Viewed; readonly keys: readonly string[] },
): Promise<FigureRules> {
  const intervals = await records.intervals(of, keys);
  const settings = await metadata.read((tables) => tables.list('key_settings', { project_id, device_id }));
  const given = new Map(settings.map((one) => [one.key, one]));
  const pauses = keys.map((key, place) => {
    return pauseOf(given.get(key)?.longest_gap_s ?? null, intervals[place] ?? Number.NaN);
  });
  const normal = keys.map((key) => {
    const { low = null, high = null } = given.get(key) ?? {};
    return { low, high };
  });
  return { intervals, pauses, normal };
}

/** Figures of a key that the device does not have. */
export const NO_FIGURES: Surveyed = STATISTICS.begin({
  range: {},
  keys: [''],
  pauses: [null],
  normal: [],
}).result()[0]!;

interface AskedFigures extends Place {
  readonly range: TimeRange;
  /** Absent: those with numbers. */
  readonly keys?: readonly string[] | undefined;
  /** Of the API key, null for the owner, as which it waits for its turn. */
  readonly key_id: string | null;
}

/** Surveys keys of a device as a view shows it, in the order asked. Rejects with StoreError, or as the signal's reason. */
export async function surveyFigures(
  of: Viewed,
  { keys: given, range, key_id, ...whose }: AskedFigures,
  context: Pick<Context, 'metadata' | 'records' | 'surveys'>,
  signal?: AbortSignal,
): Promise<readonly KeyStatistics[]> {
  const { records, surveys } = context;
  const known = (await records.summary(of, signal)).keys;
  const asked = given ?? known.flatMap(({ key, numeric }) => (numeric > 0 ? key : []));
  const names = new Set(known.map(({ key }) => key));
  const keys = asked.filter((key) => names.has(key));
  const { pauses, normal } = await figureRules(context, whose, { of, keys });
  const how = { records, device: of, semaphore: surveys.of(key_id), signal };
  const found = await surveyDevice(STATISTICS, { range, keys, pauses, normal }, how);
  const byKey = new Map(keys.map((key, place) => [key, found[place]]));
  return asked.map((key) => statisticsView(key, byKey.get(key) ?? NO_FIGURES));
}

/** Figures as askers see them. */
export function statisticsView(key: string, surveyed: Surveyed): KeyStatistics {
  const { percentileError, firstTime, lastTime, longestSilence, ...rest } = surveyed;
  const { count } = surveyed;
  const span = ((lastTime ?? 0) - (firstTime ?? 0)) / 1e6;
  return {
    key,
    ...rest,
    percentiles: percentileError === 0 ? 'exact' : 'approximate',
    percentile_error: percentileError,
    first_time: timeOf(firstTime),
    last_time: timeOf(lastTime),
    longest_gap_us: longestSilence,
    rate_per_s: span > 0 ? (count - 1) / span : null,
  };
}

const timeOf = (time: Micros | null) => (time === null ? null : formatMicros(time));
