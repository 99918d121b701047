import type { Micros } from '#shared/time.ts';
import type { StoreError } from '../../../errors.ts';
import type { StoredRecord } from '../../store.ts';
import type { Readable } from '../../blocks/readable.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { removeDamaged } from '../segment/damaged.ts';
import type { DeviceFolder } from './device-folder.ts';
import { DeviceSegments, type OriginOf } from './device-segments.ts';
import { chooseSegments, mergeSegments } from './merge.ts';
import { Carrying, isStuck, movesAgain } from './carrying.ts';
import type { FoundCarried } from '../wal/carried.ts';
import type { NewEntry } from '../wal/new-entry.ts';
import { diskError, errorCode } from '../../../disk/errors.ts';
import { DeviceKeys } from './device-keys.ts';
import { AroundDamage } from './around-damage.ts';
import { Presence } from './presence.ts';
import { Unsaved } from './unsaved.ts';
import { Writers } from './writers.ts';
import type { Digest } from '../wal/receipt-digest.ts';
import type { Receipts } from './receipts.ts';
import { Segment } from '../segment/segment.ts';
import type { SegmentMeta, SegmentOrigin } from '../segment/segment-writer.ts';
import { Serial } from '../../../turns/serial.ts';
import type { Common } from './common.ts';
import { readKeys } from '../../blocks/reads.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Abandoned, wholeParts, type Part } from '../segment/sorted-writer.ts';
import { Timeline } from '../../blocks/query/timeline.ts';

/**
 * One device: segments, what is being written to a segment, and what arrived since. Changes become visible in the order
 * of the write-ahead log; everything that changes files runs one after the other in `work`.
 */
export class DeviceLog implements Readable {
  readonly id: string;
  readonly common: Common;
  readonly work = new Serial();
  /**
   * When something last came from the device itself: what came through the write-ahead log. An import does not, so it
   * is a state of its own, which no file of records tells.
   */
  lastSeen: Micros | null = null;
  purgedAt: Micros | null = null;
  readonly presence: Presence;
  readonly writers = new Writers();
  readonly keys = new DeviceKeys({
    most: () => this.#kept.mostKeys,
    unsaved: () => this.#unsaved.keys(),
    all: () => this.read(() => readKeys(this)),
  });
  readonly #kept: DeviceSegments;
  readonly #unsaved = new Unsaved();
  readonly #aroundDamage = new AroundDamage((says) => {
    if (says !== null) this.#noteDamage(says);
    this.keys.changed();
    this.#timeline = null;
  });
  /** The last entry of the write-ahead log that this device has seen. */
  #applied = 0;
  #timeline: Timeline | null = null;
  #merging = false;
  readonly #carrying: Carrying;

  constructor(common: Common, id: string) {
    this.common = common;
    this.id = id;
    this.#kept = new DeviceSegments(common, id, () => this);
    const { work } = this;
    this.presence = new Presence({ common, kept: this.#kept, work, rows: () => this.rows });
    this.#carrying = new Carrying(id, common.limits, this.#unsaved);
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<void> {
    ({ lastSeen: this.lastSeen, purgedAt: this.purgedAt } = await this.#kept.load());
    this.#applied = this.#kept.flushed;
    this.#unsaved.comesAfter(this.#kept.newest);
  }

  /** Says which segments the manifest names but the folder lacks, once no purge that removed them can still be found. */
  settle(): void {
    for (const { rows } of this.#kept.leaveOutMissing())
      this.#noteDamage((device) => `A file of ${rows} records of ${device} is missing.`);
    this.#timeline = null;
  }

  get folder(): DeviceFolder {
    return this.#kept.folder;
  }

  get receipts(): Receipts {
    return this.folder.receipts;
  }

  /** In order of arrival. */
  get segments(): readonly Segment[] {
    return this.#kept.all;
  }

  /** Goes up when all records go: work that began before is void. */
  get generation(): number {
    return this.#kept.generation;
  }

  /** The last log entry that the manifest on disk covers. */
  get persisted(): number {
    return this.folder.persisted;
  }

  /** Entries of the log up to this one are in segments, or in an entry behind them. */
  get settled(): number {
    return Math.max(this.persisted, this.#carrying.covered);
  }

  /** Whether it has too few rows in the log for files of its own. */
  get isSmall(): boolean {
    return this.#carrying.isSmall && !this.wantsFlush;
  }

  /** Why its records could not be moved to segments last time, if so. */
  get stuck(): StoreError | null {
    return this.#carrying.stuck;
  }

  /** Whether nothing more is to be stored while it is stuck: its records fill memory and log. */
  get isFull(): boolean {
    return this.#carrying.isFull;
  }

  /**
   * What takes the place of all its entries in the log: asked for while nothing is under way there. Null where it has none,
   * or where they are on their way to segments.
   */
  toCarry(): NewEntry | null {
    if (!this.#unsaved.hasArrived || this.#unsaved.isFlushing || this.persisted < this.#kept.flushed)
      return null;
    const { lastSeen } = this;
    const carried = { covers: this.#applied, lastSeen, receipts: this.receipts.pending() };
    this.#timeline = null;
    return this.#carrying.entry(carried, (sequence) => (this.#applied = Math.max(this.#applied, sequence)));
  }

  /** The log is read again: such an entry stands for what came before it, unless segments do. */
  applyCarried(sequence: number, { covers, lastSeen, receipts, blocks }: FoundCarried): void {
    if (covers > this.#kept.flushed) {
      this.#unsaved.clear();
      this.#unsaved.comesAfter(this.#kept.newest);
      this.#unsaved.addBlocks(blocks.filter(isBlock).map((bytes) => new Block(bytes)));
      for (const digest of receipts) this.receipts.add(digest);
      this.lastSeen = lastSeen;
      this.presence.isDropped = false;
      this.#timeline = null;
    }
    this.#applied = sequence;
  }

  get newest(): Micros {
    return this.#unsaved.newest;
  }

  get rows(): number {
    return this.#kept.rows + this.#unsaved.rows;
  }

  get bytes(): number {
    return this.#kept.bytes + this.#unsaved.weight;
  }

  /** Whether the write-ahead log holds something that segments and manifest do not. */
  get isDirty(): boolean {
    return this.#unsaved.hasArrived || this.persisted < this.#kept.flushed;
  }

  get exists(): boolean {
    const isKnown = this.folder.exists || this.lastSeen !== null || this.purgedAt !== null;
    return isKnown && !this.presence.isDropped;
  }

  /** Whether nothing that was stored is left, not even a damaged piece of it. */
  async isEmpty(): Promise<boolean> {
    return this.rows === 0 && (await this.folder.isBare());
  }

  get wantsFlush(): boolean {
    return this.#unsaved.lateRuns >= this.common.limits.lateRuns;
  }

  /** Whether an entry of the log is not yet in what was loaded. */
  isNew(sequence: number): boolean {
    return sequence > this.#applied;
  }

  applyRows(sequence: number, records: readonly StoredRecord[], receipt: Digest | null): void {
    this.#unsaved.add(records);
    this.#saw(sequence, receipt, latestReceived(records));
  }

  applyBlocks(sequence: number, blocks: readonly Block[], receipt: Digest | null): void {
    this.#unsaved.addBlocks(blocks);
    this.#saw(
      sequence,
      receipt,
      latestOf(blocks, (block) => block.lastReceived()),
    );
  }

  /** Forgets every record; `at` null forgets the device too. Returns how many records went. */
  applyPurge(sequence: number, at: Micros | null): number {
    const gone = this.rows;
    const segments = this.#kept.forget(sequence);
    this.#unsaved.clear();
    this.keys.clear();
    this.#applied = sequence;
    this.#timeline = null;
    this.purgedAt = at;
    this.presence.isDropped = false;
    if (at === null) {
      this.lastSeen = null;
      this.receipts.forget();
      this.presence.drop();
    }
    const finish = async () => {
      for (const segment of segments) await segment.free();
      // What is written now is void, and gives up; a folder is to be gone with the files that it still makes.
      await this.#kept.written();
      if (this.folder.exists) await removeDamaged(this.common.files, this.folder.path);
      await this.presence.persist();
    };
    this.common.background(this.work.run(finish));
    return gone;
  }

  /** Every source in order of arrival. `lasting` ones stay as they are while more rows arrive. */
  sources(lasting = false): SortedRows[] {
    return [...this.segments, ...this.#unsaved.sources(lasting)];
  }

  timeline(): Timeline {
    return (this.#timeline ??= new Timeline(this.sources()));
  }

  /** What there is now, for a reader that takes its time. `release` lets go of its files. */
  snapshot(): { sources: SortedRows[]; timeline: Timeline; release: () => Promise<void> } {
    const { segments } = this;
    for (const segment of segments) segment.use();
    const sources = this.sources(true);
    return {
      sources,
      timeline: new Timeline(sources),
      release: () => this.free(segments),
    };
  }

  read<T>(read: () => T): T {
    return this.#aroundDamage.read(read);
  }

  retrying<T>(work: () => Promise<T>): Promise<T> {
    return this.#aroundDamage.retrying(work);
  }

  failure(error: unknown): StoreError {
    return this.#aroundDamage.failure(error);
  }

  setAside(error: unknown): boolean {
    return this.#aroundDamage.setAside(error);
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
        this.#carrying.stuck = null;
        this.common.note({ device: this.id, kind: 'stuck', message: movesAgain(this.id) });
      }
    });
  }

  /** Says so once, until it works again: meanwhile its records are safe in the log. */
  #fail(failure: unknown): never {
    const error = diskError(failure, `moving records of device ${this.id}`);
    if (this.stuck === null && this.common.poison.reason === null)
      this.common.note({ device: this.id, kind: 'stuck', message: isStuck(this.id, error) });
    this.#carrying.stuck = error;
    throw error;
  }

  /** `flush` for work that already has its turn. */
  async flushNow(): Promise<void> {
    if (!this.#unsaved.hasArrived) {
      // What was carried may have been moved meanwhile: then no segment lacks anything.
      this.#kept.flushed = Math.max(this.#kept.flushed, this.#applied);
      return this.presence.persist();
    }
    const { generation } = this;
    const flushed = this.#applied;
    const taken = this.#unsaved.take();
    this.#timeline = null;
    try {
      await this.#kept.prepare();
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
      this.#maintain();
    } catch (error) {
      if (error instanceof Abandoned) return;
      if (this.generation === generation) this.#unsaved.takeBack(taken);
      this.#timeline = null;
      throw error;
    }
  }

  /** Ends one use of each segment. Where a file goes with it, that is confirmed when it is the device's turn. */
  async free(segments: readonly Segment[]): Promise<void> {
    let isGone = false;
    for (const segment of segments) isGone = (await segment.free()) || isGone;
    if (isGone) this.common.background(this.work.run(() => this.folder.confirm()));
  }

  /** Removes segments that no manifest names, for work that has no turn of its own. */
  discard(made: readonly SegmentMeta[]): Promise<void> {
    return this.work.run(() => this.folder.discard(made));
  }

  #maintain(): void {
    if (this.#merging || chooseSegments(this.segments, this.common.limits.segmentRows) === null) return;
    this.#merging = true;
    const merged = this.common.merging.run(() => mergeSegments(this)).finally(() => (this.#merging = false));
    this.common.background(merged);
  }

  /** Writes parts, in order of arrival, to new segments that belong to nobody yet. */
  write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    return this.#kept.write(parts, about);
  }

  newOrigin(): SegmentOrigin {
    return this.#kept.newOrigin();
  }

  /**
   * Puts new segments in the place of old ones, at once and for good. False, and without effect, when everything was
   * purged since `generation`.
   */
  async commit(
    made: readonly SegmentMeta[],
    replaced: readonly Segment[],
    flushed: number,
    generation: number,
  ): Promise<boolean> {
    const replacedNow = await this.#kept.replace(made, replaced, { flushed, generation }, () => {
      if (made.length > 0) this.presence.isDropped = false;
      this.#unsaved.written(made.reduce((newest, { last }) => Math.max(newest, last), -Infinity));
      this.#timeline = null;
    });
    if (!replacedNow) await this.presence.persist(true);
    return replacedNow;
  }

  /** After rows in the middle went: whether a row is late depends on the newest one left. */
  resetNewest(): void {
    this.keys.changed();
    this.#unsaved.comesAfter(this.#kept.newest);
  }

  async close(): Promise<void> {
    await this.work.idle();
    for (const segment of this.segments) segment.close();
  }

  #noteDamage(says: (device: string) => string): void {
    this.common.note({ device: this.id, kind: 'damaged', message: says(`device ${this.id}`) });
  }

  /** `received` is of what came just now: a clock that was ahead for a while does not count for ever. */
  #saw(sequence: number, receipt: Digest | null, received: Micros): void {
    this.#applied = sequence;
    if (receipt !== null) this.receipts.add(receipt);
    this.presence.isDropped = false;
    this.#timeline = null;
    this.lastSeen = received;
  }
}

/** The latest time of receipt. */
export function latestReceived(records: readonly StoredRecord[]): Micros {
  return latestOf(records, ({ received }) => received);
}

function latestOf<T>(items: readonly T[], instantOf: (item: T) => Micros): Micros {
  return items.reduce((latest, item) => Math.max(latest, instantOf(item)), -Infinity);
}
