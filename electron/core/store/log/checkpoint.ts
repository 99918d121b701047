import { StoreError } from '#core/errors.ts';
import type { DeviceLog } from './device/device-log.ts';
import { closed } from '../store-errors.ts';
import type { WalFile } from './wal/wal-files.ts';
import type { Wal } from './wal/wal.ts';

/**
 * Files of the write-ahead log that may wait for their records to reach segments before storing has to wait. With ten
 * thousand devices a round takes seconds; whatever came meanwhile goes along in the next one.
 */
const MOST_WAITING = 8;
/** Devices whose records are moved at the same time. */
const AT_ONCE = 8;

/** Moves the records of full log files to segments, oldest first, so that the files can be used again. */
export class Checkpoint {
  readonly #waiting: WalFile[];
  readonly #device: (id: string) => Promise<DeviceLog>;
  #stopped = false;
  #running: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(waiting: readonly WalFile[], device: (id: string) => Promise<DeviceLog>) {
    this.#waiting = [...waiting];
    this.#device = device;
  }

  get mayHoldDeleted(): boolean {
    return this.#waiting.some((file) => file.mayHoldDeleted);
  }

  /** Something was deleted: what waits may hold it. */
  giveUpFiles(): void {
    for (const file of this.#waiting) file.mayHoldDeleted = true;
  }

  /** Turns the log to a new file; waits only when records come faster than segments can be written. */
  async turn(wal: Wal): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) {
      await this.run(wal);
      if (this.#waiting.length >= MOST_WAITING) throw this.#failure ?? closed();
    }
    this.#waiting.push(await wal.turn());
    void this.run(wal);
  }

  /** Never rejects: a failure is kept, and met again by the next that needs the room. */
  run(wal: Wal): Promise<void> {
    this.#running ??= this.#drain(wal).finally(() => (this.#running = null));
    return this.#running;
  }

  async #drain(wal: Wal): Promise<void> {
    try {
      for (let oldest = this.#waiting[0]; oldest !== undefined; oldest = this.#waiting[0]) {
        // Several at a time: most of the work is waiting for the disk to confirm.
        const left = oldest.lastOf.entries();
        const done = await Promise.all(Array.from({ length: AT_ONCE }, () => this.#flushAll(left)));
        if (done.includes(false)) return;
        await wal.release(oldest);
        this.#waiting.shift();
      }
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Resolves with false when it was stopped. */
  async #flushAll(entries: Iterable<[device: string, sequence: number]>): Promise<boolean> {
    for (const [id, sequence] of entries) {
      if (this.#stopped) return false;
      const log = await this.#device(id);
      if (log.persisted < sequence) await log.flush();
      if (log.persisted < sequence) throw new StoreError('io', `Records of device ${id} could not be moved.`);
    }
    return true;
  }

  /** Leaves what is not yet moved in the log, for the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Lets go of the files that are left. */
  async close(): Promise<void> {
    await this.#running;
    for (const { file } of this.#waiting) file.close();
  }
}
