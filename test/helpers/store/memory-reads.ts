import type {
  Columns,
  DeviceSummary,
  KeySummary,
  Page,
  RecordStore,
  Series,
  Viewed,
} from '#core/store/store.ts';
import { byCodeUnits } from '#core/store/blocks/block/row-slice.ts';
import { pageJson } from '#core/store/record-json.ts';
import type { MemoryDevices } from './memory-devices.ts';
import { derivedCounts, withoutDerived } from './memory-corrections.ts';
import { numberOf, seriesKey, valueOf } from './memory-series.ts';

type Reads = Pick<
  RecordStore,
  | 'page'
  | 'columns'
  | 'scan'
  | 'count'
  | 'countWith'
  | 'within'
  | 'keys'
  | 'summary'
  | 'extents'
  | 'lastSeen'
  | 'latest'
  | 'series'
  | 'intervals'
  | 'readings'
>;

/** Reads of the naive record store. */
export function memoryReads({ find, oldestFirst, pageOf }: MemoryDevices): Reads {
  const keysOf = (device: Viewed): KeySummary[] => {
    if (typeof device !== 'string') {
      const counted = countedKeys(withoutDerived(device));
      return [...counted, ...derivedCounts(device.lens, counted)].toSorted((a, b) =>
        byCodeUnits(a.key, b.key),
      );
    }
    return countedKeys(device);
  };
  const countedKeys = (device: Viewed): KeySummary[] => {
    const records = oldestFirst(device);
    const keys = [...new Set(records.flatMap((record) => record.keys))].toSorted(byCodeUnits);
    return keys.map((key) => {
      const values = records.flatMap((record) => valueOf(record, key) ?? []);
      return {
        key,
        count: values.length,
        numeric: values.filter((value) => typeof value !== 'string').length,
      };
    });
  };

  return {
    async page(device, query): Promise<Page> {
      const { total, records } = pageOf(device, query);
      return { total, json: pageJson(records, query.keys) };
    },

    async columns(device, query): Promise<Columns> {
      const { total, records } = pageOf(device, query);
      return {
        total,
        timestamps: Float64Array.from(records, ({ timestamp }) => timestamp),
        columns: query.keys.map((key) =>
          Float64Array.from(records, (record) => numberOf(record, key) ?? Number.NaN),
        ),
      };
    },

    async *scan(device, range) {
      const records = oldestFirst(device, range);
      if (records.length > 0) yield records;
    },

    async count(device, range) {
      return oldestFirst(device, range).length;
    },

    async countWith(device, range, keys) {
      const asked = new Set(keys);
      return oldestFirst(device, range).filter((record) => record.keys.some((key) => asked.has(key))).length;
    },

    async within(device, range) {
      const records = oldestFirst(device, range);
      return {
        records: records.length,
        first: records[0]?.timestamp ?? null,
        last: records.at(-1)?.timestamp ?? null,
      };
    },

    async keys(device) {
      return keysOf(device).map(({ key }) => key);
    },

    async summary(device): Promise<DeviceSummary> {
      const { lastSeen, purgedAt } = find(typeof device === 'string' ? device : device.device);
      const records = oldestFirst(device);
      return {
        records: records.length,
        first: records[0]?.timestamp ?? null,
        last: records.at(-1)?.timestamp ?? null,
        lastSeen,
        purgedAt,
        bytes: 0,
        keys: keysOf(device),
      };
    },

    async extents(asked) {
      return asked.map((device) => {
        const records = oldestFirst(device);
        return {
          records: records.length,
          first: records[0]?.timestamp ?? null,
          last: records.at(-1)?.timestamp ?? null,
          bytes: 0,
        };
      });
    },

    async lastSeen(asked) {
      return asked.map((device) => find(device).lastSeen);
    },

    async latest(asked) {
      return asked.map(({ device, keys }) => {
        const newestFirst = oldestFirst(device).toReversed();
        const recent = newestFirst.slice(0, 16).flatMap((one) => one.keys.toSorted(byCodeUnits));
        return (keys ?? [...new Set(recent)]).flatMap((key) => {
          const last = newestFirst.find((one) => one.keys.includes(key));
          const value = last && valueOf(last, key);
          return value === undefined ? [] : [{ key, value, timestamp: last?.timestamp ?? 0 }];
        });
      });
    },

    async series(device, { range, keys, width }): Promise<Series> {
      const records = oldestFirst(device, range);
      const all = oldestFirst(device);
      return { ...range, width, keys: keys.map((key) => seriesKey(key, records, all, range, width)) };
    },

    async readings(device, { query: { key, range }, begin }) {
      const all = oldestFirst(device).flatMap((one) => {
        const value = valueOf(one, key);
        return typeof value === 'number' ? [{ time: one.timestamp, value }] : [];
      });
      const held = all.findLast(({ time }) => time < range.start);
      const into = begin();
      if (held) into.one(held.time, held.value);
      for (const { time, value } of all) if (time >= range.start) into.one(time, value);
      return into;
    },

    async intervals(device, keys) {
      const records = oldestFirst(device);
      return keys.map((key) => {
        const times = records
          .filter((one) => numberOf(one, key) !== undefined)
          .map(({ timestamp }) => timestamp);
        const intervals = times
          .map((time, i) => time - (times[i - 1] ?? time))
          .filter((interval) => interval > 0);
        return intervals.toSorted((a, b) => a - b)[(intervals.length - 1) >> 1] ?? Number.NaN;
      });
    },
  };
}
