import type { SeriesPicture } from '#shared/bridge/wire.ts';

/** A record as charts see it: µs, and a number per key, NaN where it has none. */
export interface Point {
  readonly time: number;
  readonly values: readonly number[];
}

/**
 * What the service answers for these records (oldest first), by the words of shared/values/pixel-columns.ts and the slow way.
 */
export function seriesOf(
  records: readonly Point[],
  keys: readonly string[],
  start: number,
  end: number,
  width: number,
): SeriesPicture {
  const columns = Array.from({ length: width }, (_, column) =>
    records.filter(
      ({ time }) =>
        time >= start && time <= end && Math.floor(((time - start) * width) / (end - start + 1)) === column,
    ),
  );
  const readingsOf = (rows: readonly Point[], key: number) =>
    rows
      .map(({ time, values }) => ({ instant: time, value: values[key] ?? Number.NaN }))
      .filter(({ value }) => !Number.isNaN(value));
  type Reading = ReturnType<typeof readingsOf>[number];
  const pick = (lists: readonly Reading[][], of: (list: Reading[]) => number | undefined) =>
    Float64Array.from(lists, (list) => (list.length > 0 ? (of(list) ?? NaN) : NaN));
  const valuesOf = (list: Reading[]) => list.map(({ value }) => value);
  return {
    start,
    end,
    width,
    keys: keys.map((key, index) => {
      const all = readingsOf(records, index);
      const lists = columns.map((rows) => readingsOf(rows, index));
      const intervals = all
        .map(({ instant }, i) => instant - (all[i - 1]?.instant ?? instant))
        .filter((interval) => interval > 0)
        .toSorted((a, b) => a - b);
      return {
        key,
        interval: intervals[(intervals.length - 1) >> 1] ?? null,
        before: all.findLast(({ instant }) => instant < start) ?? null,
        after: all.find(({ instant }) => instant > end) ?? null,
        counts: Uint32Array.from(lists, (list) => list.length),
        min: pick(lists, (list) => Math.min(...valuesOf(list))),
        max: pick(lists, (list) => Math.max(...valuesOf(list))),
        first: pick(lists, (list) => list[0]?.value),
        last: pick(lists, (list) => list.at(-1)?.value),
        firstTimes: pick(lists, (list) => list[0]?.instant),
        lastTimes: pick(lists, (list) => list.at(-1)?.instant),
      };
    }),
  };
}
