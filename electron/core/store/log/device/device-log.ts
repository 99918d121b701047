import type { StoreError } from '../../../base/errors.ts';
import { chooseSegments, mergeSegments } from './merge.ts';
import { LogCompaction, isStuck, movesAgain } from './log-compaction.ts';
import type { NewEntry } from '../wal/new-entry.ts';
import { diskError, errorCode } from '../../../disk/errors.ts';
import { DeviceEntries } from './device-entries.ts';
import { Writers } from './writers.ts';
import type { KeptSegments } from '../segment/kept-segments.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Common } from './common.ts';
import { Abandoned, wholeParts } from '../segment/sorted-writer.ts';

/**
 * One device as the write-ahead log has it: moves what its entries brought to segments or carries it on, so that files of the log
 * can go.
 */
export class DeviceLog extends DeviceEntries {
  readonly writers = new Writers();
  #merging = false;
  readonly #compaction: LogCompaction;

  constructor(common: Common, id: string) {
    super(common, id);
    this.#compaction = new LogCompaction(id, common.limits, this.unsaved);
  }

  /** Entries of the log up to this one are in segments, or in an entry behind them. */
  get settled(): number {
    return Math.max(this.persisted, this.#compaction.covered);
  }

  /** Whether it has too few rows in the log for files of its own. */
  get isSmall(): boolean {
    return this.#compaction.isSmall && !this.wantsFlush;
  }

  /** Why its records could not be moved to segments last time, if so. */
  get stuck(): StoreError | null {
    return this.#compaction.stuck;
  }

  /** Whether nothing more is to be stored while it is stuck: its records fill memory and log. */
  get isFull(): boolean {
    return this.#compaction.isFull;
  }

  /** Whether only the snapshot has what the log says is the device's. */
  needs(snapshot: string): boolean {
    return this.snapshotEntries.id === snapshot && !this.snapshotEntries.areIn(this.persisted, this.settled);
  }

  get wantsFlush(): boolean {
    return this.unsaved.lateRuns >= this.common.limits.lateRuns;
  }

  /** Moves what is in memory to segments, so that the write-ahead log no longer needs to hold it. */
  flush(): Promise<void> {
    return this.work.run(async () => {
      try {
        await this.flushNow();
      } catch (error) {
        // Once more, with its folder made again where somebody has taken it away.
        if (errorCode(error) === 'ENOENT') this.folder.lost();
        await this.flushNow().catch((failure: unknown) => this.#fail(failure));
      }
      if (this.stuck !== null) {
        this.#compaction.stuck = null;
        this.common.note({ device: this.id, kind: 'stuck', message: movesAgain(this.id) });
      }
    });
  }

  /** Says so once, until it works again: meanwhile its records are safe in the log. */
  #fail(failure: unknown): never {
    const error = diskError(failure, `moving records of device ${this.id}`);
    if (this.stuck === null && this.common.poison.reason === null)
      this.common.note({ device: this.id, kind: 'stuck', message: isStuck(this.id, error) });
    this.#compaction.stuck = error;
    throw error;
  }

  /** Makes room for files of the device. */
  prepare(): Promise<void> {
    return this.kept.prepare();
  }

  discardKept(entry: KeptSegments): Promise<void> {
    return this.kept.discard(entry);
  }

  /** `flush` for work that already has its turn. */
  async flushNow(): Promise<void> {
    if (!this.unsaved.hasArrived) {
      // What was carried may have been moved meanwhile: then no segment lacks anything.
      this.kept.flushed = Math.max(this.kept.flushed, this.applied);
      return this.lifecycle.persist();
    }
    const { generation } = this;
    const flushed = this.applied;
    const taken = this.unsaved.take();
    this.changed();
    try {
      await this.kept.prepare();
      const made: SegmentMeta[] = [];
      try {
        for (const layer of taken.layers)
          for (const sources of [layer.liveSources(true), layer.lateSources(true)])
            if (sources.length > 0) made.push(...(await this.write(wholeParts(sources), { flushed })));
      } catch (error) {
        await this.folder.discard(made);
        throw error;
      }
      if (!(await this.commit(made, [], flushed, generation))) await this.folder.discard(made);
      this.maintain();
    } catch (error) {
      if (error instanceof Abandoned) return;
      if (this.generation === generation) this.unsaved.takeBack(taken);
      this.changed();
      throw error;
    }
  }

  /** Merges segments in the background where it is worth it. */
  maintain(): void {
    if (this.#merging || chooseSegments(this, this.common.limits.segmentRows) === null) return;
    this.#merging = true;
    const merged = this.common.merging.run(() => mergeSegments(this)).finally(() => (this.#merging = false));
    this.common.background(merged);
  }

  /**
   * Returns the entry that compacts all its entries in the log, while none is being written. Null where it has none, or
   * where they are on their way to segments.
   */
  toCarry(): NewEntry | null {
    if (!this.unsaved.hasArrived || this.unsaved.isFlushing || this.persisted < this.kept.flushed)
      return null;
    const { lastSeen } = this;
    const carried = { covers: this.applied, lastSeen, receipts: this.receipts.pending() };
    this.changed();
    return this.#compaction.entry(carried, (sequence) => (this.applied = Math.max(this.applied, sequence)));
  }
}
