import type { Micros } from '#shared/values/time.ts';
import type { DeviceState } from '../../backup-records.ts';
import type { StoredRecord } from '../../store.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { removeDamaged } from '../segment/damaged.ts';
import type { Segment } from '../segment/segment.ts';
import type { FoundCarried } from '../wal/carried.ts';
import { unpacked, type Digest } from '../wal/receipt-digest.ts';
import { DeviceRows } from './device-rows.ts';
import type { Receipts } from './receipts/receipts.ts';
import { SnapshotEntries, type SavedDevice } from './saved/snapshot-entries.ts';

/** Takes up the entries of one device in the write-ahead log, in their order. */
export abstract class DeviceEntries extends DeviceRows {
  /** The last entry of the write-ahead log that this device has seen. */
  protected applied = 0;
  protected readonly snapshotEntries = new SnapshotEntries();

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<void> {
    ({ lastSeen: this.lastSeen, purgedAt: this.purgedAt } = await this.kept.load());
    this.applied = this.kept.flushed;
    this.unsaved.comesAfter(this.kept.newest);
  }

  /** As in `DeviceRows`; what a snapshot had of it is noted where its files were gone. */
  override settle(): void {
    if (this.snapshotEntries.isLost)
      this.common.note({ device: this.id, kind: 'damaged', message: lostSnapshot(this.id) });
    super.settle();
  }

  /** Begins an empty device: entries up to this one, which the log may still have, were removed before. */
  beginAfter(sequence: number): void {
    this.folder.persisted = this.kept.flushed = this.applied = sequence;
  }

  get receipts(): Receipts {
    return this.folder.receipts;
  }

  /** The last log entry that the manifest on disk covers. */
  get persisted(): number {
    return this.folder.persisted;
  }

  /** Whether the write-ahead log holds something that segments and manifest do not. */
  get isDirty(): boolean {
    return this.unsaved.hasArrived || this.persisted < this.kept.flushed;
  }

  get exists(): boolean {
    const isKnown = this.folder.exists || this.lastSeen !== null || this.purgedAt !== null;
    return isKnown && !this.lifecycle.isDropped;
  }

  /** Whether an entry of the log is not yet in what was loaded. */
  isNew(sequence: number): boolean {
    return sequence > this.applied;
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
      this.snapshotEntries.isLost = false;
      this.lastSeen = lastSeen;
      this.lifecycle.isDropped = false;
      this.changed();
    }
    this.applied = sequence;
  }

  /** Removes every record; `at` null removes the device too. Returns the number of records. */
  applyPurge(sequence: number, at: Micros | null): number {
    const gone = this.rows;
    const segments = this.kept.forget(sequence, at === null);
    this.snapshotEntries.purged(at === null);
    this.unsaved.clear();
    this.keys.clear();
    this.applied = sequence;
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
    this.snapshotEntries.began(id, sequence, saved === null);
    if (saved === null) return;
    const { lastSeen, purgedAt, receipts } = saved.state;
    const gone = this.kept.become(sequence, saved);
    this.unsaved.clear();
    this.unsaved.comesAfter(this.kept.newest);
    this.keys.clear();
    this.applied = sequence;
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
    await this.common.restoring.idle();
    if (this.common.isClosing()) return;
    await this.work.run(async () => {
      await this.kept.made.written();
      await this.lifecycle.persist();
      await this.folder.unnamed.release(gone);
    });
  }

  /** Is another one as soon as anything of it is. */
  get stamp(): string {
    return [this.applied, this.revision, ...this.bin.map(({ name }) => name)].join(' ');
  }

  /** Behind it, the rows that were in no segment then; null where they cannot be read. */
  applySnapshotRows(sequence: number, blocks: readonly Block[] | null): void {
    this.snapshotEntries.ended(sequence, blocks === null);
    if (blocks === null) return;
    this.unsaved.addBlocks(blocks);
    this.applied = sequence;
    this.changed();
  }

  /** Packs what is in no segment yet: a snapshot then costs what is new since. */
  pack(): void {
    if (!this.unsaved.hasArrived) return;
    this.unsaved.pack();
    this.changed();
  }

  /** `received` is of what came just now: a clock that was ahead for a while does not count for ever. */
  #saw(sequence: number, receipt: Digest | null, received: Micros): void {
    this.applied = sequence;
    if (receipt !== null) this.receipts.add(receipt);
    this.lifecycle.isDropped = false;
    this.changed();
    this.lastSeen = received;
  }

  /** Takes the state of a backup, where it has none of its own; the next manifest makes it durable. */
  takeState({ lastSeen, purgedAt, receipts }: DeviceState): void {
    this.lastSeen ??= lastSeen;
    this.purgedAt ??= purgedAt;
    const known = this.receipts.load();
    for (const digest of unpacked(receipts)) if (!known.has(digest)) this.receipts.add(digest);
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
