import { StoreError } from '#core/base/errors.ts';
import type { TimeRange } from '#shared/values/time.ts';
import { nameTaken, notKept } from '#core/store/store-errors.ts';
import type { Batch, KeptRecords, RecordStore, StoredRecord } from '#core/store/store.ts';
import { isReceipt } from '#core/store/receipt.ts';
import { createMemoryDevices, isWithin, type DeviceInMemory, type KeptInMemory } from './memory-devices.ts';
import { memoryReads } from './memory-reads.ts';

/** The rules of a record store in their plainest form, for other implementations to be compared with. Keeps nothing. */
export function createMemoryRecordStore(): RecordStore {
  let closed = false;
  const memory = createMemoryDevices();
  const { devices, retired, batches, arrival } = memory;
  const { checkRetired, find, touch, revisionOf, revise, checkKeys, store } = memory;
  const takeOut = (
    found: DeviceInMemory,
    { name, purge, range }: Pick<KeptInMemory, 'name' | 'purge'> & { readonly range: TimeRange },
  ): KeptInMemory => {
    const entry = { name, purge, records: found.records.filter((record) => isWithin(record, range)) };
    found.kept = [...found.kept, entry];
    found.records = found.records.filter((record) => !isWithin(record, range));
    if (purge !== null) found.purgedAt = purge.at;
    return entry;
  };
  const putBack = (found: DeviceInMemory, entry: KeptInMemory): void => {
    found.kept = found.kept.filter((each) => each !== entry);
    const inOrder = (record: StoredRecord) => arrival.get(record) ?? 0;
    found.records = [...found.records, ...entry.records].toSorted((a, b) => inOrder(a) - inOrder(b));
    if (entry.purge && entry.purge.at === found.purgedAt) found.purgedAt = entry.purge.before;
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
        async replace({ name, range, revision, expected, back }) {
          signal.throwIfAborted();
          if (revision !== revisionOf(device)) return false;
          const found = find(device);
          if (found.kept.some((each) => each.name === name)) throw nameTaken(name);
          const entry = back === undefined ? null : found.kept.find((each) => each.name === back);
          if (entry === undefined) throw notKept(back ?? '');
          if (found.records.filter((record) => isWithin(record, range)).length !== expected) return false;
          const comes = [...(entry?.records ?? []), ...added];
          checkKeys(device, comes);
          if (expected + comes.length > 0) revise(device);
          if (expected > 0) takeOut(found, { name, purge: null, range });
          if (entry) putBack(found, entry);
          store(device, added);
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

    ...memoryReads(memory),

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
      const purge = 'at' in removal ? { at: removal.at, before: found.purgedAt } : null;
      const isKept = purge !== null || found.records.some((record) => isWithin(record, range));
      if (!isKept) return keptView({ name, purge, records: [] });
      revise(device);
      return keptView(takeOut(found, { name, purge, range }));
    },

    async restore(device, name) {
      checkRetired(device);
      const found = find(device);
      const entry = found.kept.find((each) => each.name === name);
      if (!entry) return false;
      checkKeys(device, entry.records);
      revise(device);
      putBack(found, entry);
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

    async *scanKept(device, name) {
      yield [...(find(device).kept.find((each) => each.name === name)?.records ?? [])];
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
      const { records: own, kept } = device === null ? { records: [], kept: [] } : find(device);
      const records = kept.reduce((sum, each) => sum + each.records.length, own.length);
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
