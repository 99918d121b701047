import { TREND_COLUMNS, TREND_HOURS, type FoundTrend } from '#shared/operations/records/series.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import type { Extent, SeriesKey, Viewed } from '../../store/store.ts';
import { Pace } from '../../turns/pace.ts';
import type { Context } from '../context.ts';
import { viewedOf } from '../corrections/viewed.ts';

const DAY_US = 86_400e6;
const QUARTER_US = DAY_US / TREND_COLUMNS;
const HOUR_US = DAY_US / TREND_HOURS;
/** Devices at a time: over a database each costs a question. */
const AT_ONCE = 16;

/**
 * The last day of a key of the asked devices of a project (docs/local-api.md, "Trends"), in the order asked. Rejects as the
 * signal's reason.
 */
export async function readTrends(
  { project_id, key, ids, curves, view }: CheckedInput<'series.trends'>,
  { metadata, records, clock }: Pick<Context, 'metadata' | 'records' | 'clock'>,
  signal?: AbortSignal,
): Promise<readonly FoundTrend[]> {
  const devices = await metadata.read((tables) => tables.list('devices', { project_id }));
  const known = new Set(devices.map(({ id }) => id));
  const asked = ids.filter((id) => known.has(id));
  const views = await viewedOf(project_id, asked, view, { metadata });
  const extents = await records.extents(views);
  const now = clock.now();
  const read = async (device_id: string, of: Viewed, extent: Extent | undefined): Promise<FoundTrend> => {
    const end = endOf(extent, now);
    if (end === null)
      return {
        device_id,
        end: null,
        count: 0,
        min: null,
        max: null,
        level: null,
        hours: null,
        columns: null,
      };
    const range = { start: end - DAY_US + 1, end };
    const { keys } = await records.series(of, { range, keys: [key], width: TREND_COLUMNS });
    return { device_id, end: formatMicros(end), ...trendOf(keys[0], end, curves === 'true') };
  };
  const found: FoundTrend[] = [];
  const pace = new Pace();
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const some = asked.slice(at, at + AT_ONCE);
    found.push(
      ...(await Promise.all(some.map((id, place) => read(id, views[at + place] ?? id, extents[at + place])))),
    );
    await pace.pause();
  }
  return found;
}

/** The end of the day that is told of: now, or the newest record where that is of the future, or older than a day. */
function endOf(extent: Extent | undefined, now: Micros): Micros | null {
  const last = extent?.last ?? null;
  if (last === null) return null;
  return last > now || now - last > DAY_US ? last : now;
}

function trendOf(
  series: SeriesKey | undefined,
  end: Micros,
  withColumns: boolean,
): Omit<FoundTrend, 'device_id' | 'end'> {
  let [count, filled, sum] = [0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  const columns = { min: [] as (number | null)[], max: [] as (number | null)[] };
  const middles: (number | null)[] = [];
  for (let c = 0; c < TREND_COLUMNS; c++) {
    const held = series?.counts[c] ?? 0;
    const [least, most] = [series?.min[c] ?? NaN, series?.max[c] ?? NaN];
    columns.min.push(held > 0 ? least : null);
    columns.max.push(held > 0 ? most : null);
    // Halves first: two of the largest doubles have no sum.
    const middle = held > 0 ? least / 2 + most / 2 : null;
    middles.push(middle);
    if (middle === null) continue;
    count += held;
    filled++;
    sum += middle / TREND_COLUMNS;
    min = Math.min(min, least);
    max = Math.max(max, most);
  }
  const level = filled > 0 ? sum * (TREND_COLUMNS / filled) : null;
  return {
    count,
    min: filled > 0 ? min : null,
    max: filled > 0 ? max : null,
    // A mean lies between the ends, whatever the rounding.
    level: level === null ? null : Math.min(max, Math.max(min, level)),
    hours: filled > 0 ? hoursOf(middles, end) : null,
    columns: withColumns ? columns : null,
  };
}

/** Levels of the hours of the day, of which one that holds fewer quarters than they mostly do is not whole. */
function hoursOf(middles: readonly (number | null)[], end: Micros): (number | null)[] {
  const quarters = Array.from({ length: TREND_HOURS }, (): number[] => []);
  for (const [c, middle] of middles.entries()) {
    const at = end - (TREND_COLUMNS - 1 - c) * QUARTER_US;
    const hour = Math.floor(at / HOUR_US) % TREND_HOURS;
    if (middle !== null) quarters[(hour + TREND_HOURS) % TREND_HOURS]?.push(middle);
  }
  const counts = quarters.map(({ length }) => length).filter((length) => length > 0);
  const usual = counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 1;
  return quarters.map((some) =>
    some.length < usual ? null : some.reduce((sum, middle) => sum + middle / some.length, 0),
  );
}
