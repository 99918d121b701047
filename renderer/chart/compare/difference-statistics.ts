import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Difference } from './difference.ts';
import type { TimeSpan } from '../time/window.ts';

/** What differences in a window come to, as the service says it of numbers that are stored. */
export function statisticsOfDifference(
  key: string,
  { times, values, starts }: Difference,
  window: TimeSpan,
): KeyStatistics {
  const places = [...times.keys()].filter(
    (at) => (times[at] ?? 0) >= window.from && (times[at] ?? 0) <= window.to,
  );
  const numbers = Float64Array.from(places, (at) => values[at] ?? 0);
  const count = numbers.length;
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const some = <T>(value: T): T | null => (count > 0 ? value : null);
  const sorted = numbers.toSorted();
  const mean = numbers.reduce((sum, value) => sum + value, 0) / count;
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const percentile = (percent: number) =>
    sorted[Math.max(1, Math.ceil((percent * count) / 100)) - 1] ?? Number.NaN;
  const span = ((times[last] ?? 0) - (times[first] ?? 0)) / 1e6;
  return {
    key,
    count,
    texts: 0,
    min: some(sorted[0] ?? 0),
    max: some(sorted.at(-1) ?? 0),
    mean: some(mean),
    sd: count > 1 ? Math.sqrt(squares / (count - 1)) : null,
    p5: some(percentile(5)),
    p95: some(percentile(95)),
    percentiles: 'exact',
    percentile_error: 0,
    first: some(values[first] ?? 0),
    last: some(values[last] ?? 0),
    first_time: some(formatMicros(times[first] ?? 0)),
    last_time: some(formatMicros(times[last] ?? 0)),
    gaps: starts.filter((start) => start > first && start <= last).length,
    longest_gap_us: count > 1 ? longestOf(places.map((at) => times[at] ?? 0)) : null,
    rate_per_s: span > 0 ? (count - 1) / span : null,
    // A difference has no normal range.
    below: null,
    above: null,
  };
}

function longestOf(times: readonly number[]): number {
  let longest = 0;
  for (let i = 1; i < times.length; i++) longest = Math.max(longest, (times[i] ?? 0) - (times[i - 1] ?? 0));
  return longest;
}
