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
import { closed, READING } from '../store-errors.ts';
import { countRecords, readColumns, readPage } from '../blocks/reads.ts';
import { packRecords } from '../blocks/block/packer.ts';
import { readIntervals, readSeries } from '../blocks/series-reads.ts';
import { readKeys, readSummary } from '../blocks/summary-reads.ts';
import type { SeriesQuery } from '../blocks/series/series.ts';
import { diskError, doing } from '../../disk/errors.ts';
import { closeLog } from './closing.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import { scanRecords } from './device/scan.ts';
import { snapshotOf } from './device/snapshot.ts';
import { StagedBatch } from './device/staged-batch.ts';
import { Removals } from './removals.ts';
import type { StoreParts } from './store-parts.ts';
import { blocksOfUpload, Uploads } from './uploads.ts';
import { checkRecords } from './wal/wal-entry.ts';

/** The append log as the service sees it. */
export class LogStore implements RecordStore {
  readonly recovery: readonly RecoveryNote[];
  readonly threadWork: ThreadWork | null;
  readonly #parts: StoreParts;
  readonly #devices: Devices;
  readonly #uploads: Uploads;
  readonly #removals: Removals;
  #closed = false;

  constructor(parts: StoreParts, recovery: readonly RecoveryNote[]) {
    this.#parts = parts;
    this.#devices = parts.devices;
    this.#uploads = new Uploads(parts.common, parts.wal);
    this.#removals = new Removals(parts);
    this.recovery = recovery;
    const { threads } = parts.common;
    this.threadWork = threads && {
      threads,
      pack: packRecords,
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
    const log = this.#known(device) ?? (await this.#device(device));
    return this.#uploads.records(log, records, receipt);
  }

  async #appendPacked(
    device: string,
    upload: PackedUpload,
    { receipt }: { readonly receipt?: string | undefined } = {},
  ): Promise<'stored' | 'duplicate'> {
    const blocks = await blocksOfUpload(upload);
    const log = this.#known(device) ?? (await this.#device(device));
    return this.#uploads.packed(log, upload, blocks, receipt);
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
    const { threadsFindFiles, limits } = this.#parts.common;
    const isMuch = log.rows >= limits.threadRows || log.bytes >= limits.threadBytes;
    return threadsFindFiles && isMuch ? this.#reading(() => snapshotOf(log)) : null;
  }

  async count(device: string, range?: TimeRange): Promise<number> {
    const log = await this.#device(device);
    return this.#reading(() => countRecords(log, range));
  }

  async keys(device: string, signal?: AbortSignal): Promise<readonly string[]> {
    const log = await this.#device(device);
    return doing(READING, () => readKeys(log, signal));
  }

  async summary(device: string, signal?: AbortSignal): Promise<DeviceSummary> {
    const log = await this.#device(device);
    return doing(READING, () => readSummary(log, signal));
  }

  async series(device: string, query: SeriesQuery): Promise<Series> {
    const log = await this.#device(device);
    return doing(READING, () => readSeries(log, query));
  }

  async intervals(device: string, keys: readonly string[]): Promise<readonly number[]> {
    const log = await this.#device(device);
    return doing(READING, () => readIntervals(log, keys));
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.each(devices, (id) => this.#devices.lastSeen(id)));
  }

  async extents(devices: readonly string[]): Promise<readonly Extent[]> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.each(devices, (id) => this.#devices.extent(id)));
  }

  async purge(device: string, at: Micros): Promise<number> {
    return this.#removals.purge(await this.#device(device), at);
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    return this.#removals.range(await this.#device(device), range);
  }

  async retire(device: string): Promise<void> {
    this.#checkOpen();
    await doing(READING, () => this.#devices.retire(device));
  }

  async drop(device: string): Promise<void> {
    this.#checkOpen();
    if (this.#devices.isGone(device)) return;
    await this.#removals.drop(await this.#device(device));
  }

  async isEmpty(device: string): Promise<boolean> {
    const log = await this.#device(device);
    return doing(READING, () => log.isEmpty());
  }

  async devices(): Promise<readonly string[]> {
    this.#checkOpen();
    return this.#devices.stored();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await closeLog(this.#parts);
  }

  #known(device: string): DeviceLog | undefined {
    this.#checkOpen();
    return this.#devices.atHand(device);
  }

  async #device(device: string): Promise<DeviceLog> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.get(device));
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw diskError(error, READING);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closed();
  }
}
