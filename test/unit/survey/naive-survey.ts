import type { Rate } from '#shared/domain/rates.ts';
import type { KeyStatistics, NormalRange } from '#core/survey/statistics.ts';
import type { StateRun } from '#core/survey/state-runs.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import type { TimeRange } from '#shared/values/time.ts';

/* What records come to, worked out the plainest way over all of them. */

export interface Reading {
  readonly time: number;
  readonly value: Value;
}

/** The readings of a key, oldest first. */
export function readingsOf(records: readonly StoredRecord[], key: string): Reading[] {
  return records
    .toSorted((a, b) => a.timestamp - b.timestamp)
    .flatMap(({ timestamp, keys, values }) => {
      const value = values[keys.indexOf(key)];
      return value === undefined ? [] : { time: timestamp, value };
    });
}

const within = ({ start = -Infinity, end = Infinity }: TimeRange) => {
  return ({ time }: Reading) => time >= start && time <= end;
};

export function naiveStatistics(
  readings: readonly Reading[],
  range: TimeRange,
  pause: number | null,
  { low, high }: NormalRange,
): KeyStatistics {
  const inside = readings.filter(within(range));
  const points = inside.flatMap(({ time, value }) =>
    typeof value === 'string' ? [] : { time, value: Number(value) + 0 },
  );
  const numbers = points.map(({ value }) => value);
  // Booleans are never outside.
  const values = inside.flatMap(({ value }) => (typeof value === 'number' ? value : []));
  const sorted = numbers.toSorted((a, b) => a - b);
  const silences = points.slice(1).map(({ time }, i) => time - points[i]!.time);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const percentile = (percent: number) =>
    sorted.find(
      (value) => sorted.filter((other) => other <= value).length * 100 >= percent * sorted.length,
    ) ?? null;
  return {
    count: numbers.length,
    texts: inside.length - points.length,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: numbers.length > 0 ? mean : null,
    sd: numbers.length > 1 ? Math.sqrt(squares / (numbers.length - 1)) : null,
    p5: percentile(5),
    p95: percentile(95),
    percentileError: 0,
    first: numbers[0] ?? null,
    last: numbers.at(-1) ?? null,
    firstTime: points[0]?.time ?? null,
    lastTime: points.at(-1)?.time ?? null,
    gaps: pause === null ? 0 : silences.filter((silence) => silence > pause).length,
    longestSilence: silences.length > 0 ? Math.max(...silences) : null,
    below: low === null ? null : values.filter((value) => value < low).length,
    above: high === null ? null : values.filter((value) => value > high).length,
  };
}

/** Differences per time: each number with the one before it, however long before. */
export function naiveRates(readings: readonly Reading[], { per, falls }: Rate) {
  const points = readings.flatMap(({ time, value }) =>
    typeof value === 'string' ? [] : { time, value: Number(value) },
  );
  const seconds = { s: 1, min: 60, h: 3_600, d: 86_400 }[per];
  return points.slice(1).flatMap(({ time, value }, i) => {
    const before = points[i]!;
    const step = value - before.value;
    const onward = typeof falls === 'number' ? step + falls : NaN;
    const isWrap = step < 0 && value >= 0 && before.value < Number(falls) && onward < Number(falls) / 2;
    const isReset = step < 0 && falls !== 'fall' && !isWrap;
    const rate = (isWrap ? onward : step) * ((seconds * 1e6) / (time - before.time));
    return { time, isWrap, isReset, rate: isReset || time === before.time ? null : rate };
  });
}

/** What each column of pixels holds of points, the plainest way. */
export function naiveColumns(
  points: readonly { readonly time: number; readonly value: number }[],
  range: Required<TimeRange>,
  width: number,
) {
  const columns = Array.from({ length: width }, () => [] as (typeof points)[number][]);
  for (const point of points) columns[columnOf(point.time, range, width)]?.push(point);
  return columns.map((held) => {
    const values = held.map(({ value }) => value);
    const [first, last] = [held[0], held.at(-1)];
    return {
      count: held.length,
      min: held.length > 0 ? Math.min(...values) : NaN,
      max: held.length > 0 ? Math.max(...values) : NaN,
      first: first?.value ?? NaN,
      last: last?.value ?? NaN,
      firstTime: first?.time ?? NaN,
      lastTime: last?.time ?? NaN,
    };
  });
}

const columnOf = (time: number, { start, end }: Required<TimeRange>, width: number) =>
  Number(((BigInt(time) - BigInt(start)) * BigInt(width)) / (BigInt(end) - BigInt(start) + 1n));

/** Every run of equal values, whether or not it can be seen; a number is no value. */
function allRuns(readings: readonly Reading[], { start, end }: Required<TimeRange>): StateRun[] {
  const inside = readings.filter(within({ start, end }));
  const held = readings.findLast(({ time }) => time < start);
  const heard = held === undefined ? inside : [held, ...inside];
  const first = heard.filter(({ value }, i) => i === 0 || value !== heard[i - 1]!.value);
  return first.flatMap(({ time, value }, i) => {
    const next = first[i + 1];
    const isReplaced = time < start && next?.time === start;
    if (typeof value === 'number' || isReplaced) return [];
    return {
      from: Math.max(time, start),
      to: next?.time ?? end,
      value,
      changes: 0,
      from_known: time >= start,
      to_known: next !== undefined,
    };
  });
}

export function naiveRuns(
  readings: readonly Reading[],
  range: Required<TimeRange>,
  width: number,
): StateRun[] {
  const runs: StateRun[] = [];
  /** The column of the last run where that began and ended in it. */
  let column: number | null = null;
  for (const run of allRuns(readings, range)) {
    const from = columnOf(run.from, range, width);
    const isShort = from === columnOf(run.to, range, width);
    const last = runs.at(-1);
    if (isShort && column === from && last !== undefined)
      runs[runs.length - 1] = {
        ...last,
        to: run.to,
        to_known: run.to_known,
        value: null,
        changes: last.changes + 1,
      };
    else runs.push(run);
    column = isShort ? from : null;
  }
  return runs;
}
