import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { StoredRecord } from './records.ts';

/* Records on their way into a store: many at once, packed where the thread that stores them need not do it. */

/**
 * Some records as the engine of the store packs them, so that another thread than the store's can do that work: what is
 * in the bytes is the engine's business. They fill their buffer, which therefore moves between threads without a copy. What is packed
 * later may be joined to it: one behind the other in a buffer of their own they are packed records, too.
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

/** Upload of a device, packed. */
export interface PackedUpload {
  readonly packed: readonly PackedRecords[];
  /** When all of them were received, in µs since 1970. */
  readonly received: Micros;
  /** Their keys in the order of arrival, and the first record that has each, counted from 0. */
  readonly keys: ReadonlyMap<string, number>;
}

/** Makes a packer; `take` gets what is packed, one after the other, and the packer waits for it. */
export type PackRecords = (take: (packed: PackedRecords) => Promise<void>) => RecordPacker;

/** Replacement of the records of a range. What is added arrives then: after what comes back, before what arrives later. */
export interface Replacement {
  /** Under which what was in the range is kept, as `RecordStore.keep` does: nothing, where it held nothing. */
  readonly name: string;
  readonly range: TimeRange;
  /** Revision of the device that the change is for (`RecordStore.revision`). */
  readonly revision: number;
  /**
   * How many records the range holds that the change is for: `append` leaves the revision. What arrives while the change is being
   * made durable arrives after it.
   */
  readonly expected: number;
  /** Soft delete that is put back, as `RecordStore.restore` does. */
  readonly back?: string | undefined;
}

/**
 * Records that become visible and durable all at once, or not at all (imports). They did not come from the device, so
 * they are no sign of life.
 */
export interface Batch {
  /** Fires, with the StoreError, when the device is retired: the maker of the records may stop. */
  readonly signal: AbortSignal;
  /** Adds in order of arrival; any number of times. Memory stays bounded. Rejects with KeyLimitReached as `append` does. */
  add(records: readonly StoredRecord[]): Promise<void>;
  /**
   * Resolves with true once all of it is on disk and readable. A crash before that leaves nothing of it. With `revision`:
   * with false, and nothing of it is stored, where that of the device is another one by then, whoever stores.
   */
  commit(revision?: number): Promise<boolean>;
  /**
   * Stores what was added in place of the records of a range, which are soft-deleted, and where the change says so puts another
   * soft delete back: all at once, or not at all. Resolves with false, and nothing is changed, where the device or the range is
   * another one by then than the change says: whoever asks reads again. Rejects with StoreError `io` where something is kept
   * under its name already, or nothing under that which is to come back, and with KeyLimitReached where what is there, what is
   * added and what comes back has too many keys.
   */
  replace(change: Replacement): Promise<boolean>;
  /** Drops all of it. Safe after a failed add, commit or replace. */
  abort(): Promise<void>;
}

/** A batch of a store that reads what the worker threads pack. */
export interface PackedBatch extends Batch {
  /** As `add`, for what a RecordPacker made of records; the bytes are the batch's from then on. */
  addPacked(packed: PackedRecords): Promise<void>;
}
