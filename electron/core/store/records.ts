import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { Viewed } from './lens.ts';

export type { KeyReading, Series, SeriesKey } from '#shared/domain/series.ts';

/* Records of a device, and what a store answers of them. */

/** Value of a data key. NaN and infinities never reach a store: JSON has no text for them. */
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

export interface KeySummary {
  readonly key: string;
  /** Records that carry the key. */
  readonly count: number;
  /** Of those, the ones whose value is a number or a boolean. */
  readonly numeric: number;
  /** Of a derived key both are about so many. */
  readonly isEstimate?: true;
}

/** Extent of a device. */
export interface Extent {
  readonly records: number;
  /** Times of the oldest and the newest record, in µs; null without records. */
  readonly first: Micros | null;
  readonly last: Micros | null;
  /** On disk. */
  readonly bytes: number;
}

/** Records that were removed and may come back. */
export interface KeptRecords extends Extent {
  readonly name: string;
}

export interface DeviceSummary extends Extent {
  /** When something last came from the device itself, by `append`; survives a purge and a range delete. */
  readonly lastSeen: Micros | null;
  /** When the data was last purged, if ever. */
  readonly purgedAt: Micros | null;
  readonly keys: readonly KeySummary[];
}

/** The last value of a key: of its newest record, and of several at one instant of the one that arrived last. */
export interface LatestValue {
  readonly key: string;
  readonly value: Value;
  readonly timestamp: Micros;
}

/** Query for last values. */
export interface LatestQuery {
  readonly device: Viewed;
  /** Null: those of the device's 16 newest records, the newest record's first, in the order of UTF-16 code units. */
  readonly keys: readonly string[] | null;
}

/** Query for the numbers of a key, one after the other: its readings. Texts and booleans are none. */
export interface ReadingsQuery {
  readonly key: string;
  readonly range: Required<TimeRange>;
  /** Readings of which none is more than so many µs after the one before may come at once. */
  readonly pause: Micros;
}

/** Takes readings in order of time, of equal times the earliest arrival first. */
export interface TakeReadings {
  one(time: Micros, value: number): void;
  /**
   * Takes several at once, by the times of the first and the last of them, the least and the greatest value. Returns false, and
   * has no effect, where it needs each of them: they come one by one then.
   */
  some(first: Micros, last: Micros, least: number, greatest: number): boolean;
  /** None that is still to come matters. */
  readonly isOver: boolean;
}

export interface ReadingsAsked<T extends TakeReadings> {
  readonly query: ReadingsQuery;
  /** Called once more where the walk begins anew. */
  readonly begin: () => T;
  readonly signal?: AbortSignal | undefined;
}
