import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { STATISTICS, type KeyStatistics as Surveyed } from '../../../survey/statistics.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import type { HandlersOf } from '../../context.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';

/** A silence of more than so many of a key's own usual intervals is a gap, as it is one in a chart; unless the key's settings say another. */
const PAUSE_FACTOR = 10;

export const statisticsHandlers: HandlersOf<'statistics'> = {
  async 'statistics.get'({ input, project, device, principal, signal }, { metadata, records, surveys }) {
    const of = await viewed(device.id, input.view, { metadata });
    const known = (await records.summary(of, signal)).keys;
    const asked = input.keys ?? known.flatMap(({ key, numeric }) => (numeric > 0 ? key : []));
    const names = new Set(known.map(({ key }) => key));
    const keys = asked.filter((key) => names.has(key));
    const intervals = await records.intervals(of, keys);
    const settings = await metadata.read((tables) =>
      tables.list('key_settings', { project_id: project.id, device_id: device.id }),
    );
    const given = new Map(settings.map((one) => [one.key, one]));
    const pauses = keys.map((key, place) => {
      const seconds = given.get(key)?.longest_gap_s ?? null;
      const interval = intervals[place] ?? Number.NaN;
      if (seconds !== null) return seconds * 1e6;
      return Number.isNaN(interval) ? null : interval * PAUSE_FACTOR;
    });
    const normal = keys.map((key) => {
      const { low = null, high = null } = given.get(key) ?? {};
      return { low, high };
    });
    const query = { range: rangeOf(input), keys, pauses, normal };
    const found = await surveyDevice(STATISTICS, query, {
      records,
      device: of,
      semaphore: surveys.of(principal.key_id),
      signal,
    });
    const byKey = new Map(keys.map((key, place) => [key, found[place]]));
    return { data: asked.map((key) => viewOf(key, byKey.get(key) ?? NONE)) };
  },
};

const NONE: Surveyed = STATISTICS.begin({ range: {}, keys: [''], pauses: [null], normal: [] }).result()[0]!;

function viewOf(key: string, surveyed: Surveyed): KeyStatistics {
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
