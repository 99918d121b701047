import type { RecordFormat } from '#shared/domain/file-formats.ts';
import type { Delimiter } from '#shared/operations/records/records.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { StoreError } from '../base/errors.ts';
import type { Threads } from '../threads/threads.ts';
import type { Viewed } from './lens.ts';
import type { StoredRecord } from './records.ts';
import type { Columnar, PackedUpload, PackRecords, PackedBatch } from './packed.ts';

/* What threads other than the store's read and write for it. */

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

/** A file of records: what stands in it, and how. Of a workbook its worksheets, of which export/workbook/ makes the file. */
export interface RecordFile {
  readonly format: RecordFormat;
  /** The columns of CSV, Parquet and worksheets. A record that has none of them is left out. */
  readonly keys: readonly string[];
  readonly style?: CsvStyle | undefined;
}

/** Style of a CSV file; absent: commas, decimal points, UTC, the keys as names. A workbook has its zone and its names. */
export interface CsvStyle {
  readonly delimiter: Delimiter;
  /** Decimal mark; not the delimiter. */
  readonly mark: '.' | ',';
  /** An IANA zone, whose time is written with its offset; null for UTC. */
  readonly zone: string | null;
  /** Names of the columns, in the order of the keys. */
  readonly names: readonly string[];
  /** Whole lines before the names. */
  readonly preface: string;
  /** Whether texts that a spreadsheet takes for formulas are escaped: they do not read back as the same texts then. */
  readonly escapesFormulas: boolean;
}

/**
 * Writes the records of a snapshot, in the order of `RecordStore.scan`, as a file (export/export.ts): pieces of it, each
 * with how many records were read for it. Needs no store, so it may be anywhere. Rejects with DamagedSnapshot where what it
 * reads is damaged.
 */
export type WriteSnapshot = (
  parts: unknown,
  range: TimeRange,
  file: RecordFile,
) => AsyncIterable<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly length: number }>;

/**
 * Takes a cell of a record: `key` is its place among the keys asked for, `kind` is NUMBER, BOOLEAN or TEXT of
 * record-columns.ts, `number` the number, or 1 and 0 for true and false, `text` the text of a cell that is one.
 */
export type TakeCell = (key: number, time: Micros, kind: number, number: number, text: string) => void;

/** Pseudo-key of the row itself, whose number is the time of receipt, in µs. */
export const ROW = -1;

/**
 * Hands on the cells of some keys, record by record in the order of `RecordStore.scan`, and yields in between, so that
 * whoever takes them can end it. With `held` the newest cell of each key before the range comes first; with `rows` the row comes before its cells. Rejects as WriteSnapshot
 * does, and like it needs no store.
 */
export type WalkSnapshot = (
  parts: unknown,
  walk: {
    readonly range: TimeRange;
    readonly keys: readonly string[];
    readonly held: boolean;
    readonly rows: boolean;
  },
  take: TakeCell,
) => AsyncIterable<void>;

/** Damage that `RecordSnapshot.damaged` is called with. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
  readonly what: unknown;

  constructor(what: unknown) {
    super('The stored records that are being read are damaged.');
    this.what = what;
  }
}

/**
 * Work of a store in worker threads, so that nothing else waits for a long import or export. A store offers it that reads
 * what they pack (blocks: core/service/worker.ts) and whose snapshots they read.
 */
export interface ThreadWork {
  readonly threads: Threads;
  /** Packs records in the service's own thread, as the worker threads do. */
  readonly pack: PackRecords;
  batch(device: string): Promise<PackedBatch>;
  /** As `RecordStore.append`, for what a RecordPacker made of the records; the bytes are the store's from then on. */
  append(
    device: string,
    upload: PackedUpload,
    options?: { readonly receipt?: string | undefined },
  ): Promise<'stored' | 'duplicate'>;
  /** Resolves with a snapshot for `scan` in a thread; null where there is too little to be worth one. */
  snapshot(device: Viewed): Promise<RecordSnapshot | null>;
  /** The same however little there is; null where no thread finds the files, and there is too much to be copied. */
  anySnapshot(device: Viewed): Promise<RecordSnapshot | null>;
}

/** Records that a device has already: each is found as often as it is stored. */
export interface KnownRecords {
  /**
   * Whether each of them is there, with the same time, keys and values: 1 or 0. What was found once is not found again by
   * a later call. Fast where records come in order of time.
   */
  find(records: Columnar | readonly StoredRecord[]): Promise<Uint8Array>;
}

/** Reads a snapshot for it; needs no store, so it may be anywhere. Rejects with DamagedSnapshot as WriteSnapshot does. */
export type WithKnown = <T>(parts: unknown, work: (known: KnownRecords) => Promise<T>) => Promise<T>;
