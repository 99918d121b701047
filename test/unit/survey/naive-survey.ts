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
  const columnOf = (time: number) =>
    Number(
      ((BigInt(time) - BigInt(range.start)) * BigInt(width)) / (BigInt(range.end) - BigInt(range.start) + 1n),
    );
  const runs: StateRun[] = [];
  /** The column of the last run where that began and ended in it. */
  let column: number | null = null;
  for (const run of allRuns(readings, range)) {
    const from = columnOf(run.from);
    const isShort = from === columnOf(run.to);
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
