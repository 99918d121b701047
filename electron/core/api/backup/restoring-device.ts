import type { Split } from '#shared/operations/service/backup.ts';
import type { FoundMember } from '../../backup/tar.ts';
import type { BackupRecords, DeviceMoment, DeviceState, StagedRecords } from '../../store/backup-records.ts';
import { recordsOf } from './records-of.ts';
import type { KnownRecords, StoredRecord } from '../../store/store.ts';

export interface RestoringDeviceParts {
  readonly device: string;
  readonly state: DeviceState;
  readonly backup: BackupRecords;
  /** Under which its records are soft-deleted until the restore is decided. */
  readonly name: string;
  readonly isDryRun: boolean;
  readonly replaces: boolean;
  readonly isKnown: boolean;
}

/** One device of a restore: compares its records with those that are there, and stores what is to come back. */
export class RestoringDevice {
  readonly device: string;
  /** Under which its records are soft-deleted until the restore is decided. */
  readonly name: string;
  readonly split: Split = { new: 0, same: 0, differ: 0 };
  /** Whether the store has something of it under its name. */
  isStaged = false;
  /** Whether what is there goes, since it has records that the backup lacks. */
  isReplaced = false;
  readonly #parts: RestoringDeviceParts;
  /** Records that are not there; and all of them, where those may take the place of what is there. */
  #lacking: StagedRecords | null = null;
  #whole: StagedRecords | null = null;
  #moment: DeviceMoment | null = null;

  constructor(parts: RestoringDeviceParts) {
    this.#parts = parts;
    this.device = parts.device;
    this.name = parts.name;
  }

  /** Reads its records from the backup. Rejects with a 400 Refusal, KeyLimitReached or StoreError. */
  async take(member: FoundMember, signal: AbortSignal): Promise<void> {
    const moment = await this.#before();
    if (moment === null) return this.#read(member, null, signal);
    await moment.among((known) => this.#read(member, known, signal));
  }

  /** All of it was read. */
  async end(): Promise<this> {
    const { isDryRun, isKnown, replaces, state, backup } = this.#parts;
    const moment = await this.#before();
    this.split.differ = (moment?.records ?? 0) - this.split.same;
    await moment?.release();
    this.#moment = null;
    this.isReplaced = replaces && isKnown && this.split.differ > 0;
    if (isDryRun || (isKnown && this.split.new === 0 && !this.isReplaced)) {
      await this.abort();
      return this;
    }
    const unwanted = this.isReplaced ? this.#lacking : this.#whole;
    const wanted = (this.isReplaced ? this.#whole : this.#lacking) ?? (await backup.stage(this.device));
    await unwanted?.abort();
    await wanted.keep(this.name, isKnown ? NO_STATE : state);
    this.#lacking = this.#whole = null;
    this.isStaged = true;
    return this;
  }

  async abort(): Promise<void> {
    await this.#lacking?.abort();
    await this.#whole?.abort();
    await this.#moment?.release();
    this.#lacking = this.#whole = this.#moment = null;
  }

  async #read(member: FoundMember, known: KnownRecords | null, signal: AbortSignal): Promise<void> {
    const { backup, device, isDryRun, replaces } = this.#parts;
    for await (const records of recordsOf(member, backup)) {
      signal.throwIfAborted();
      const lacking = known === null ? records : await lackingOf(records, known);
      this.split.new += lacking.length;
      this.split.same += records.length - lacking.length;
      if (isDryRun) continue;
      if (lacking.length > 0) await (this.#lacking ??= await backup.stage(device)).add(lacking);
      if (replaces && known !== null) await (this.#whole ??= await backup.stage(device)).add(records);
    }
  }

  /** The device as it is; null where it is not there. */
  async #before(): Promise<DeviceMoment | null> {
    const { isKnown, backup, device } = this.#parts;
    return isKnown ? (this.#moment ??= await backup.moment(device)) : null;
  }
}

const NO_STATE: DeviceState = { lastSeen: null, purgedAt: null, receipts: Buffer.alloc(0) };

async function lackingOf(
  records: readonly StoredRecord[],
  known: KnownRecords,
): Promise<readonly StoredRecord[]> {
  const found = await known.find(records);
  return records.filter((_, i) => found[i] === 0);
}
