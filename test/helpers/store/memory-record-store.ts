import { StoreError } from '#core/base/errors.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type {
  Batch,
  Columns,
  DeviceSummary,
  KeptRecords,
  KeySummary,
  Page,
  PageQuery,
  RecordStore,
  Series,
  SeriesKey,
  StoredRecord,
  Value,
} from '#core/store/store.ts';
import { byCodeUnits } from '#core/store/blocks/block/row-slice.ts';
import { KeyLimitReached, MOST_KEYS_OF_DEVICE } from '#core/store/store-errors.ts';
import { isReceipt } from '#core/store/receipt.ts';
import { pageJson } from '#core/store/record-json.ts';

interface Device {
  /** In order of arrival. */
  records: StoredRecord[];
  lastSeen: Micros | null;
  purgedAt: Micros | null;
  readonly receipts: Set<string>;
  /** What is kept, oldest first. */
  kept: readonly KeptInMemory[];
}

interface KeptInMemory {
  readonly name: string;
  readonly purge: { readonly at: Micros; readonly before: Micros | null } | null;
  readonly records: readonly StoredRecord[];
}

/** The rules of a record store in their plainest form, for other implementations to be compared with. Keeps nothing. */
export function createMemoryRecordStore(): RecordStore {
  let closed = false;
  const devices = new Map<string, Device>();
  const retired = new Set<string>();
  const batches = new Map<string, AbortController[]>();
  const revisions = new Map<string, number>();
  /** When each record arrived, among all. */
  const arrival = new Map<StoredRecord, number>();

  const checkRetired = (device: string): void => {
    if (retired.has(device)) throw new StoreError('retired', 'The device has been deleted.');
  };

  const find = (device: string): Device =>
    devices.get(device) ?? { records: [], lastSeen: null, purgedAt: null, receipts: new Set(), kept: [] };
  const touch = (device: string): Device => {
    const found = find(device);
    devices.set(device, found);
    return found;
  };
  const revisionOf = (device: string): number => revisions.get(device) ?? 0;
  const revise = (device: string) => void revisions.set(device, revisionOf(device) + 1);
  const checkKeys = (device: string, more: readonly StoredRecord[]): void => {
    const keys = new Set(find(device).records.flatMap((record) => record.keys));
    for (const [index, record] of more.entries())
      for (const key of record.keys) {
        if (!keys.has(key) && keys.size >= MOST_KEYS_OF_DEVICE) throw new KeyLimitReached(index, key);
        keys.add(key);
      }
  };
  const store = (device: string, records: readonly StoredRecord[]): void => {
    // Copies, so that the same one may arrive twice.
    const own = records.map((record) => ({ ...record }));
    for (const record of own) arrival.set(record, arrival.size);
    if (own.length > 0) touch(device).records.push(...own);
  };
  const oldestFirst = (device: string, range: TimeRange = {}): StoredRecord[] =>
    find(device)
      .records.filter((record) => isWithin(record, range))
      .toSorted((a, b) => a.timestamp - b.timestamp);
  const pageOf = (device: string, { offset, limit, range }: PageQuery) => {
    const all = oldestFirst(device, range).toReversed();
    return { total: all.length, records: all.slice(offset, offset + limit) };
  };
  const keysOf = (device: string): KeySummary[] => {
    const { records } = find(device);
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

  const methods: RecordStore = {
    recovery: [],
    threadWork: null,

    async append(device, records, { receipt } = {}) {
      checkRetired(device);
      if (receipt !== undefined && !isReceipt(receipt)) throw new StoreError('io', 'It is no receipt.');
      if (receipt !== undefined && find(device).receipts.has(receipt)) return 'duplicate';
      checkKeys(device, records);
      store(device, records);
      if (records.length === 0) return 'stored';
      const found = touch(device);
      if (receipt !== undefined) found.receipts.add(receipt);
      found.lastSeen = Math.max(...records.map(({ received }) => received));
      return 'stored';
    },

    async batch(device): Promise<Batch> {
      checkRetired(device);
      const added: StoredRecord[] = [];
      const controller = new AbortController();
      const { signal } = controller;
      batches.set(device, [...(batches.get(device) ?? []), controller]);
      return {
        signal,
        async add(records) {
          signal.throwIfAborted();
          checkKeys(device, [...added, ...records]);
          added.push(...records);
        },
        async commit(revision) {
          signal.throwIfAborted();
          if (revision !== undefined && revision !== revisionOf(device)) return false;
          checkKeys(device, added);
          store(device, added);
          if (added.length > 0) revise(device);
          return true;
        },
        async abort() {
          added.length = 0;
        },
      };
    },

    async revision(device) {
      return revisionOf(device);
    },

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
      const { lastSeen, purgedAt } = find(device);
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

    async purge(device, at) {
      checkRetired(device);
      const found = touch(device);
      const { length } = found.records;
      found.records = [];
      revise(device);
      found.purgedAt = at;
      return length;
    },

    async deleteRange(device, range) {
      checkRetired(device);
      const found = touch(device);
      const kept = found.records.filter((record) => !isWithin(record, range));
      const removed = found.records.length - kept.length;
      found.records = kept;
      if (removed > 0) revise(device);
      return removed;
    },

    async keep(device, name, removal) {
      checkRetired(device);
      const found = touch(device);
      const known = found.kept.find((each) => each.name === name);
      if (known) return keptView(known);
      const range = 'range' in removal ? removal.range : {};
      const records = found.records.filter((record) => isWithin(record, range));
      const purge = 'at' in removal ? { at: removal.at, before: found.purgedAt } : null;
      const entry = { name, purge, records };
      if (purge === null && records.length === 0) return keptView(entry);
      found.kept = [...found.kept, entry];
      revise(device);
      found.records = found.records.filter((record) => !records.includes(record));
      if (purge !== null) found.purgedAt = purge.at;
      return keptView(entry);
    },

    async restore(device, name) {
      checkRetired(device);
      const found = find(device);
      const entry = found.kept.find((each) => each.name === name);
      if (!entry) return false;
      checkKeys(device, entry.records);
      found.kept = found.kept.filter((each) => each !== entry);
      revise(device);
      const inOrder = (record: StoredRecord) => arrival.get(record) ?? 0;
      found.records = [...found.records, ...entry.records].toSorted((a, b) => inOrder(a) - inOrder(b));
      if (entry.purge && entry.purge.at === found.purgedAt) found.purgedAt = entry.purge.before;
      return true;
    },

    async discard(device, name) {
      const found = find(device);
      const left = found.kept.filter((each) => each.name !== name);
      const isGone = left.length < found.kept.length;
      found.kept = left;
      return isGone;
    },

    async kept(device) {
      return find(device).kept.map(keptView);
    },

    async revive(device) {
      retired.delete(device);
    },

    async retire(device) {
      retired.add(device);
      const reason = new StoreError('retired', 'The device has been deleted.');
      for (const batch of batches.get(device) ?? []) batch.abort(reason);
      batches.delete(device);
    },

    async drop(device) {
      const gone = devices.get(device)?.records.length ?? 0;
      devices.delete(device);
      revise(device);
      return gone;
    },

    async check(device) {
      const records = device === null ? 0 : (devices.get(device)?.records.length ?? 0);
      return Promise.resolve({ files: 0, records, bytes: 0, findings: [] });
    },

    async isEmpty(device) {
      const { records, kept } = find(device);
      return records.length === 0 && kept.every((each) => each.records.length === 0);
    },

    async devices() {
      return [...devices.keys()];
    },

    async close() {
      closed = true;
    },
  };
  return new Proxy(methods, {
    get: (target, name) => (closed && name !== 'close' ? refuse : (Reflect.get(target, name) as unknown)),
  });
}

function keptView({ name, records }: KeptInMemory): KeptRecords {
  const times = records.map(({ timestamp }) => timestamp);
  const [first = null, last = first] = [Math.min(...times), Math.max(...times)].filter(Number.isFinite);
  return { name, records: records.length, bytes: 0, first, last };
}

const refuse = () => Promise.reject(new StoreError('closed', 'The data store is closed.'));

function isWithin({ timestamp }: StoredRecord, { start = -Infinity, end = Infinity }: TimeRange): boolean {
  return timestamp >= start && timestamp <= end;
}

function valueOf(record: StoredRecord, key: string): Value | undefined {
  const at = record.keys.indexOf(key);
  return at < 0 ? undefined : record.values[at];
}

function numberOf(record: StoredRecord, key: string): number | undefined {
  const value = valueOf(record, key);
  return typeof value === 'string' || value === undefined ? undefined : Number(value);
}

/** The column of pixels of an instant, by the rule in store.ts; BigInt, because the product exceeds 2^53. */
function columnOf(instant: Micros, { start, end }: Required<TimeRange>, width: number): number {
  return Number(((BigInt(instant) - BigInt(start)) * BigInt(width)) / (BigInt(end) - BigInt(start) + 1n));
}

function seriesKey(
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
