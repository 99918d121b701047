import type { SeriesPicture } from '#shared/wire.ts';

/** A record as charts see it: µs, and a number per key, NaN where it has none. */
export interface Point {
  readonly time: number;
  readonly values: readonly number[];
}

/** What the service answers for these records (oldest first), by the words of shared/pixel-columns.ts and the slow way. */
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
  const numbers = (key: number) =>
    columns.map((rows) =>
      rows.map(({ values }) => values[key] ?? NaN).filter((value) => !Number.isNaN(value)),
    );
  const pick = (lists: readonly number[][], of: (list: number[]) => number | undefined) =>
    Float64Array.from(lists, (list) => (list.length > 0 ? (of(list) ?? NaN) : NaN));
  return {
    start,
    end,
    width,
    keys: keys.map((key, index) => {
      const lists = numbers(index);
      return {
        key,
        counts: Float64Array.from(lists, (list) => list.length),
        min: pick(lists, (list) => Math.min(...list)),
        max: pick(lists, (list) => Math.max(...list)),
        first: pick(lists, (list) => list[0]),
        last: pick(lists, (list) => list.at(-1)),
      };
    }),
  };
}
