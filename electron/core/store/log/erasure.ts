import { machineClock } from '../../base/machine-clock.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Common } from './device/common.ts';
import type { Wal } from './wal/wal.ts';

/*
 * What was deleted must not stay readable in the write-ahead log, whose files are used again and keep what they held. So
 * once something was deleted every file that there is then is given up: its records move to segments, its bytes are
 * overwritten and it goes. Where nothing is deleted this costs nothing.
 */

/** Share of the time that erasing may take, however often something is deleted. */
const SHARE = 1 / 20;
/** ms until another attempt where the disk was full. */
const RETRY_MS = 30_000;
/** Sees to it, a moment after something was deleted and at the latest when the store closes. */
export class Erasure {
  readonly #wal: Wal;
  readonly #checkpoint: Checkpoint;
  readonly #common: Common;
  #timer: NodeJS.Timeout | null = null;
  #running = false;
  #closing = false;
  /** When it may take time again, of the machine's monotonic clock. */
  #restedAt = 0;

  constructor(wal: Wal, checkpoint: Checkpoint, common: Common) {
    this.#wal = wal;
    this.#checkpoint = checkpoint;
    this.#common = common;
  }

  /** Whether a file may hold something that was deleted. */
  get isPending(): boolean {
    return this.#wal.mayHoldDeleted || this.#checkpoint.mayHoldDeleted;
  }

  /** The log has just said that something was deleted: every file that there is now is to go. */
  want(): void {
    this.#wal.giveUpFiles();
    this.#checkpoint.giveUpFiles();
    if (!this.#running) this.#wait();
  }

  /** From now on closing sees to it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#closing = true;
  }

  /** Waits a while, so that what is deleted at about the same time goes at once; `leastMs` where more is due. */
  #wait(leastMs = 0): void {
    const { eraseAfterMs } = this.#common.limits;
    const ms = Math.max(eraseAfterMs, leastMs, this.#restedAt - machineClock.monotonicMs());
    if (this.#timer !== null || this.#closing || ms === Infinity) return;
    if (ms === 0) this.#common.background(this.#run());
    else
      this.#timer = machineClock
        .after(ms, () => {
          this.#timer = null;
          this.#common.background(this.#run());
        })
        .unref();
  }

  async #run(): Promise<void> {
    this.#running = true;
    const began = machineClock.monotonicMs();
    let failed = false;
    try {
      // First what waits already: a file can only be turned to where not too many do.
      await this.#checkpoint.run(this.#wal);
      if (this.#wal.mayHoldDeleted) await this.#wal.renew();
      await this.#checkpoint.run(this.#wal);
      failed = this.#checkpoint.mayHoldDeleted;
    } catch {
      // Whoever stores next meets what is wrong with the disk, and is told; here it is tried again.
      failed = true;
    }
    this.#running = false;
    const ended = machineClock.monotonicMs();
    this.#restedAt = ended + (ended - began) / SHARE;
    if (this.isPending && this.#common.poison.reason === null) this.#wait(failed ? RETRY_MS : 0);
  }
}
