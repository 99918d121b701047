import type { FileFormat } from '#shared/operations/records.ts';
import type { Micros, TimeRange } from '#shared/time.ts';
import type { StoreError } from '../errors.ts';
import type { Threads } from '../threads/threads.ts';

/*
 * What the service asks of a store of device records. Implementations: the append log (store/log) and, in tests, a
 * naive in-memory model. test/suites/record-store.ts holds the rules below and runs against each of them.
 */

/** What a data key may hold. NaN and infinities never reach a store: JSON has no text for them. */
export type Value = number | string | boolean;

/**
 * One record. `keys[i]` holds `values[i]`; keys are distinct, not empty, and never "timestamp". Two arrays rather than an
 * object, so that keys such as "__proto__" or "0" are ordinary.
 */
export interface StoredRecord {
  /** The record's time: µs since 1970, from 1700 to 2200. */
  readonly timestamp: Micros;
  /** When the service received it: µs since 1970. `last_seen` is the latest one of what `append` stored last. */
  readonly received: Micros;
  readonly keys: readonly string[];
  readonly values: readonly Value[];
}

/** Records are counted from the newest: rank 0 is the newest timestamp, and of equal ones the latest arrival. */
export interface PageQuery {
  /** First rank of the page. */
  readonly offset: number;
  readonly limit: number;
  readonly range?: TimeRange;
  /** Projection: absent means every key. A record that lacks every asked key still takes its place. */
  readonly keys?: readonly string[];
}

export interface Page {
  /** Records in the range, on all pages. */
  readonly total: number;
  /**
   * A JSON array of records as /v2 shows them: `{"timestamp":"…",` then the keys in UTF-16 code unit order, each as
   * JSON.stringify writes it, without blanks. Whole when small; pieces when it would exceed about 1 MB. The caller
   * owns the bytes.
   */
  readonly json: Uint8Array | AsyncIterable<Uint8Array>;
  /** Where the bytes of a whole page lie, for who writes something around them. */
  readonly borrowed?: Borrowed;
}

/** Memory with a text in it, bytes [from, to), and some room before and behind it. */
export interface Borrowed {
  readonly memory: Buffer;
  readonly from: number;
  readonly to: number;
  /**
   * Gives the memory back, once nothing reads it any more, for a later text. It need not be called: memory that the
   * processor's cache still holds is only faster.
   */
  release(): void;
}

/** A page as columns, for charts: newest first. */
export interface Columns {
  readonly total: number;
  /** µs since 1970. */
  readonly timestamps: Float64Array;
  /** One per asked key, in the order asked: the number, or NaN where the record has none (a boolean is 1 or 0). */
  readonly columns: readonly Float64Array[];
}

/** Min, max, first and last of one key per pixel column (M4, Jugel et al., VLDB 2014). */
export interface SeriesKey {
  readonly key: string;
  /** Numbers in each column of pixels; 0 is a gap, and the other arrays hold NaN there. */
  readonly counts: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** When the first and the last number of a column were read, in µs. */
  readonly firstTimes: Float64Array;
  readonly lastTimes: Float64Array;
  /** The numbers nearest to the range outside it, which lines at its edges come from and lead to. */
  readonly before: KeyReading | null;
  readonly after: KeyReading | null;
}

/** A number of one key; `instant` in µs. Of several at one instant the last one before a range, the first one after it. */
export interface KeyReading {
  readonly instant: Micros;
  readonly value: number;
}

/**
 * Column c of `width` covers the instants t with floor((t - start) * width / (end - start + 1)) = c. Booleans count
 * as 1 and 0, -0 as 0; text is not drawn.
 */
export interface Series {
  readonly start: Micros;
  readonly end: Micros;
  readonly width: number;
  readonly keys: readonly SeriesKey[];
}

export interface KeySummary {
  readonly key: string;
  /** Records that carry the key. */
  readonly count: number;
  /** Of those, the ones whose value is a number or a boolean. */
  readonly numeric: number;
}

/** How much a device holds. */
export interface Extent {
  readonly records: number;
  /** Times of the oldest and the newest record, in µs; null without records. */
  readonly first: Micros | null;
  readonly last: Micros | null;
  /** On disk. */
  readonly bytes: number;
}

export interface DeviceSummary extends Extent {
  /** When something last came from the device itself, by `append`; survives a purge and a range delete. */
  readonly lastSeen: Micros | null;
  /** When the data was last purged, if ever. */
  readonly purgedAt: Micros | null;
  readonly keys: readonly KeySummary[];
}

/**
 * Some records as the engine of the store packs them, so that another thread than the store's can do that work: what is
 * in the bytes is the engine's business. They fill their buffer, which therefore moves between threads without a copy.
 */
export type PackedRecords = Uint8Array<ArrayBuffer>;

/**
 * Records that were received at one time, as columns: row i is the i-th cell of each. What holds thousands of records
 * without an object for each of them.
 */
export interface Columnar {
  readonly size: number;
  /** µs since 1970; as many as there are rows, or more. */
  readonly times: Float64Array;
  readonly received: Micros;
  /** One a key. */
  readonly columns: readonly CellColumn[];
}

/** The cells of one key. */
export interface CellColumn {
  readonly key: string;
  /** ABSENT, NUMBER, BOOLEAN or TEXT of record-columns.ts for each row. */
  readonly kinds: Uint8Array;
  /** The number of a row; 1 and 0 for true and false. */
  readonly numbers: Float64Array;
  /** The text of a row that is one; at other places there may be anything, or nothing. */
  readonly texts: string[];
}

/** Packs records for `PackedBatch.addPacked`. Needs no store, so it may be anywhere. */
export interface RecordPacker {
  /** Takes records in order of arrival, any number of times. Memory stays bounded. */
  add(records: readonly StoredRecord[]): Promise<void>;
  /** The same for records as columns, which are read before it resolves. */
  addColumns(records: Columnar): Promise<void>;
  /** Packs what it still holds. */
  end(): Promise<void>;
}

/** All that a device sent at once, packed. */
export interface PackedUpload {
  readonly packed: readonly PackedRecords[];
  /** When all of them were received, in µs since 1970. */
  readonly received: Micros;
  /** Their keys in the order of arrival, and the first record that has each, counted from 0. */
  readonly keys: ReadonlyMap<string, number>;
}

/** Makes a packer; `take` gets what is packed, one after the other, and the packer waits for it. */
export type PackRecords = (take: (packed: PackedRecords) => Promise<void>) => RecordPacker;

/**
 * The records of a device at one moment, for another thread to read, so that nothing else waits for a long read: what
 * `parts` holds is the engine's business. Files stay until `release`.
 */
export interface RecordSnapshot {
  /** Crosses to the thread as a structured clone. */
  readonly parts: unknown;
  /** Takes note of the damage that a reader met, so that the next read leaves it out; returns how to say so. */
  damaged(what: unknown): StoreError;
  release(): Promise<void>;
}

/**
 * Writes the records of a snapshot, in the order of `RecordStore.scan`, as a file (export/export.ts): pieces of it, each
 * with how many records were read for it. Needs no store, so it may be anywhere. Rejects with DamagedSnapshot where what it
 * reads is damaged.
 */
export type WriteSnapshot = (
  parts: unknown,
  range: TimeRange,
  file: { readonly format: FileFormat; readonly keys: readonly string[] },
) => AsyncIterable<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly length: number }>;

/** What `RecordSnapshot.damaged` is to be told. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
  readonly what: unknown;

  constructor(what: unknown) {
    super('The stored records that are being read are damaged.');
    this.what = what;
  }
}

/**
 * Records that become visible and durable all at once, or not at all (imports). They did not come from the device, so
 * they are no sign of life.
 */
export interface Batch {
  /** Fires, with the StoreError, when the device is retired: whoever makes the records may stop. */
  readonly signal: AbortSignal;
  /** Adds in order of arrival; any number of times. Memory stays bounded. Rejects with KeyLimitReached as `append` does. */
  add(records: readonly StoredRecord[]): Promise<void>;
  /** Resolves once all of it is on disk and readable. A crash before that leaves nothing of it. */
  commit(): Promise<void>;
  /** Drops all of it. Safe after a failed add or commit. */
  abort(): Promise<void>;
}

/** A batch of a store that reads what the worker threads pack. */
export interface PackedBatch extends Batch {
  /** As `add`, for what a RecordPacker made of records; the bytes are the batch's from then on. */
  addPacked(packed: PackedRecords): Promise<void>;
}

/**
 * What worker threads may do for a store, so that nothing else waits for a long import or export. A store offers it that
 * reads what they pack (blocks: core/worker.ts) and whose snapshots they read.
 */
export interface ThreadWork {
  readonly threads: Threads;
  /** What the threads pack with, for what is packed in the service's own. */
  readonly pack: PackRecords;
  batch(device: string): Promise<PackedBatch>;
  /** As `RecordStore.append`, for what a RecordPacker made of the records; the bytes are the store's from then on. */
  append(
    device: string,
    upload: PackedUpload,
    options?: { readonly receipt?: string | undefined },
  ): Promise<'stored' | 'duplicate'>;
  /** What `scan` would read, for a thread; null where it is so little that no thread is worth it. */
  snapshot(device: string): Promise<RecordSnapshot | null>;
}

/** Something the store found or mended when it opened, for the log and the service screen. */
export interface RecoveryNote {
  readonly device: string | null;
  readonly kind: 'torn-tail' | 'damaged' | 'finished-purge' | 'stale-file' | 'migrated' | 'stuck';
  readonly message: string;
}

/**
 * `device` is a device id: [0-9a-zA-Z-]+. A device that never stored anything is simply empty. Errors: `StoreError`
 * of core/errors.ts (`disk-full`, `read-only`, `io`, `poisoned`, `damaged`, `newer-format`, `unreachable`, `retired`, `closed`).
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
    options?: { readonly receipt?: string | undefined },
  ): Promise<'stored' | 'duplicate'>;
  /** Costs nothing until something is added. */
  batch(device: string): Promise<Batch>;
  page(device: string, query: PageQuery): Promise<Page>;
  columns(device: string, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns>;
  /** Every record of the range, oldest first (equal timestamps: earliest arrival first), in batches; a consistent view. */
  scan(device: string, range?: TimeRange): AsyncIterable<readonly StoredRecord[]>;
  count(device: string, range?: TimeRange): Promise<number>;
  /** Distinct keys in UTF-16 code unit order, of the moment it is asked; rejects as the signal's reason. */
  keys(device: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** Of the moment it is asked; rejects as the signal's reason. */
  summary(device: string, signal?: AbortSignal): Promise<DeviceSummary>;
  /** How much each holds, in the order asked. Cheap for thousands of devices. */
  extents(devices: readonly string[]): Promise<readonly Extent[]>;
  /** When something last came from each device itself, in the order asked; null for never. Cheap for thousands of devices. */
  lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]>;
  series(
    device: string,
    query: { readonly range: Required<TimeRange>; readonly keys: readonly string[]; readonly width: number },
  ): Promise<Series>;
  /**
   * The usual interval of each key in µs, in the order asked: the median of what lies between one of its numbers and the
   * next, all its records considered and those at one instant left out; NaN where it has no two. Long recordings are
   * sampled, and records that came late count apart from the others until they are merged.
   */
  intervals(device: string, keys: readonly string[]): Promise<readonly number[]>;
  /** Removes every record; keeps `lastSeen`. `at` becomes `purgedAt`. Resolves with how many records went. */
  purge(device: string, at: Micros): Promise<number>;
  /** Removes the records of the range; resolves with how many went. */
  deleteRange(device: string, range: TimeRange): Promise<number>;
  /**
   * Ends what is being written to a device, and refuses whatever is to be written to it from then on with `retired`, also
   * after a `drop` and for as long as the store is open: device ids are UUIDs, which never come back. Batches under way are
   * aborted, appends under way end as they would have. Resolves when nothing is under way; what is there can be read until
   * it is dropped. May be called again.
   */
  retire(device: string): Promise<void>;
  /** Removes every trace of a device. Nothing to remove is fine. */
  drop(device: string): Promise<void>;
  /** Whether nothing that was stored is left of a device, not even a damaged piece of it. */
  isEmpty(device: string): Promise<boolean>;
  /** Devices that have anything on disk. */
  devices(): Promise<readonly string[]>;
  /** What was found and mended since opening. */
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
