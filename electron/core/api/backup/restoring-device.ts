import { quote } from '#shared/values/validate.ts';
import type { Split } from '#shared/operations/service/backup.ts';
import { undamaged } from '../../backup/undamaged.ts';
import type { FoundMember } from '../../backup/tar.ts';
import { badRequest, Refusal } from '../../base/errors.ts';
import type { BackupRecords, DeviceMoment, DeviceState, StagedRecords } from '../../store/backup-records.ts';
import { recordsOf } from './records-of.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { KnownRecords, StoredRecord } from '../../store/store.ts';

export interface RestoringDeviceParts {
  readonly device: string;
  /** For people to read. */
  readonly title: string;
  readonly state: DeviceState;
  readonly backup: BackupRecords;
  /** Under which its records are soft-deleted until the restore is decided. */
  readonly name: string;
  readonly isDryRun: boolean;
  readonly replaces: boolean;
  readonly isKnown: boolean;
  readonly signal: AbortSignal;
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
  /** The device has no room for the keys of what lacks. */
  #noRoom: Refusal | null = null;

  constructor(parts: RestoringDeviceParts) {
    this.#parts = parts;
    this.device = parts.device;
    this.name = parts.name;
  }

  /** Reads its records from the backup. Rejects with a 400 Refusal or StoreError. */
  async take(member: FoundMember): Promise<void> {
    const moment = await this.#before();
    if (moment === null) return this.#read(member, null);
    await moment.among((known) => this.#read(member, known));
  }

  /** All of it was read. Rejects as `take`. */
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
    if (this.#noRoom !== null && !this.isReplaced) throw this.#noRoom;
    const unwanted = this.isReplaced ? this.#lacking : this.#whole;
    const wanted =
      (this.isReplaced ? this.#whole : this.#lacking) ??
      (await backup.stage(this.device, { isInstead: this.isReplaced }));
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

  async #read(member: FoundMember, known: KnownRecords | null): Promise<void> {
    const { backup, device, isDryRun, replaces, signal } = this.#parts;
    for await (const records of recordsOf(member, backup)) {
      signal.throwIfAborted();
      const lacking = known === null ? records : await lackingOf(records, known);
      this.split.new += lacking.length;
      this.split.same += records.length - lacking.length;
      if (isDryRun) continue;
      if (lacking.length > 0 && this.#noRoom === null) await this.#addLacking(lacking);
      if (replaces && known !== null)
        await this.#add((this.#whole ??= await backup.stage(device, { isInstead: true })), records);
    }
  }

  /** That there is no room for their keys is of no account where all is replaced in the end. */
  async #addLacking(records: readonly StoredRecord[]): Promise<void> {
    const { backup, device, replaces } = this.#parts;
    try {
      await this.#add((this.#lacking ??= await backup.stage(device)), records);
    } catch (error) {
      if (!replaces || !(error instanceof Refusal)) throw error;
      this.#noRoom = error;
    }
  }

  async #add(staged: StagedRecords, records: readonly StoredRecord[]): Promise<void> {
    try {
      await staged.add(records);
    } catch (error) {
      if (!(error instanceof KeyLimitReached)) throw error;
      throw badRequest(`The device ${quote(this.#parts.title)} cannot be restored: ${error.message}`);
    }
  }

  /** The device as it is, without what is damaged; null where it is not there. */
  async #before(): Promise<DeviceMoment | null> {
    const { isKnown, backup, device, signal } = this.#parts;
    if (!isKnown || this.#moment !== null) return this.#moment;
    await undamaged(async () => {
      const moment = await backup.moment(device);
      try {
        for await (const block of moment.blocks()) {
          signal.throwIfAborted();
          void block;
        }
      } catch (error) {
        await moment.release();
        throw error;
      }
      this.#moment = moment;
    });
    return this.#moment;
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
