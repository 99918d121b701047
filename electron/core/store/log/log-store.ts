import type { Micros, TimeRange } from '#shared/time.ts';
import type {
  Columns,
  DeviceSummary,
  Extent,
  Page,
  PackedBatch,
  PackedUpload,
  PageQuery,
  RecordStore,
  RecordSnapshot,
  RecoveryNote,
  Series,
  StoredRecord,
  ThreadWork,
} from '../store.ts';
import { Background } from '../../turns/background.ts';
import { StoreError } from '../../errors.ts';
import { isReceipt } from '../receipt.ts';
import { Checkpoint } from './checkpoint.ts';
import { blocksOfUpload, holdKeysOf, logBlocks, logUpload } from './upload.ts';
import type { HeldKeys } from './device/device-keys.ts';
import { deleteRecords } from './device/delete-range.ts';
import type { DeviceLog } from './device/device-log.ts';
import { Devices } from './device/devices.ts';
import { Erasure } from './erasure.ts';
import { diskError } from '../../disk/errors.ts';
import { closed, KeyLimitReached, READING } from '../store-errors.ts';
import { countRecords, readColumns, readKeys, readPage, readSummary } from '../blocks/reads.ts';
import { readIntervals, readSeries } from '../blocks/series-reads.ts';
import { scanRecords } from './device/scan.ts';
import type { SeriesQuery } from '../blocks/series/series.ts';
import { type Common } from './device/common.ts';
import type { Digest } from './wal/receipt-digest.ts';
import { StagedBatch } from './device/staged-batch.ts';
import { snapshotOf } from './device/snapshot.ts';
import type { Wal } from './wal/wal.ts';
import { checkRecords, DROP, ERASE, PURGE, writePurge } from './wal/wal-entry.ts';

/** What a store is made of, once what a crash left has been finished. */
export interface StoreParts {
  readonly common: Common;
  readonly devices: Devices;
  readonly wal: Wal;
  readonly checkpoint: Checkpoint;
  readonly erasure: Erasure;
  readonly background: Background;
}

/** The append log as the service sees it. */
export class LogStore implements RecordStore {
  readonly recovery: readonly RecoveryNote[];
  readonly threadWork: ThreadWork | null;
  readonly #common: Common;
  readonly #devices: Devices;
  readonly #wal: Wal;
  readonly #checkpoint: Checkpoint;
  readonly #erasure: Erasure;
  readonly #background: Background;
  #closed = false;

  constructor(parts: StoreParts, recovery: readonly RecoveryNote[]) {
    this.#common = parts.common;
    this.#devices = parts.devices;
    this.#wal = parts.wal;
    this.#checkpoint = parts.checkpoint;
    this.#erasure = parts.erasure;
    this.#background = parts.background;
    this.recovery = recovery;
    const { threads } = parts.common;
    this.threadWork = threads && {
      threads,
      batch: (device) => this.batch(device),
      append: (device, upload, options) => this.#appendPacked(device, upload, options),
      snapshot: (device) => this.#snapshot(device),
    };
  }

  async append(
    device: string,
    records: readonly StoredRecord[],
    { receipt }: { readonly receipt?: string | undefined } = {},
  ): Promise<'stored' | 'duplicate'> {
    if (records.length === 0) return 'stored';
    checkRecords(records);
    return this.#store(device, receipt, (log, held, digest) => {
      held.add(records);
      return logUpload(this.#wal, log, records, digest);
    });
  }

  async #appendPacked(
    device: string,
    upload: PackedUpload,
    { receipt }: { readonly receipt?: string | undefined } = {},
  ): Promise<'stored' | 'duplicate'> {
    const blocks = await blocksOfUpload(upload);
    return this.#store(device, receipt, (log, held, digest) => {
      holdKeysOf(upload, held);
      return logBlocks(this.#wal, log, blocks, digest);
    });
  }

  /** Stores what a device sent; the keys of it are held until it is known whether it is stored. */
  async #store(
    device: string,
    receipt: string | undefined,
    write: (log: DeviceLog, held: HeldKeys, digest: Digest | null) => Promise<void>,
  ): Promise<'stored' | 'duplicate'> {
    const log = this.#known(device) ?? (await this.#device(device));
    const store = async (digest: Digest | null) => {
      const held = log.keys.hold();
      let isStored = false;
      try {
        await write(log, held, digest);
        isStored = true;
      } finally {
        held.settle(isStored);
      }
      if (log.wantsFlush) this.#common.background(log.flush());
    };
    log.writers.begin();
    try {
      // Its folder may be there again; else whoever sends is told what is wrong with it.
      if (log.isFull) await this.#doing('storing records', () => log.flush());
      if (receipt !== undefined) return await this.#once(log, receipt, store);
      await store(null);
      return 'stored';
    } finally {
      log.writers.end();
    }
  }

  #once(
    log: DeviceLog,
    receipt: string,
    store: (digest: Digest) => Promise<void>,
  ): Promise<'stored' | 'duplicate'> {
    if (!isReceipt(receipt))
      throw new StoreError('io', 'A receipt is 1 to 255 visible ASCII characters; nothing was stored.');
    // Also what is there already: nobody is told that a disk is well which is not.
    const { reason } = this.#common.poison;
    if (reason !== null) throw reason;
    return this.#doing('storing records', () => log.receipts.once(receipt, store));
  }

  async batch(device: string): Promise<PackedBatch> {
    const log = await this.#device(device);
    return new StagedBatch(log);
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

  async #snapshot(device: string): Promise<RecordSnapshot | null> {
    const log = await this.#device(device);
    const { threadsFindFiles, limits } = this.#common;
    const isMuch = log.rows >= limits.threadRows || log.bytes >= limits.threadBytes;
    return threadsFindFiles && isMuch ? this.#reading(() => snapshotOf(log)) : null;
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
    return this.#doing(READING, () => readSeries(log, query));
  }

  async intervals(device: string, keys: readonly string[]): Promise<readonly number[]> {
    const log = await this.#device(device);
    return this.#doing(READING, () => readIntervals(log, keys));
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    this.#checkOpen();
    return this.#doing(READING, () => this.#devices.each(devices, (id) => this.#devices.lastSeen(id)));
  }

  async extents(devices: readonly string[]): Promise<readonly Extent[]> {
    this.#checkOpen();
    return this.#doing(READING, () => this.#devices.each(devices, (id) => this.#devices.extent(id)));
  }

  async purge(device: string, at: Micros): Promise<number> {
    const log = await this.#device(device);
    log.writers.check();
    return this.#remove(log, at);
  }

  /** Forgets every record of a device; `at` null forgets the device too. Resolves with how many records went. */
  async #remove(log: DeviceLog, at: Micros | null): Promise<number> {
    let gone = 0;
    await this.#wal.append(
      log.id,
      at === null ? DROP : PURGE,
      (out) => void (at !== null && writePurge(at, out)),
      (sequence) => {
        gone = log.applyPurge(sequence, at);
        if (gone > 0) this.#erasure.want();
      },
      true,
    );
    return gone;
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    const log = await this.#device(device);
    log.writers.check();
    return this.#doing('deleting records', async () => {
      // Said before anything goes, so that a crash cannot make it forgotten; not in the device's turn, for which storing may
      // have to wait.
      if (countRecords(log, range) > 0) await this.#sayDeleted(device);
      const gone = await log.work.run(() => deleteRecords(log, range));
      // The log went on in another file meanwhile, which may hold some of them, too.
      if (gone > 0 && !this.#wal.current.mayHoldDeleted) await this.#sayDeleted(device);
      return gone;
    });
  }

  #sayDeleted(device: string): Promise<void> {
    return this.#wal.append(
      device,
      ERASE,
      () => undefined,
      () => this.#erasure.want(),
      true,
    );
  }

  async retire(device: string): Promise<void> {
    this.#checkOpen();
    await this.#doing(READING, () => this.#devices.retire(device));
  }

  async drop(device: string): Promise<void> {
    this.#checkOpen();
    if (this.#devices.isGone(device)) return;
    const log = await this.#device(device);
    // What is on its way into the log comes before the drop. After a failed sync even a device that seems not to exist may
    // be found again: the log refuses then.
    if (
      !log.exists &&
      !log.presence.leavesTraces &&
      this.#wal.isIdle &&
      this.#common.poison.reason === null
    ) {
      log.presence.whenGone?.();
      return;
    }
    await this.#remove(log, null);
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
    this.#erasure.close();
    const { flushedOnClose, closingMs } = this.#common.limits;
    const dirty = [...this.#devices.loaded.values()].filter((log) => log.isDirty).length;
    if (dirty > flushedOnClose) this.#checkpoint.carryEverything(closingMs);
    else this.#checkpoint.moveEverything();
    await this.#wal.idle();
    for (const log of this.#devices.loaded.values()) log.presence.endImports();
    await this.#background.idle();
    try {
      await this.#shortenLog();
    } finally {
      await this.#background.idle();
      await this.#checkpoint.close();
      for (const log of this.#devices.loaded.values()) await log.close();
      await this.#wal.close();
      this.#common.pool.open.clear();
    }
  }

  /** Spares the next start reading the log, and erases what was deleted. What cannot be moved now stays safe in the log. */
  async #shortenLog(): Promise<void> {
    const { poison, limits } = this.#common;
    if (poison.reason !== null) return;
    const isShort = this.#wal.current.end < limits.keptWalBytes && !this.#checkpoint.isPending;
    if (isShort && !this.#erasure.isPending) return;
    try {
      if (!this.#checkpoint.canTurn) await this.#checkpoint.run(this.#wal);
      if (this.#checkpoint.canTurn) await this.#checkpoint.turn(this.#wal);
      await this.#checkpoint.run(this.#wal);
    } catch (error) {
      const failure = diskError(error, 'closing');
      if (failure.code !== 'disk-full') throw failure;
    }
  }

  #known(device: string): DeviceLog | undefined {
    this.#checkOpen();
    return this.#devices.atHand(device);
  }

  async #device(device: string): Promise<DeviceLog> {
    this.#checkOpen();
    return this.#doing(READING, () => this.#devices.get(device));
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw diskError(error, READING);
    }
  }

  async #doing<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof KeyLimitReached ? error : diskError(error, what);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closed();
  }
}
