import type { REPAIRS } from '#shared/operations/service/storage.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { MonotonicMs } from '../base/machine-clock.ts';
import type { Threads } from '../threads/threads.ts';
import type {
  StoredRecord,
  PageQuery,
  Page,
  Columns,
  Series,
  Extent,
  KeptRecords,
  DeviceSummary,
  LatestValue,
  LatestQuery,
  ReadingsAsked,
  TakeReadings,
} from './records.ts';
import type { Viewed } from './lens.ts';
import type { Batch } from './packed.ts';
import type { ThreadWork } from './thread-work.ts';

export * from './lens.ts';
export type * from './packed.ts';
export type * from './records.ts';
export * from './thread-work.ts';

/*
 * What the service asks of a store of device records. Implementations: the append log (store/log), a database that
 * services share (store/postgres) and, in tests, a naive in-memory model. test/suites/record-store.ts holds the rules below
 * and runs against each of them.
 */

export interface AppendOptions {
  readonly receipt?: string | undefined;
  /** Until when the sender waits, where a store may take long to answer: it rejects with `unreachable` then. */
  readonly untilMs?: MonotonicMs | undefined;
}

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets the bytes read since it was called last. */
  readonly progress?: ((bytes: number) => void) | undefined;
}

/** Totals of a check. */
export interface StoredCheck {
  readonly files: number;
  readonly records: number;
  readonly bytes: number;
  readonly findings: readonly DamagedFile[];
}

/** Damaged file. */
export interface DamagedFile {
  readonly device: string | null;
  /** Relative to the folder of the records. */
  readonly file: string;
  readonly message: string;
  /** Whether records are lost by it; what can be rebuilt costs none. */
  readonly loses: boolean;
}

/** Recovery note: a finding or repair of a start, for the log and the service screen. */
export interface RecoveryNote {
  readonly device: string | null;
  readonly kind: (typeof REPAIRS)[number];
  readonly message: string;
}

/**
 * `device` is a device id: [0-9a-zA-Z-]+. A device that never stored anything is simply empty. What reads records takes a device
 * through a lens, too. Errors: `StoreError`
 * of core/base/errors.ts (`disk-full`, `read-only`, `io`, `poisoned`, `damaged`, `newer-format`, `unreachable`, `retired`, `closed`).
 */
export interface RecordStore {
  /** Null: records are packed and read in this thread alone. */
  readonly threadWork: ThreadWork | null;
  /**
   * Stores records that came from a device itself. Resolves once they are fsynced and readable: calls under way share one
   * fsync. With a `receipt`, 1 to 255 visible ASCII characters, what was stored with the same one on the same device is
   * not stored again: it resolves with `duplicate`, once the first is durable, whatever the records are. Where the first
   * fails the next one stores. A receipt is durable with its records, at once or not at all; it outlives a purge and a
   * range delete, not a `drop`; at least the last 1,000 of a device are remembered. No records leave no receipt.
   * Rejects with KeyLimitReached (store-errors.ts) where a record brings a device one key too many: nothing is stored.
   */
  append(
    device: string,
    records: readonly StoredRecord[],
    options?: AppendOptions,
  ): Promise<'stored' | 'duplicate'>;
  /** Costs nothing until something is added. */
  batch(device: string): Promise<Batch>;
  /**
   * Resolves with a number that changes when any process commits a batch, removes records or puts them back; `append` leaves
   * it. A caller that reads it, then the records, and commits with it, adds to what it saw (optimistic concurrency).
   */
  revision(device: string): Promise<number>;
  page(device: Viewed, query: PageQuery): Promise<Page>;
  columns(device: Viewed, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns>;
  /** Every record of the range, oldest first (equal timestamps: earliest arrival first), in batches; a consistent view. */
  scan(device: Viewed, range?: TimeRange): AsyncIterable<readonly StoredRecord[]>;
  count(device: Viewed, range?: TimeRange): Promise<number>;
  /** How many records of the range have any of the keys. Read where the tables do not say it; rejects as the signal's reason. */
  countWith(device: Viewed, range: TimeRange, keys: readonly string[], signal?: AbortSignal): Promise<number>;
  /** How many records lie in the range, and the times of the oldest and the newest of them. Cheap, whatever lies in it. */
  within(device: Viewed, range: TimeRange): Promise<Omit<Extent, 'bytes'>>;
  /** Distinct keys in UTF-16 code unit order, of the moment it is asked; rejects as the signal's reason. */
  keys(device: Viewed, signal?: AbortSignal): Promise<readonly string[]>;
  /** Of the moment it is asked; rejects as the signal's reason. */
  summary(device: Viewed, signal?: AbortSignal): Promise<DeviceSummary>;
  /** How much each holds, in the order asked. Cheap for thousands of devices. */
  extents(devices: readonly Viewed[]): Promise<readonly Extent[]>;
  /** When something last came from each device itself, in the order asked; null for never. Cheap for thousands of devices. */
  lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]>;
  /** The last value of each asked key that a device has, in the order asked. Cheap for thousands of devices. */
  latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]>;
  series(
    device: Viewed,
    query: { readonly range: Required<TimeRange>; readonly keys: readonly string[]; readonly width: number },
  ): Promise<Series>;
  /**
   * The usual interval of each key in µs, in the order asked: the median of what lies between one of its numbers and the
   * next, all its records considered and those at one instant left out; NaN where it has no two. Long recordings are
   * sampled, and records that came late count apart from the others until they are merged.
   */
  intervals(device: Viewed, keys: readonly string[]): Promise<readonly number[]>;
  /**
   * Hands on the readings of a key: the newest one before the range, those in it, and at least one behind it, where there are
   * any, until it is over. A consistent view. Resolves with who took them; rejects as the signal's reason.
   */
  readings<T extends TakeReadings>(device: Viewed, asked: ReadingsAsked<T>): Promise<T>;
  /** Removes every record; keeps `lastSeen`. `at` becomes `purgedAt`. Resolves with how many records went. */
  purge(device: string, at: Micros): Promise<number>;
  /** Removes the records of the range; resolves with how many went. */
  deleteRange(device: string, range: TimeRange): Promise<number>;
  /**
   * Removes every record, as a purge at `at` does, or those of a range, and keeps them under a name (letters, digits, "-"),
   * so that they can come back; at once, or not at all. Where that name is kept already nothing is removed. Resolves with
   * what is kept. What is kept is in no answer but `kept`, outlives a purge and a range delete, and goes with a `drop`.
   */
  keep(
    device: string,
    name: string,
    removal: { readonly range: TimeRange } | { readonly at: Micros },
  ): Promise<KeptRecords>;
  /**
   * Puts back what is kept under a name, in its place among records of equal times, whatever was stored or removed since;
   * `purgedAt` is what it was, unless the device was purged again. Resolves with false where nothing is kept under it.
   * Rejects with KeyLimitReached (store-errors.ts) where the device would have too many keys: everything is as it was.
   */
  restore(device: string, name: string): Promise<boolean>;
  /** Removes what is kept under a name for good. Resolves with false where nothing is. */
  discard(device: string, name: string): Promise<boolean>;
  /** Resolves with soft-deleted records, oldest first. */
  kept(device: string): Promise<readonly KeptRecords[]>;
  /** The records that are kept under a name, as `scan` has them; none where nothing is. It is not put back or discarded meanwhile. */
  scanKept(device: string, name: string): AsyncIterable<readonly StoredRecord[]>;
  /**
   * Ends what is being written to a device, and refuses whatever is to be written to it from then on with `retired`, also
   * after a `drop` and for as long as the store is open, unless it is revived. Batches under way are
   * aborted, appends under way end as they would have. Resolves when nothing is under way; what is there can be read until
   * it is dropped. May be called again.
   */
  retire(device: string): Promise<void>;
  /** Takes a `retire` back. Of a device that is not retired it is without effect. */
  revive(device: string): Promise<void>;
  /** Removes every trace of a device. Resolves with how many records went; nothing to remove is fine. */
  drop(device: string): Promise<number>;
  /** Whether nothing that was stored is left of a device, not even a damaged piece of it. */
  isEmpty(device: string): Promise<boolean>;
  /**
   * Reads every byte that is kept of a device, or with null of what the devices share, while all of it goes on being used;
   * changes nothing. What is stored or removed meanwhile may be left out, and is never taken for damage. Where the disk
   * gives no bytes that is a finding, too. Rejects as the signal's reason.
   */
  check(device: string | null, options?: CheckOptions): Promise<StoredCheck>;
  /** Devices that have anything on disk. */
  devices(): Promise<readonly string[]>;
  /** Findings and repairs since opening. */
  readonly recovery: readonly RecoveryNote[];
  close(): Promise<void>;
}

export interface RecordsOptions {
  /** Made when missing. */
  readonly directory: string;
  /** Where long work may be done; absent or null: in this thread. */
  readonly threads?: Threads | null;
  /** Gets what is found and mended once they are open, as it comes up; `recovery` has all of it. */
  readonly say?: (line: string) => void;
}

/** Opens the records in a folder. Rejects with StoreError (`newer-format`, `read-only`, `disk-full`, `io`, `unreachable`). */
export type OpenRecords = (options: RecordsOptions) => Promise<RecordStore>;
