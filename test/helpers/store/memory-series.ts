import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { SeriesKey, StoredRecord, Value } from '#core/store/store.ts';

export function valueOf(record: StoredRecord, key: string): Value | undefined {
  const at = record.keys.indexOf(key);
  return at < 0 ? undefined : record.values[at];
}

export function numberOf(record: StoredRecord, key: string): number | undefined {
  const value = valueOf(record, key);
  return typeof value === 'string' || value === undefined ? undefined : Number(value);
}

/** The column of pixels of an instant, by the rule in store.ts; BigInt, because the product exceeds 2^53. */
function columnOf(instant: Micros, { start, end }: Required<TimeRange>, width: number): number {
  return Number(((BigInt(instant) - BigInt(start)) * BigInt(width)) / (BigInt(end) - BigInt(start) + 1n));
}

/** What a chart shows of a key, from all its readings. */
export function seriesKey(
  key: string,
  records: readonly StoredRecord[],
  all: readonly StoredRecord[],
  range: Required<TimeRange>,
  width: number,
): SeriesKey {
  const columns = Array.from({ length: width }, (): number[] => []);
  const times = Array.from({ length: width }, (): number[] => []);
  for (const one of records) {
    const value = numberOf(one, key);
    if (value === undefined) continue;
    const column = columnOf(one.timestamp, range, width);
    // -0 + 0 is 0.
    columns[column]?.push(value + 0);
    times[column]?.push(one.timestamp);
  }
  const reduce = (pick: (values: number[]) => number | undefined, lists = columns) =>
    Float64Array.from(lists, (values) => (values.length === 0 ? Number.NaN : (pick(values) ?? Number.NaN)));
  const reading = (one: StoredRecord | undefined) =>
    one === undefined ? null : { instant: one.timestamp, value: (numberOf(one, key) ?? Number.NaN) + 0 };
  const drawn = all.filter((one) => numberOf(one, key) !== undefined);
  return {
    key,
    counts: Uint32Array.from(columns, (values) => values.length),
    min: reduce((values) => values.reduce((least, value) => (value < least ? value : least))),
    max: reduce((values) => values.reduce((most, value) => (value > most ? value : most))),
    first: reduce((values) => values[0]),
    last: reduce((values) => values.at(-1)),
    firstTimes: reduce((instants) => instants[0], times),
    lastTimes: reduce((instants) => instants.at(-1), times),
    before: reading(drawn.findLast(({ timestamp }) => timestamp < range.start)),
    after: reading(drawn.find(({ timestamp }) => timestamp > range.end)),
  };
}
