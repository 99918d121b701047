import { StoreError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { Limits } from './device/common.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import { Serial } from '../../turns/serial.ts';
import { closed } from '../store-errors.ts';
import type { WalFile } from './wal/wal-files.ts';
import type { NewEntry } from './wal/new-entry.ts';
import { ERASE } from './wal/wal-entry.ts';
import type { Wal } from './wal/wal.ts';

/*
 * Gives up full files of the write-ahead log, oldest first, once what they hold is elsewhere. Few devices move to segments at
 * once. Of thousands, which have some rows each, only those with enough of them do: four syncs for every device would
 * keep a disk busy for longer than it takes to fill the next file. The others are carried on: written to the log
 * again, packed, many with one sync.
 */

/**
 * Files of the write-ahead log that may wait for their records to be elsewhere before storing has to wait; a round may
 * take seconds, and whatever came meanwhile goes along in the next one.
 */
const MOST_WAITING = 16;
/** Devices whose records are moved at the same time. */
const AT_ONCE = 8;
/** The same where they are among many: the log syncs beside them. */
const OF_MANY_AT_ONCE = 2;
/** Devices carried on by one write, and ms for which they are packed: what arrives waits for that. */
const WHILE_OPEN = { devices: 64, ms: 4 };
/** On closing nothing arrives. */
const ON_CLOSING = { devices: 512, ms: 50 };

type CompactionLimits = Pick<Limits, 'manyDevices' | 'roundFiles'>;

/**
 * Checkpoint: moves the records of full log files to segments, or compacts them into the current file, so that the files can
 * be used again.
 */
export class Checkpoint {
  readonly #waiting: WalFile[];
  readonly #devices: Devices;
  readonly #limits: CompactionLimits;
  #stopped = false;
  /** Whether every device moves, however few rows it has, or every one is carried on, however many. */
  #last: 'move' | 'carry' | null = null;
  /** When it stops at the latest, of the machine's monotonic clock. */
  #until = Infinity;
  readonly #rounds = new Serial();
  #catchingUp: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(waiting: readonly WalFile[], devices: Devices, limits: CompactionLimits) {
    this.#waiting = [...waiting];
    this.#devices = devices;
    this.#limits = limits;
  }

  /** Full files, oldest first. */
  get waiting(): readonly WalFile[] {
    return [...this.#waiting];
  }

  get mayHoldDeleted(): boolean {
    return this.#waiting.some((file) => file.mayHoldDeleted);
  }

  /** Gives up files after a delete: their entries may be of it. */
  giveUpFiles(): void {
    for (const file of this.#waiting) file.mayHoldDeleted = true;
  }

  /** Whether there are full files. */
  get isPending(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the log can be turned to a new file right now. */
  get canTurn(): boolean {
    return this.#waiting.length < MOST_WAITING;
  }

  /** Turns the log to a new file; waits only when records come faster than segments can be written. */
  async turn(wal: Wal): Promise<void> {
    if (!this.canTurn) {
      await this.catchUp(wal);
      if (!this.canTurn) throw this.#failure ?? closed();
    }
    this.#waiting.push(await wal.turn());
    if (this.#isDue) void this.catchUp(wal);
  }

  /** Gives up so many full files that the others may wait. Never rejects, as `run`. */
  catchUp(wal: Wal): Promise<void> {
    this.#catchingUp ??= this.#rounds.run(async () => {
      await this.#drain(wal, () => this.#isDue);
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  /** Whether a round is worth it: where it carries devices on it costs about as much for one file as for several. */
  get #isDue(): boolean {
    const areMany = this.#waiting.length >= this.#limits.roundFiles || !this.canTurn;
    return areMany || this.#waiting.some((file) => !this.#hasMany(file));
  }

  #hasMany({ lastOf }: WalFile): boolean {
    return lastOf.size > this.#limits.manyDevices;
  }

  /**
   * Gives up every file that is full now. Never rejects: a failure is kept, and met again by the next that needs the room.
   */
  run(wal: Wal): Promise<void> {
    return this.#rounds.run(() => {
      let left = this.#waiting.length;
      return this.#drain(wal, () => left-- > 0);
    });
  }

  /**
   * Goes on while there is more to do. What carries devices on fills files of its own: whoever went on until none is left
   * would do nothing else.
   */
  async #drain(wal: Wal, goesOn: () => boolean): Promise<void> {
    try {
      for (let oldest = this.#waiting[0]; oldest !== undefined && goesOn(); oldest = this.#waiting[0]) {
        const carried = new Set<DeviceLog>();
        // Several at a time: most of the work is waiting for the disk to confirm.
        const left = oldest.lastOf.entries();
        const mayCarry = this.#last === 'carry' || (this.#last === null && this.#hasMany(oldest));
        const moveAll = () => this.#moveAll(left, mayCarry, carried);
        const atOnce = mayCarry ? OF_MANY_AT_ONCE : AT_ONCE;
        const done = await Promise.all(Array.from({ length: atOnce }, moveAll));
        if (done.includes(false) || !(await this.#carry(wal, [...carried]))) return;
        if (!(await this.#finish(oldest, carried))) return;
        if (oldest.tellsOfDeletion) await this.#sayAgain(wal);
        await wal.release(oldest);
        this.#waiting.shift();
      }
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Moves devices to segments, or puts them with those to be carried. Resolves with false when it was stopped. */
  async #moveAll(
    entries: Iterable<[device: string, sequence: number]>,
    mayCarry: boolean,
    carried: Set<DeviceLog>,
  ): Promise<boolean> {
    for (const [id, sequence] of entries) {
      if (this.#mustStop) return false;
      if (this.#devices.isGone(id)) continue;
      const log = await this.#devices.get(id);
      if (log.settled >= sequence) continue;
      if (mayCarry && (log.isSmall || this.#last === 'carry')) carried.add(log);
      else if (!(await move(log))) carried.add(log);
    }
    return true;
  }

  /** Resolves with false when it was stopped. */
  async #carry(wal: Wal, logs: readonly DeviceLog[]): Promise<boolean> {
    for (let at = 0; at < logs.length;) {
      if (this.#mustStop) return false;
      const { devices, ms } = this.#last === null ? WHILE_OPEN : ON_CLOSING;
      let taken = 0;
      await wal.appendAlone(() => {
        const some = entriesOf(logs.slice(at, at + devices), ms);
        taken = some.taken;
        return some.entries;
      });
      at += taken;
    }
    return true;
  }

  /**
   * Moves what could not be carried after all: it was being moved just then, was purged, or restored. Resolves with false when it was
   * stopped.
   */
  async #finish(file: WalFile, carried: ReadonlySet<DeviceLog>): Promise<boolean> {
    for (const log of carried) {
      if (this.#mustStop) return false;
      if (this.#devices.isGone(log.id)) continue;
      const sequence = file.lastOf.get(log.id) ?? 0;
      if (log.settled < sequence) await log.flush();
      if (log.settled < sequence)
        throw new StoreError('io', `Records of device ${log.id} could not be moved.`);
    }
    return true;
  }

  /**
   * Of which devices files are left that no manifest names, and that may hold what was deleted: only the log tells the
   * start after a crash where to look for them.
   */
  async #sayAgain(wal: Wal): Promise<void> {
    const left = [...this.#devices.loaded.values()].filter(({ leavesFiles }) => leavesFiles);
    if (left.length > 0) await wal.appendAlone(() => left.map(({ id }) => eraseEntry(id)));
  }

  /** From now on every device moves to segments, so that the next start finds a short log. */
  moveEverything(): void {
    this.#last = 'move';
  }

  /**
   * From now on every device is carried on, packed, so that the next start finds a shorter log, though of many devices. What
   * is not done within so many ms stays in the log as it is.
   */
  carryEverything(ms: number): void {
    this.#last = 'carry';
    this.#until = machineClock.monotonicMs() + ms;
  }

  get #mustStop(): boolean {
    return this.#stopped || machineClock.monotonicMs() > this.#until;
  }

  /** Leaves what is not yet moved in the log, for the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Lets go of the files that are left. */
  async close(): Promise<void> {
    await this.#rounds.idle();
    for (const { file } of this.#waiting) file.close();
  }
}

/**
 * Moves the records of a device to segments. False where its folder cannot be written: the log keeps them, and others go on.
 * Rejects where that is no matter of one device.
 */
async function move(log: DeviceLog): Promise<boolean> {
  try {
    await log.flush();
    return true;
  } catch (error) {
    const isOfAll = error instanceof StoreError && (error.code === 'poisoned' || error.code === 'disk-full');
    if (isOfAll) throw error;
    return false;
  }
}

function eraseEntry(device: string): NewEntry {
  return { device, kind: ERASE, write: () => undefined, apply: () => undefined };
}

/** As many entries as are packed in a moment; those that have nothing to carry are taken, too. */
function entriesOf(
  logs: readonly DeviceLog[],
  ms: number,
): { readonly entries: NewEntry[]; readonly taken: number } {
  const entries: NewEntry[] = [];
  const began = machineClock.monotonicMs();
  let taken = 0;
  for (const log of logs) {
    const entry = log.toCarry();
    if (entry !== null) entries.push(entry);
    taken++;
    if (machineClock.monotonicMs() - began > ms) break;
  }
  return { entries, taken };
}
