import type { DeviceState } from '../../../backup-records.ts';
import type { Lender } from '../../segment/lender.ts';
import type { SavedSegments } from './saved-segments.ts';

/** A device in a snapshot, as it comes back. */
export interface SavedDevice extends SavedSegments {
  readonly state: DeviceState;
  /** How many records there are. */
  readonly rows: number;
  /** Whether nothing was ever stored of it. */
  readonly isEmpty: boolean;
}

/** Returns a device of which nothing was ever stored. */
export const nothingSaved = (lender: Lender): SavedDevice => ({
  state: { lastSeen: null, purgedAt: null, receipts: Buffer.alloc(0) },
  rows: 0,
  isEmpty: true,
  segments: [],
  kept: [],
  lender,
});

/** Returns what another device has of it: what is deleted and can be had back is of the first one alone. */
export const ofAnother = <Saved extends SavedDevice>(saved: Saved): Saved => ({ ...saved, kept: [] });

/** Entries of the log by which a device was restored last: they refer to a snapshot, which stays as long as they are needed. */
export class SnapshotEntries {
  #id: string | null = null;
  /** Of the entry with the segments, and of the one with the rows behind it. */
  #first = 0;
  #last = 0;
  /** Whether the snapshot could not be read when the log was read again. */
  isLost = false;

  /** The snapshot; null for none. */
  get id(): string | null {
    return this.#id;
  }

  began(id: string, sequence: number, isLost: boolean): void {
    this.#id = id;
    this.#first = this.#last = sequence;
    this.isLost = isLost;
  }

  ended(sequence: number, isLost: boolean): void {
    this.#last = sequence;
    this.isLost ||= isLost;
  }

  /** Whether the device has all of it elsewhere, given the last entry that its manifest covers and the last that is anywhere else. */
  areIn(persisted: number, settled: number): boolean {
    return persisted >= this.#first && settled >= this.#last;
  }

  /** All records went, or with `isDrop` the device; of one that is purged what is kept may still be the snapshot's. */
  purged(isDrop: boolean): void {
    this.isLost = false;
    if (isDrop) this.#id = null;
  }
}
