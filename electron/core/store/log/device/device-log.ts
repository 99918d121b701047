import type { Micros } from '#shared/values/time.ts';
import type { StoreError } from '../../../base/errors.ts';
import type { DeviceState } from '../../backup-records.ts';
import type { StoredRecord } from '../../store.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { removeDamaged } from '../segment/damaged.ts';
import { SnapshotEntries, type SavedDevice } from './saved/snapshot-entries.ts';
import { chooseSegments, mergeSegments } from './merge.ts';
import { LogCompaction, isStuck, movesAgain } from './log-compaction.ts';
import type { FoundCarried } from '../wal/carried.ts';
import type { NewEntry } from '../wal/new-entry.ts';
import { diskError, errorCode } from '../../../disk/errors.ts';
import { DeviceRows } from './device-rows.ts';
import { Writers } from './writers.ts';
import type { KeptSegments } from './device-segments.ts';
import { unpacked, type Digest } from '../wal/receipt-digest.ts';
import type { Receipts } from './receipts/receipts.ts';
import type { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Common } from './common.ts';
import { Abandoned, wholeParts } from '../segment/sorted-writer.ts';

/**
 * One device as the write-ahead log has it: takes up its entries, in their order, and moves what they brought to segments or
 * carries it on, so that files of the log can go.
 */
export class DeviceLog extends DeviceRows {
  readonly writers = new Writers();
  /** The last entry of the write-ahead log that this device has seen. */
  #applied = 0;
  #merging = false;
  readonly #compaction: LogCompaction;
  readonly #snapshot = new SnapshotEntries();

  constructor(common: Common, id: string) {
    super(common, id);
    this.#compaction = new LogCompaction(id, common.limits, this.unsaved);
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<void> {
    ({ lastSeen: this.lastSeen, purgedAt: this.purgedAt } = await this.kept.load());
    this.#applied = this.kept.flushed;
    this.unsaved.comesAfter(this.kept.newest);
  }

  /** As in `DeviceRows`; what a snapshot had of it is noted where its files were gone. */
  override settle(): void {
    if (this.#snapshot.isLost)
      this.common.note({ device: this.id, kind: 'damaged', message: lostSnapshot(this.id) });
    super.settle();
  }

  /** Begins an empty device: entries up to this one, which the log may still have, were removed before. */
  beginAfter(sequence: number): void {
    this.folder.persisted = this.kept.flushed = this.#applied = sequence;
  }

  get receipts(): Receipts {
    return this.folder.receipts;
  }

  /** The last log entry that the manifest on disk covers. */
  get persisted(): number {
    return this.folder.persisted;
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

  /** Whether the write-ahead log holds something that segments and manifest do not. */
  get isDirty(): boolean {
    return this.unsaved.hasArrived || this.persisted < this.kept.flushed;
  }

  get exists(): boolean {
    const isKnown = this.folder.exists || this.lastSeen !== null || this.purgedAt !== null;
    return isKnown && !this.lifecycle.isDropped;
  }

  get wantsFlush(): boolean {
    return this.unsaved.lateRuns >= this.common.limits.lateRuns;
  }

  /** Whether an entry of the log is not yet in what was loaded. */
  isNew(sequence: number): boolean {
    return sequence > this.#applied;
  }

  applyRows(sequence: number, records: readonly StoredRecord[], receipt: Digest | null): void {
    this.unsaved.add(records);
    this.#saw(sequence, receipt, latestReceived(records));
  }

  applyBlocks(sequence: number, blocks: readonly Block[], receipt: Digest | null): void {
    this.unsaved.addBlocks(blocks);
    this.#saw(
      sequence,
      receipt,
      latestOf(blocks, (block) => block.lastReceived()),
    );
  }

  /** The log is read again: such an entry stands for what came before it, unless segments do. */
  applyCarried(sequence: number, { covers, lastSeen, receipts, blocks }: FoundCarried): void {
    if (covers > this.kept.flushed) {
      this.unsaved.clear();
      this.unsaved.comesAfter(this.kept.newest);
      this.unsaved.addBlocks(blocks.filter(isBlock).map((bytes) => Block.atRest(bytes)));
      for (const digest of receipts) this.receipts.add(digest);
      this.lastSeen = lastSeen;
      this.lifecycle.isDropped = false;
      this.changed();
    }
    this.#applied = sequence;
  }

  /** Removes every record; `at` null removes the device too. Returns the number of records. */
  applyPurge(sequence: number, at: Micros | null): number {
    const gone = this.rows;
    const segments = this.kept.forget(sequence, at === null);
    this.#snapshot.purged(at === null);
    this.unsaved.clear();
    this.keys.clear();
    this.#applied = sequence;
    this.changed();
    this.revised();
    this.purgedAt = at;
    this.lifecycle.isDropped = false;
    if (at === null) {
      this.lastSeen = null;
      this.receipts.forget();
      this.lifecycle.drop();
    }
    const finish = async () => {
      await this.folder.unnamed.release(segments);
      // What is written now is void, and gives up; a folder is to be gone with the files that it still makes.
      await this.kept.made.written();
      if (this.folder.exists) await removeDamaged(this.common.files, this.folder.path);
      await this.lifecycle.persist();
      if (!this.folder.unnamed.isConfirmed) await this.folder.confirm();
    };
    this.common.background(this.work.run(finish));
    return gone;
  }

  /** Puts what a snapshot has in the place of everything; null where its files cannot be read. */
  applySnapshot(sequence: number, id: string, saved: SavedDevice | null): void {
    this.#snapshot.began(id, sequence, saved === null);
    if (saved === null) return;
    const { lastSeen, purgedAt, receipts } = saved.state;
    const gone = this.kept.become(sequence, saved);
    this.unsaved.clear();
    this.unsaved.comesAfter(this.kept.newest);
    this.keys.clear();
    this.#applied = sequence;
    this.lastSeen = lastSeen;
    this.purgedAt = purgedAt;
    this.receipts.become(unpacked(receipts));
    // What is being imported belongs to what was here.
    this.lifecycle.drop();
    this.lifecycle.isDropped = saved.isEmpty;
    this.changed();
    this.revised();
    this.common.background(this.common.settling.run(() => this.#settleRestored(gone)));
  }

  /**
   * Removes what a restore took the place of, once no manifest names it: a check of the folder finds nothing missing. What closing
   * leaves the next start finds in the log.
   */
  async #settleRestored(gone: readonly Segment[]): Promise<void> {
    if (this.common.isClosing()) return;
    await this.work.run(async () => {
      await this.kept.made.written();
      await this.lifecycle.persist();
      await this.folder.unnamed.release(gone);
    });
  }

  /** Is another one as soon as anything of it is. */
  get stamp(): string {
    return [this.#applied, this.revision, ...this.bin.map(({ name }) => name)].join(' ');
  }

  /** Behind it, the rows that were in no segment then. */
  applySnapshotRows(sequence: number, blocks: readonly Block[]): void {
    this.#snapshot.ended(sequence);
    this.unsaved.addBlocks(blocks);
    this.#applied = sequence;
    this.changed();
  }

  /** Whether only the snapshot has what the log says is the device's. */
  needs(snapshot: string): boolean {
    return this.#snapshot.id === snapshot && !this.#snapshot.areIn(this.persisted, this.settled);
  }

  /** Packs what is in no segment yet: a snapshot then costs what is new since. */
  pack(): void {
    this.unsaved.pack();
    this.changed();
  }

  /** `received` is of what came just now: a clock that was ahead for a while does not count for ever. */
  #saw(sequence: number, receipt: Digest | null, received: Micros): void {
    this.#applied = sequence;
    if (receipt !== null) this.receipts.add(receipt);
    this.lifecycle.isDropped = false;
    this.changed();
    this.lastSeen = received;
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

  /** Takes the state of a backup, where it has none of its own; the next manifest makes it durable. */
  takeState({ lastSeen, purgedAt, receipts }: DeviceState): void {
    this.lastSeen ??= lastSeen;
    this.purgedAt ??= purgedAt;
    const known = this.receipts.load();
    for (const digest of unpacked(receipts)) if (!known.has(digest)) this.receipts.add(digest);
  }

  /** Every row went, and with them what is known of them. */
  allWent(): void {
    this.keys.clear();
    this.unsaved.comesAfter(this.kept.newest);
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
      this.kept.flushed = Math.max(this.kept.flushed, this.#applied);
      return this.lifecycle.persist();
    }
    const { generation } = this;
    const flushed = this.#applied;
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
    const carried = { covers: this.#applied, lastSeen, receipts: this.receipts.pending() };
    this.changed();
    return this.#compaction.entry(carried, (sequence) => (this.#applied = Math.max(this.#applied, sequence)));
  }
}

/** The latest time of receipt. */
export function latestReceived(records: readonly StoredRecord[]): Micros {
  return latestOf(records, ({ received }) => received);
}

function latestOf<T>(items: readonly T[], instantOf: (item: T) => Micros): Micros {
  return items.reduce((latest, item) => Math.max(latest, instantOf(item)), -Infinity);
}

const lostSnapshot = (device: string) =>
  `The snapshot from which device ${device} was restored is gone or damaged; what it held of the device is lost.`;
