import { StoreError } from '#core/base/errors.ts';
import type { RecordStore, Replacement, StoredRecord } from '#core/store/store.ts';

export const ALL = { start: 0, end: 10_000_000 };

/** The change of a device as it is now. */
export async function changeOf(
  store: RecordStore,
  device: string,
  change: Pick<Replacement, 'name' | 'range' | 'back'>,
): Promise<Replacement> {
  const [revision, expected] = [await store.revision(device), await store.count(device, change.range)];
  return { ...change, revision, expected };
}

/** Replaces what the device holds now. */
export async function replace(
  store: RecordStore,
  records: readonly StoredRecord[],
  change: Pick<Replacement, 'name' | 'back'> & Partial<Replacement>,
  device = 'd',
): Promise<boolean> {
  const batch = await store.batch(device);
  await batch.add(records);
  return batch.replace({ ...(await changeOf(store, device, { range: ALL, ...change })), ...change });
}

/** A record with the same times and another value. */
export const again = ({ timestamp, received, values: [n = 0] }: StoredRecord): StoredRecord => ({
  timestamp,
  received,
  keys: ['m', 'n'],
  values: [true, `${String(n)}'`],
});

export const keptIn = async (store: RecordStore) =>
  (await store.kept('d')).map(({ name, records, first, last }) => [name, records, first, last]);

/** Whether a replacement was refused for its names: then nothing was changed. */
export const isRefusedName = (error: unknown): error is StoreError =>
  error instanceof StoreError && /^(Records|No records) are kept under /.test(error.message);
