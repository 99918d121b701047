import { StoreError } from '../../../base/errors.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import { Background } from '../../../turns/background.ts';
import { Serial } from '../../../turns/serial.ts';
import type { Database } from '../connection/connections.ts';
import { HEAD, headOf, lockHead, writeHead } from '../rows/head.ts';
import type { DeviceCache } from '../reading/device-cache.ts';
import { mergeSegments } from './merging.ts';
import { sealedAt } from './sealed-at.ts';
import type { Place } from '../rows/place.ts';
import type { BlockCache } from '../reading/reading.ts';
import { sealTail } from '../storing/sealing.ts';

export interface CompactionLimits {
  /** The fewest rows of a tail after which it is put into segments (sealed-at.ts). */
  readonly tailRows: number;
  /** Rows of a segment. */
  readonly segmentRows: number;
}

export interface CompactionParts {
  readonly database: Database;
  readonly devices: DeviceCache;
  readonly cache: BlockCache;
  readonly limits: CompactionLimits;
}

/** ms after which one device is tried again, of those where it failed or another process was first. */
const AGAIN_MS = 1000;

/** Background compaction: seals tails and merges segments. What fails is tried again. */
export class BackgroundCompaction {
  readonly #parts: CompactionParts;
  readonly #background = new Background();
  /** Serial: no caller waits for it. */
  readonly #work = new Serial();
  /** Devices that wait for it; whether they are to be merged though another process has sealed them. */
  readonly #wanted = new Map<string, boolean>();
  /** Devices whose compaction failed: one that stores nothing more has no other occasion. */
  readonly #failed = new Map<string, Place>();
  #again: NodeJS.Timeout | null = null;

  constructor(parts: CompactionParts) {
    this.#parts = parts;
  }

  /** Schedules compaction of a device whose tail has so many rows now, where these are enough. */
  filled(place: Place, tailRows: number): void {
    if (this.#isFull(place, tailRows)) this.#schedule(place, false);
  }

  /** Schedules compaction of a device: a long tail goes into segments, and these are merged. */
  want(place: Place): void {
    this.#schedule(place, true);
  }

  #schedule(place: Place, merges: boolean): void {
    if (this.#background.closing) return;
    const before = this.#wanted.get(place.device);
    this.#wanted.set(place.device, merges || before === true);
    if (before === undefined) this.#background.add(this.#work.run(() => this.#compact(place)));
  }

  /** Cancels compactions that have not begun. */
  stop(): void {
    this.#background.closing = true;
    if (this.#again !== null) clearTimeout(this.#again);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#background.idle();
  }

  async #compact(place: Place): Promise<void> {
    const merges = this.#wanted.get(place.device) === true;
    this.#wanted.delete(place.device);
    if (this.#background.closing) return;
    const { segmentRows } = this.#parts.limits;
    const isClosing = () => this.#background.closing;
    try {
      const isSealed = await this.#seal(place);
      // Segments are merged by the process that sealed the tail.
      const isDone =
        (!isSealed && !merges) || (await mergeSegments({ ...this.#parts, segmentRows, isClosing }, place));
      for (const failed of this.#failed.values()) this.#wantAgain(failed);
      if (!isDone) this.#wantLater(place);
    } catch (error) {
      // What is damaged is no less so in a while.
      if (error instanceof StoreError && error.code !== 'damaged') this.#wantLater(place);
      throw error;
    }
  }

  /** One of several is tried: where that fails, too, so would the others. */
  #wantLater(place: Place): void {
    if (this.#background.closing) return;
    this.#failed.set(place.device, place);
    this.#again ??= machineClock
      .after(AGAIN_MS, () => {
        this.#again = null;
        const [one] = this.#failed.values();
        if (one) this.#wantAgain(one);
      })
      .unref();
  }

  #wantAgain(place: Place): void {
    this.#failed.delete(place.device);
    this.want(place);
  }

  #isFull({ device }: Place, tailRows: number): boolean {
    return tailRows >= sealedAt(device, this.#parts.limits.tailRows);
  }

  /** Seals a tail, unless another process has done it; resolves with whether it did. Looks without the lock that appends need, first. */
  async #seal(place: Place): Promise<boolean> {
    const { database, limits } = this.#parts;
    const [row] = await database.ask(HEAD, [place.lane, place.device]);
    if (!this.#isFull(place, headOf(row).tailRows)) return false;
    return database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        if (!this.#isFull(place, head.tailRows)) return false;
        await writeHead(transaction, place, await sealTail(transaction, place, head, limits.segmentRows));
        return true;
      },
      { lane: place.lane },
    );
  }
}
