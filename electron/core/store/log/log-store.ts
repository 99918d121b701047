import type { Micros, TimeRange } from '#shared/values/time.ts';
import type {
  CheckOptions,
  KeptRecords,
  PackedBatch,
  PackedUpload,
  RecordStore,
  RecoveryNote,
  StoredCheck,
  StoredRecord,
  ThreadWork,
} from '../store.ts';
import type { BackupRecords, DeviceMoment, StagedRecords } from '../backup-records.ts';
import type { WorldSnapshots } from '../world-snapshots.ts';
import { READING } from '../store-errors.ts';
import { packRecords } from '../blocks/block/packer.ts';
import { checkRecords } from '../blocks/block/record-bytes.ts';
import { recordsIn } from '../blocks/block/records-in.ts';
import { doing } from '../../disk/errors.ts';
import { checkDevice, checkWals, NOTHING } from './check/live-check.ts';
import { closeLog } from './closing.ts';
import { ownKeys } from './device/device-keys.ts';
import type { Devices } from './device/devices.ts';
import { about } from './device/keeping.ts';
import { momentOf } from './device/moment.ts';
import { StagedBatch } from './device/staged-batch.ts';
import { LogReads } from './log-reads.ts';
import { Removals } from './removals.ts';
import type { StoreParts } from './store-parts.ts';
import { blocksOfUpload, Uploads } from './uploads.ts';

/** The append log as the service sees it. */
export class LogStore extends LogReads implements RecordStore, BackupRecords {
  readonly recovery: readonly RecoveryNote[];
  readonly threadWork: ThreadWork | null;
  readonly worlds: WorldSnapshots;
  readonly #parts: StoreParts;
  readonly #devices: Devices;
  readonly #uploads: Uploads;
  readonly #removals: Removals;

  constructor(parts: StoreParts, recovery: readonly RecoveryNote[], worlds: WorldSnapshots) {
    super(parts);
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
      snapshot: (device) => this.snapshot(device, false),
      anySnapshot: (device) => this.snapshot(device, true),
    };
  }

  async append(
    device: string,
    records: readonly StoredRecord[],
    { receipt }: { readonly receipt?: string | undefined } = {},
  ): Promise<'stored' | 'duplicate'> {
    if (records.length === 0) return 'stored';
    checkRecords(records);
    const log = this.known(device) ?? (await this.device(device));
    return this.#uploads.records(log, records, receipt);
  }

  async #appendPacked(
    device: string,
    upload: PackedUpload,
    { receipt }: { readonly receipt?: string | undefined } = {},
  ): Promise<'stored' | 'duplicate'> {
    const blocks = await blocksOfUpload(upload);
    const log = this.known(device) ?? (await this.device(device));
    return this.#uploads.packed(log, upload, blocks, receipt);
  }

  async batch(device: string): Promise<PackedBatch> {
    return new StagedBatch(await this.device(device));
  }

  async revision(device: string): Promise<number> {
    return (await this.device(device)).revision;
  }

  async purge(device: string, at: Micros): Promise<number> {
    return this.#removals.purge(await this.device(device), at);
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    return this.#removals.range(await this.device(device), range);
  }

  async keep(
    device: string,
    name: string,
    removal: { readonly range: TimeRange } | { readonly at: Micros },
  ): Promise<KeptRecords> {
    return this.#removals.keep(await this.device(device), name, removal);
  }

  async restore(device: string, name: string): Promise<boolean> {
    return this.#removals.restore(await this.device(device), name);
  }

  async discard(device: string, name: string): Promise<boolean> {
    return this.#removals.discard(await this.device(device), name);
  }

  async kept(device: string): Promise<readonly KeptRecords[]> {
    return (await this.device(device)).bin.map(about);
  }

  async revive(device: string): Promise<void> {
    this.checkOpen();
    await this.#devices.revive(device);
  }

  async retire(device: string): Promise<void> {
    this.checkOpen();
    await doing(READING, () => this.#devices.retire(device));
  }

  async drop(device: string): Promise<number> {
    this.checkOpen();
    if (this.#devices.isGone(device)) return 0;
    if (this.#devices.isRetiredAsleep(device)) return this.#removals.dropAsleep(device);
    return this.#removals.drop(await this.device(device));
  }

  async isEmpty(device: string): Promise<boolean> {
    const log = await this.device(device);
    return doing(READING, () => log.isEmpty());
  }

  async check(device: string | null, options: CheckOptions = {}): Promise<StoredCheck> {
    this.checkOpen();
    const { common } = this.#parts;
    if (device === null) return doing(READING, () => checkWals(common, this.#parts, options));
    if (this.#devices.isGone(device)) return NOTHING;
    const known = this.recovery.length;
    const log = await this.device(device);
    const checked = await doing(READING, () => checkDevice(common, log, options));
    // A device that is looked at for the first time is mended at once, as far as its manifest goes.
    const mended = this.recovery.slice(known).flatMap((note) => {
      if (note.device !== device || note.kind !== 'damaged') return [];
      return [{ device, file: device, message: note.message, loses: true }];
    });
    return { ...checked, findings: [...mended, ...checked.findings] };
  }

  async moment(device: string): Promise<DeviceMoment> {
    this.checkOpen();
    const log = await doing(READING, () => this.#devices.look(device));
    return this.reading(() => momentOf(log, this.#parts.common.files));
  }

  async stage(device: string, { isInstead } = { isInstead: false }): Promise<StagedRecords> {
    if (this.#devices.isGone(device)) await this.revive(device);
    const log = await this.device(device);
    return new StagedBatch(log, isInstead ? ownKeys() : log.keys);
  }

  readonly recordsIn = recordsIn;

  async devices(): Promise<readonly string[]> {
    this.checkOpen();
    return this.#devices.stored();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await closeLog(this.#parts);
  }
}
