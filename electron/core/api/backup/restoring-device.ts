import { quote } from '#shared/values/validate.ts';
import type { Split } from '#shared/operations/service/backup.ts';
import type { FoundMember } from '../../backup/tar.ts';
import { badRequest } from '../../base/errors.ts';
import type { BackupRecords, DeviceMoment, DeviceState, StagedRecords } from '../../store/backup-records.ts';
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

const HEADER_BYTES = 8;
/** A block has 1,024 rows at most, whose texts have some MB. */
const MOST_BLOCK_BYTES = 256 * 1024 * 1024;

/** One device of a restore: compares its records with those that are there, and stores what is to come back. */
export class RestoringDevice {
  readonly device: string;
  readonly split: Split = { new: 0, same: 0, differ: 0 };
  /** Whether the store has something of it under the name of the restore. */
  isStaged = false;
  readonly #parts: RestoringDeviceParts;
  #staged: StagedRecords | null = null;
  #moment: DeviceMoment | null = null;

  constructor(parts: RestoringDeviceParts) {
    this.#parts = parts;
    this.device = parts.device;
  }

  /** Whether what is there goes, since the backup has other records. */
  get isReplaced(): boolean {
    const { replaces, isKnown } = this.#parts;
    return replaces && isKnown && this.split.differ > 0;
  }

  /** Reads its records from the backup. Rejects with a 400 Refusal, KeyLimitReached or StoreError. */
  async take(member: FoundMember, signal: AbortSignal): Promise<void> {
    const moment = await this.#before();
    if (moment === null) return this.#read(member, null, signal);
    await moment.among((known) => this.#read(member, known, signal));
  }

  /** All of it was read. */
  async end(): Promise<this> {
    const { isDryRun, isKnown, name, state } = this.#parts;
    const moment = await this.#before();
    this.split.differ = (moment?.records ?? 0) - this.split.same;
    await moment?.release();
    this.#moment = null;
    const isWanted = !isKnown || this.split.new > 0 || this.isReplaced;
    if (isDryRun) return this;
    if (isWanted) {
      await (await this.#store()).keep(name, isKnown ? NO_STATE : state);
      this.isStaged = true;
    } else await this.#staged?.abort();
    this.#staged = null;
    return this;
  }

  async abort(): Promise<void> {
    await this.#staged?.abort();
    await this.#moment?.release();
    this.#staged = this.#moment = null;
  }

  async #read(member: FoundMember, known: KnownRecords | null, signal: AbortSignal): Promise<void> {
    const { backup, isDryRun, replaces } = this.#parts;
    for await (const block of blocksIn(member)) {
      signal.throwIfAborted();
      const records = backup.recordsIn(block);
      if (records === null) throw noBlock(member);
      const lacking = known === null ? records : await lackingOf(records, known);
      this.split.new += lacking.length;
      this.split.same += records.length - lacking.length;
      const wanted = replaces ? records : lacking;
      if (!isDryRun && wanted.length > 0) await (await this.#store()).add(wanted);
    }
  }

  /** The device as it is; null where it is not there. */
  async #before(): Promise<DeviceMoment | null> {
    const { isKnown, backup, device } = this.#parts;
    return isKnown ? (this.#moment ??= await backup.moment(device)) : null;
  }

  async #store(): Promise<StagedRecords> {
    return (this.#staged ??= await this.#parts.backup.stage(this.device));
  }
}

const NO_STATE: DeviceState = { lastSeen: null, purgedAt: null, receipts: [] };

async function lackingOf(
  records: readonly StoredRecord[],
  known: KnownRecords,
): Promise<readonly StoredRecord[]> {
  const found = await known.find(records);
  return records.filter((_, i) => found[i] === 0);
}

/** The blocks of a member, each in bytes of its own. Rejects with a 400 Refusal where they are none. */
async function* blocksIn(member: FoundMember): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const piece of member.content) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    for (;;) {
      if (held.length < HEADER_BYTES) break;
      const length = held.readUInt32LE(4);
      if (length < HEADER_BYTES || length % 8 !== 0 || length > MOST_BLOCK_BYTES) throw noBlock(member);
      if (held.length < length) break;
      // In bytes of its own, as a block begins at a multiple of 8.
      yield Buffer.from(Uint8Array.from(held.subarray(0, length)).buffer);
      held = held.subarray(length);
    }
  }
  if (held.length > 0) throw noBlock(member);
}

const noBlock = ({ name }: FoundMember) =>
  badRequest(`body: ${quote(name)} holds something else than the records of a device`);
