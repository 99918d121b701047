import type { Micros, TimeRange } from '#shared/values/time.ts';
import type {
  CheckOptions,
  Columns,
  DeviceSummary,
  Extent,
  LatestQuery,
  LatestValue,
  KeptRecords,
  Page,
  PackedBatch,
  PackedUpload,
  PageQuery,
  RecordStore,
  RecordSnapshot,
  RecoveryNote,
  Series,
  StoredCheck,
  StoredRecord,
  ThreadWork,
} from '../store.ts';
import type { BackupRecords, DeviceMoment, StagedRecords } from '../backup-records.ts';
import type { WorldSnapshots } from '../world-snapshots.ts';
import { closed, READING } from '../store-errors.ts';
import { countRecords, readColumns, readPage, readWithin } from '../blocks/reads.ts';
import { KeptPages } from '../blocks/query/kept-pages.ts';
import { packRecords } from '../blocks/block/packer.ts';
import { checkRecords } from '../blocks/block/record-bytes.ts';
import { recordsIn } from '../blocks/block/records-in.ts';
import { readReadings } from '../blocks/reading-reads.ts';
import { readIntervals, readSeries } from '../blocks/series-reads.ts';
import { readKeys, readSummary } from '../blocks/summary-reads.ts';
import type { SeriesQuery } from '../blocks/series/series.ts';
import { diskError, doing } from '../../disk/errors.ts';
import { checkDevice, checkWals, NOTHING } from './check/live-check.ts';
import { closeLog } from './closing.ts';
import { ownKeys } from './device/device-keys.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import { countWith, scanRecords } from './device/scan.ts';
import { about } from './device/keeping.ts';
import { momentOf } from './device/moment.ts';
import { snapshotOf } from './device/snapshot/snapshot.ts';
import { StagedBatch } from './device/staged-batch.ts';
import { Removals } from './removals.ts';
import type { StoreParts } from './store-parts.ts';
import { blocksOfUpload, Uploads } from './uploads.ts';

/** The append log as the service sees it. */
export class LogStore implements RecordStore, BackupRecords {
  readonly recovery: readonly RecoveryNote[];
  readonly threadWork: ThreadWork | null;
  readonly worlds: WorldSnapshots;
  readonly #parts: StoreParts;
  readonly #devices: Devices;
  readonly #uploads: Uploads;
  readonly #removals: Removals;
  readonly #pages = new KeptPages();
  #closed = false;

  constructor(parts: StoreParts, recovery: readonly RecoveryNote[], worlds: WorldSnapshots) {
    this.#parts = parts;
    this.worlds = worlds;
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
      snapshot: (device) => this.#snapshot(device, false),
      anySnapshot: (device) => this.#snapshot(device, true),
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
    return new StagedBatch(await this.#device(device));
  }

  async revision(device: string): Promise<number> {
    return (await this.#device(device)).revision;
  }

  async page(device: string, query: PageQuery): Promise<Page> {
    const log = this.#known(device) ?? (await this.#device(device));
    return this.#reading(() => readPage(log, query, { kept: this.#pages }));
  }

  async columns(device: string, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    const log = await this.#device(device);
    return this.#reading(() => readColumns(log, query));
  }

  async *scan(device: string, range?: TimeRange): AsyncGenerator<readonly StoredRecord[]> {
    yield* scanRecords(await this.#device(device), range);
  }

  async #snapshot(device: string, any: boolean): Promise<RecordSnapshot | null> {
    const log = await this.#device(device);
    const { threadsFindFiles, limits } = this.#parts.common;
    const isMuch = any || log.rows >= limits.threadRows || log.bytes >= limits.threadBytes;
    // Threads that do not find the files get a copy, which is made in one go.
    const canHave = threadsFindFiles || log.bytes <= limits.copiedBytes;
    return isMuch && canHave ? this.#reading(() => snapshotOf(log, !threadsFindFiles)) : null;
  }

  async count(device: string, range?: TimeRange): Promise<number> {
    const log = await this.#device(device);
    return this.#reading(() => countRecords(log, range));
  }

  readonly countWith: RecordStore['countWith'] = async (device, ...asked) => {
    const log = await this.#device(device);
    return doing(READING, () => countWith(log, ...asked));
  };

  async within(device: string, range: TimeRange): Promise<Omit<Extent, 'bytes'>> {
    const log = await this.#device(device);
    return this.#reading(() => readWithin(log, range));
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

  readonly readings: RecordStore['readings'] = async (device, asked) => {
    const log = await this.#device(device);
    return doing(READING, () => readReadings(log, asked));
  };

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.each(devices, (id) => this.#devices.lastSeen(id)));
  }

  async extents(devices: readonly string[]): Promise<readonly Extent[]> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.each(devices, (id) => this.#devices.extent(id)));
  }

  async latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]> {
    this.#checkOpen();
    return doing(READING, () => this.#devices.each(asked, (query) => this.#devices.latest(query)));
  }

  async purge(device: string, at: Micros): Promise<number> {
    return this.#removals.purge(await this.#device(device), at);
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    return this.#removals.range(await this.#device(device), range);
  }

  async keep(
    device: string,
    name: string,
    removal: { readonly range: TimeRange } | { readonly at: Micros },
  ): Promise<KeptRecords> {
    return this.#removals.keep(await this.#device(device), name, removal);
  }

  async restore(device: string, name: string): Promise<boolean> {
    return this.#removals.restore(await this.#device(device), name);
  }

  async discard(device: string, name: string): Promise<boolean> {
    return this.#removals.discard(await this.#device(device), name);
  }

  async kept(device: string): Promise<readonly KeptRecords[]> {
    return (await this.#device(device)).bin.map(about);
  }

  async revive(device: string): Promise<void> {
    this.#checkOpen();
    await this.#devices.revive(device);
  }

  async retire(device: string): Promise<void> {
    this.#checkOpen();
    await doing(READING, () => this.#devices.retire(device));
  }

  async drop(device: string): Promise<number> {
    this.#checkOpen();
    if (this.#devices.isGone(device)) return 0;
    if (this.#devices.isRetiredAsleep(device)) return this.#removals.dropAsleep(device);
    return this.#removals.drop(await this.#device(device));
  }

  async isEmpty(device: string): Promise<boolean> {
    const log = await this.#device(device);
    return doing(READING, () => log.isEmpty());
  }

  async check(device: string | null, options: CheckOptions = {}): Promise<StoredCheck> {
    this.#checkOpen();
    const { common } = this.#parts;
    if (device === null) return doing(READING, () => checkWals(common, this.#parts, options));
    if (this.#devices.isGone(device)) return NOTHING;
    const known = this.recovery.length;
    const log = await this.#device(device);
    const checked = await doing(READING, () => checkDevice(common, log, options));
    // A device that is looked at for the first time is mended at once, as far as its manifest goes.
    const mended = this.recovery.slice(known).flatMap((note) => {
      if (note.device !== device || note.kind !== 'damaged') return [];
      return [{ device, file: device, message: note.message, loses: true }];
    });
    return { ...checked, findings: [...mended, ...checked.findings] };
  }

  async moment(device: string): Promise<DeviceMoment> {
    this.#checkOpen();
    const log = await doing(READING, () => this.#devices.look(device));
    return this.#reading(() => momentOf(log, this.#parts.common.files));
  }

  async stage(device: string, { isInstead } = { isInstead: false }): Promise<StagedRecords> {
    if (this.#devices.isGone(device)) await this.revive(device);
    const log = await this.#device(device);
    return new StagedBatch(log, isInstead ? ownKeys() : log.keys);
  }

  readonly recordsIn = recordsIn;

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
