import { StoreError } from '#core/base/errors.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import { formersOf, type PageQuery, type StoredRecord, type Viewed } from '#core/store/store.ts';
import { KeyLimitReached, MOST_KEYS_OF_DEVICE } from '#core/store/store-errors.ts';
import { correctedRecords, withoutDerived } from './memory-corrections.ts';

export interface DeviceInMemory {
  /** In order of arrival. */
  records: StoredRecord[];
  lastSeen: Micros | null;
  purgedAt: Micros | null;
  readonly receipts: Set<string>;
  /** What is kept, oldest first. */
  kept: readonly KeptInMemory[];
}

export interface KeptInMemory {
  readonly name: string;
  readonly purge: { readonly at: Micros; readonly before: Micros | null } | null;
  readonly records: readonly StoredRecord[];
}

/** Devices of the naive record store, and what its rules ask of them. */
export function createMemoryDevices() {
  const devices = new Map<string, DeviceInMemory>();
  const retired = new Set<string>();
  const batches = new Map<string, AbortController[]>();
  const revisions = new Map<string, number>();
  /** When each record arrived, among all. */
  const arrival = new Map<StoredRecord, number>();

  const checkRetired = (device: string): void => {
    if (retired.has(device)) throw new StoreError('retired', 'The device has been deleted.');
  };

  const find = (device: string): DeviceInMemory =>
    devices.get(device) ?? { records: [], lastSeen: null, purgedAt: null, receipts: new Set(), kept: [] };
  const touch = (device: string): DeviceInMemory => {
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
  const storedFirst = (device: string): StoredRecord[] =>
    find(device).records.toSorted((a, b) => a.timestamp - b.timestamp);
  const viewOf = (viewed: Viewed): StoredRecord[] => {
    if (typeof viewed === 'string') return storedFirst(viewed);
    const { device, lens } = viewed;
    // Derived keys are of the device that is read.
    const formers = formersOf(viewed).map((each) => viewOf(withoutDerived(each)));
    return correctedRecords(lens, storedFirst(device), formers);
  };
  const oldestFirst = (viewed: Viewed, range: TimeRange = {}): StoredRecord[] =>
    viewOf(viewed).filter((record) => isWithin(record, range));
  const pageOf = (viewed: Viewed, { offset, limit, range }: PageQuery) => {
    const all = oldestFirst(viewed, range).toReversed();
    return { total: all.length, records: all.slice(offset, offset + limit) };
  };

  return {
    devices,
    retired,
    batches,
    arrival,
    checkRetired,
    find,
    touch,
    revisionOf,
    revise,
    checkKeys,
    store,
    oldestFirst,
    pageOf,
  };
}

export type MemoryDevices = ReturnType<typeof createMemoryDevices>;

export function isWithin(
  { timestamp }: StoredRecord,
  { start = -Infinity, end = Infinity }: TimeRange,
): boolean {
  return timestamp >= start && timestamp <= end;
}
