import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { PageQuery, RecordStore, StoredRecord, ThreadWork, Value, Viewed } from '#core/store/store.ts';

/** A store in a folder of its own, fresh for each test. */
export interface Harness {
  readonly store: RecordStore;
  /** Closes the store and opens its folder again. */
  reopen(): Promise<void>;
}

/** What a driver says that it can; the suite runs where it can, and expects nothing where it cannot. */
export interface Supports {
  /** What is stored outlives a close. */
  readonly durable: boolean;
  /** Worker threads pack its imports and read its exports: opened with threads it offers `threadWork`. */
  readonly threads: boolean;
}

/** What threads may do for a store that supports them. */
export function threadWorkOf({ threadWork }: RecordStore): ThreadWork {
  if (threadWork === null)
    throw new Error('The store says that it supports threads, and offers no work for them.');
  return threadWork;
}

/** A record received a second after its time. */
export function record(timestamp: Micros, fields: Record<string, Value> = { n: timestamp }): StoredRecord {
  return {
    timestamp,
    received: timestamp + 1_000_000,
    keys: Object.keys(fields),
    values: Object.values(fields),
  };
}

/** Records of one key `n` that count up from `first`, a millisecond apart. */
export function counting(first: number, length: number): StoredRecord[] {
  return Array.from({ length }, (_, i) => record((first + i) * 1000, { n: first + i }));
}

/** The bytes of a page as text. */
export async function pageText(store: RecordStore, device: Viewed, query: PageQuery): Promise<string> {
  const { json } = await store.page(device, query);
  if (json instanceof Uint8Array) return Buffer.from(json).toString();
  const pieces: Uint8Array[] = [];
  for await (const piece of json) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The values of `n` on a page. */
export async function pageOfN(
  store: RecordStore,
  device: string,
  query: Partial<PageQuery> = {},
): Promise<unknown[]> {
  const rows = JSON.parse(await pageText(store, device, { offset: 0, limit: 10_000, ...query })) as {
    n: unknown;
  }[];
  return rows.map(({ n }) => n);
}

export async function scanned(
  store: RecordStore,
  device: Viewed,
  range?: TimeRange,
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const batch of store.scan(device, range)) records.push(...batch);
  return records;
}
