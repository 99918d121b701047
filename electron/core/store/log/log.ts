import { dirname } from 'node:path';
import type { Clock } from '#core/clock.ts';
import type { Threads } from '../../threads/threads.ts';
import type { Micros, TimeRange } from '#shared/time.ts';
import type {
  Batch,
  Columns,
  DeviceSummary,
  Extent,
  Page,
  PageQuery,
  RecordStore,
  RecordView,
  RecoveryNote,
  Series,
  StoredRecord,
} from '../store.ts';
import { Background } from './background.ts';
import { Checkpoint } from './checkpoint.ts';
import { deleteRecords } from './delete-range.ts';
import type { DeviceLog } from './device-log.ts';
import { Devices } from './devices.ts';
import { closed, READING, storeError } from './failures.ts';
import { nodeFiles, type Files } from './files.ts';
import { Pace } from './pace.ts';
import {
  countRecords,
  readColumns,
  readIntervals,
  readKeys,
  readPage,
  readSeries,
  readSummary,
} from './reads.ts';
import { recover } from './recovery.ts';
import { blocksOf } from './rows-to-blocks.ts';
import { scanRecords } from './scan.ts';
import type { SeriesQuery } from './series.ts';
import { createShared, DEFAULT_LIMITS, type Limits, type Shared } from './shared.ts';
import { StagedBatch } from './staged-batch.ts';
import { viewOf } from './view.ts';
import type { Wal } from './wal.ts';
import { BLOCKS, checkRecords, DROP, PURGE, ROWS, writeBlocks, writePurge, writeRows } from './wal-entry.ts';

/*
 * The append log: `RecordStore` over a write-ahead log and columnar segments. docs/storage-format.md says what is on
 * disk; each file of this folder is one concept of it.
 */

/** Batches of at least so many records are packed at once, and logged packed. */
const PACKED_RECORDS = 512;

export interface LogOptions {
  /** The service's data folder: one folder a device, and the write-ahead log. Made when missing. */
  readonly directory: string;
  readonly clock?: Clock;
  readonly files?: Files;
  readonly limits?: Partial<Limits>;
  /** Where long work is done; absent or null: in this thread, in slices. Only where `files` is absent. */
  readonly threads?: Threads | null;
  /** What was found and mended before opening; `recovery` begins with it. */
  readonly notes?: readonly RecoveryNote[];
}

/** Opens the store and finishes what a crash left. Throws StoreError (`newer-format`, `read-only`, `disk-full`, `io`). */
export async function openLog({
  directory,
  files = nodeFiles,
  limits,
  threads = null,
  notes = [],
}: LogOptions): Promise<RecordStore> {
  const recovery = [...notes];
  const background = new Background();
  const shared = createShared({
    directory,
    files,
    limits: { ...DEFAULT_LIMITS, ...limits },
    background,
    threads,
    note: (note) => recovery.push(note),
  });
  try {
    await shared.files.makeDirectory(directory);
    // A process that was killed may not have come to it: names that are found must last.
    await shared.files.syncDirectory(dirname(directory));
    await shared.files.syncDirectory(directory);
    const devices = new Devices(shared);
    const { wal, older } = await recover(
      shared,
      { limit: shared.limits.walBytes, full: () => checkpoint.turn(wal) },
      (id) => devices.get(id),
    );
    const checkpoint = new Checkpoint(older, (id) => devices.get(id));
    devices.follow(wal);
    void checkpoint.run(wal);
    return new LogStore(shared, devices, wal, checkpoint, background, recovery);
  } catch (error) {
    throw storeError(error, 'opening the record store');
  }
}

class LogStore implements RecordStore {
  readonly recovery: readonly RecoveryNote[];
  readonly #shared: Shared;
  readonly #devices: Devices;
  readonly #wal: Wal;
  readonly #checkpoint: Checkpoint;
  readonly #background: Background;
  #closed = false;

  constructor(
    shared: Shared,
    devices: Devices,
    wal: Wal,
    checkpoint: Checkpoint,
    background: Background,
    recovery: readonly RecoveryNote[],
  ) {
    this.#shared = shared;
    this.#devices = devices;
    this.#wal = wal;
    this.#checkpoint = checkpoint;
    this.#background = background;
    this.recovery = recovery;
  }

  async append(device: string, records: readonly StoredRecord[]): Promise<void> {
    if (records.length === 0) return;
    checkRecords(records);
    const log = this.#known(device) ?? (await this.#device(device));
    if (records.length < PACKED_RECORDS) {
      await this.#wal.append(
        device,
        ROWS,
        (out) => writeRows(records, out),
        (sequence) => log.applyRows(sequence, records),
      );
    } else {
      const packed = blocksOf(records, log.newest);
      await this.#wal.append(
        device,
        BLOCKS,
        (out) => writeBlocks(packed, out),
        (sequence) => log.applyBlocks(sequence, packed),
      );
    }
    if (log.wantsFlush) this.#shared.background(log.flush());
  }

  async batch(device: string): Promise<Batch> {
    const log = await this.#device(device);
    return this.#doing('storing imported records', async () => {
      return new StagedBatch(log, await log.beginImport());
    });
  }

  async page(device: string, query: PageQuery): Promise<Page> {
    const log = this.#known(device) ?? (await this.#device(device));
    return this.#reading(() => readPage(log, query));
  }

  async columns(device: string, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    const log = await this.#device(device);
    return this.#reading(() => readColumns(log, query));
  }

  async *scan(device: string, range?: TimeRange): AsyncGenerator<readonly StoredRecord[]> {
    yield* scanRecords(await this.#device(device), range);
  }

  async view(device: string): Promise<RecordView | null> {
    const log = await this.#device(device);
    const { threadsFindFiles, limits } = this.#shared;
    return threadsFindFiles && log.rows >= limits.threadRows ? this.#reading(() => viewOf(log)) : null;
  }

  async count(device: string, range?: TimeRange): Promise<number> {
    const log = await this.#device(device);
    return this.#reading(() => countRecords(log, range));
  }

  async keys(device: string): Promise<readonly string[]> {
    const log = await this.#device(device);
    return this.#reading(() => readKeys(log));
  }

  async summary(device: string): Promise<DeviceSummary> {
    const log = await this.#device(device);
    return this.#reading(() => readSummary(log));
  }

  async series(device: string, query: SeriesQuery): Promise<Series> {
    const log = await this.#device(device);
    return this.#reading(() => readSeries(log, query));
  }

  async intervals(device: string, keys: readonly string[]): Promise<readonly number[]> {
    const log = await this.#device(device);
    return this.#reading(() => readIntervals(log, keys));
  }

  lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    return this.#ofEach(devices, (id) => this.#devices.lastSeen(id));
  }

  extents(devices: readonly string[]): Promise<readonly Extent[]> {
    return this.#ofEach(devices, (id) => this.#devices.extent(id));
  }

  async #ofEach<T>(devices: readonly string[], read: (id: string) => Promise<T>): Promise<T[]> {
    this.#checkOpen();
    const answers: T[] = [];
    const pace = new Pace();
    for (const id of devices) {
      answers.push(await this.#doing(READING, () => read(id)));
      await pace.pause();
    }
    return answers;
  }

  async purge(device: string, at: Micros): Promise<number> {
    const log = await this.#device(device);
    let gone = 0;
    await this.#wal.append(
      device,
      PURGE,
      (out) => writePurge(at, out),
      (sequence) => (gone = log.applyPurge(sequence, at)),
      true,
    );
    return gone;
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    const log = await this.#device(device);
    return this.#doing('deleting records', () => log.work.run(() => deleteRecords(log, range)));
  }

  async drop(device: string): Promise<void> {
    const log = await this.#device(device);
    // What is on its way into the log comes before the drop. After a failed sync even a device that seems not to exist may
    // be found again: the log refuses then.
    if (!log.leavesTraces && this.#wal.isIdle && this.#shared.poison.reason === null) return;
    const apply = (sequence: number) => log.applyPurge(sequence, null);
    await this.#wal.append(device, DROP, () => undefined, apply, true);
  }

  async isEmpty(device: string): Promise<boolean> {
    const log = await this.#device(device);
    return this.#doing(READING, () => log.isEmpty());
  }

  async devices(): Promise<readonly string[]> {
    this.#checkOpen();
    return this.#devices.stored();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#background.closing = true;
    const dirty = [...this.#devices.loaded.values()].filter((log) => log.isDirty).length;
    if (dirty > this.#shared.limits.flushedOnClose) this.#checkpoint.stop();
    await this.#wal.idle();
    for (const log of this.#devices.loaded.values()) log.endImports();
    await this.#background.idle();
    await this.#moveToSegments(dirty);
    await this.#background.idle();
    await this.#checkpoint.close();
    for (const log of this.#devices.loaded.values()) await log.close();
    await this.#wal.close();
    this.#shared.pool.open.clear();
  }

  /** Spares the next start reading the log. What cannot be moved now stays safe in the log. */
  async #moveToSegments(dirty: number): Promise<void> {
    const { poison, limits } = this.#shared;
    if (poison.reason !== null || dirty > limits.flushedOnClose) return;
    if (this.#wal.current.end < limits.keptWalBytes) return;
    try {
      await this.#checkpoint.turn(this.#wal);
      await this.#checkpoint.run(this.#wal);
    } catch (error) {
      if (storeError(error, 'closing').code !== 'disk-full') throw error;
    }
  }

  #known(device: string): DeviceLog | undefined {
    this.#checkOpen();
    return this.#devices.loaded.get(device);
  }

  async #device(device: string): Promise<DeviceLog> {
    this.#checkOpen();
    return this.#doing(READING, () => this.#devices.get(device));
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw storeError(error, READING);
    }
  }

  async #doing<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, what);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closed();
  }
}
