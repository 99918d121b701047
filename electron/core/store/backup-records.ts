import type { Micros } from '#shared/values/time.ts';
import type { KnownRecords, RecordSnapshot, StoredRecord } from './store.ts';

/*
 * What a backup asks of a record store beside `RecordStore`: the records of a device as they are packed, and a place for those
 * that come back in which nobody sees them. The append log has it; a database is backed up by its own means.
 */

/** State of a device beside its records: nothing that an import would bring. */
export interface DeviceState {
  /** When something last came from the device itself. */
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  /** Digests of its idempotency records, 16 bytes each, oldest first. */
  readonly receipts: Buffer;
}

/** A device at one moment. */
export interface DeviceMoment extends Pick<RecordSnapshot, 'release'> {
  readonly state: DeviceState;
  /** How many there are. */
  readonly records: number;
  /**
   * Its records as blocks (docs/storage-format.md, "Blocks"), in order of arrival; the same bytes each time. Rejects with
   * StoreError `damaged` where one cannot be read: a moment that is taken after it is without that one.
   */
  blocks(): AsyncGenerator<Uint8Array>;
  /** Resolves with what `work` finds among its records. */
  among<T>(work: (known: KnownRecords) => Promise<T>): Promise<T>;
}

/** Records on their way back. Rejects as a batch does (packed.ts). */
export interface StagedRecords {
  /** Adds in order of arrival; any number of times. Memory stays bounded. */
  add(records: readonly StoredRecord[]): Promise<void>;
  /**
   * Resolves once all of it is on disk, soft-deleted under a name: `RecordStore.restore` makes it visible, `discard` and `drop`
   * remove it. A device takes the state where it has none of its own.
   */
  keep(name: string, state: DeviceState): Promise<void>;
  abort(): Promise<void>;
}

export interface BackupRecords {
  /** Takes nothing along that arrives later. Files stay until it is released. */
  moment(device: string): Promise<DeviceMoment>;
  /** A device that was dropped is as a new one again. `isInstead`: in place of what is there, whose keys do not count. */
  stage(device: string, options?: { readonly isInstead: boolean }): Promise<StagedRecords>;
  /** Returns the records of a block, in order of time; null where the bytes are no whole block. */
  recordsIn(block: Buffer): readonly StoredRecord[] | null;
}
