import { StoreError } from '../../../base/errors.ts';
import type { DeviceState, StagedRecords } from '../../backup-records.ts';
import type { PackedBatch, PackedRecords, Replacement, StoredRecord } from '../../store.ts';
import { Block } from '../../blocks/block/block.ts';
import type { DeviceKeys, HeldKeys } from './device-keys.ts';
import type { DeviceLog } from './device-log.ts';
import { doing } from '../../../disk/errors.ts';
import { replaceRecords } from './keeping.ts';
import { packedBlocks, Packer } from '../../blocks/block/packer.ts';
import { Serial } from '../../../turns/serial.ts';
import type { Retirable } from './writers.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { SortedWriter } from '../segment/sorted-writer.ts';

const STORING = 'storing imported records';

/**
 * An import: segments that no manifest names, until all are named at once. A crash before leaves stray files, which
 * the next start removes.
 */
export class StagedBatch implements PackedBatch, StagedRecords, Retirable {
  readonly #log: DeviceLog;
  /** How often the device had been removed when it began. */
  readonly #drops: number;
  readonly #packer = new Packer((block) => this.#write(new Block(block)));
  /** Queue of its calls: the device may be retired in the middle of any. */
  readonly #work = new Serial();
  readonly #retired = new AbortController();
  /** Of what was added, from when it was added. */
  readonly #keys: HeldKeys;
  /** Records that were added unpacked. */
  #added = 0;
  #writer: SortedWriter;
  #last = -Infinity;
  readonly #made: SegmentMeta[] = [];
  /** Whether there is room for its files. */
  #isBegun = false;
  /** Whether a manifest that names the segments may be on disk. */
  #mayBeNamed = false;
  /** Whether the segments count. */
  #isVisible = false;
  #over = false;

  /** Throws `retired`. `keys`: among which its own have to have room. */
  constructor(log: DeviceLog, keys: DeviceKeys = log.keys) {
    this.#log = log;
    this.#drops = log.lifecycle.drops;
    this.#writer = this.#newWriter();
    this.#keys = keys.hold();
    log.writers.add(this);
  }

  get signal(): AbortSignal {
    return this.#retired.signal;
  }

  add(records: readonly StoredRecord[]): Promise<void> {
    return this.#work.run(async () => {
      this.#checkOpen();
      this.#keys.add(records, this.#added);
      this.#added += records.length;
      await this.#packer.add(records);
    });
  }

  addPacked(packed: PackedRecords): Promise<void> {
    return this.#work.run(async () => {
      this.#checkOpen();
      // What came as records before it arrived before it.
      await this.#packer.end();
      for (const block of packedBlocks(Buffer.from(packed.buffer))) {
        this.#keys.addKeys(block.columns.map(({ key }) => key));
        await this.#write(block);
      }
    });
  }

  commit(revision?: number): Promise<boolean> {
    return this.#ending(async () => {
      if (!this.#isBegun) {
        this.#checkDevice();
        return true;
      }
      const log = this.#log;
      const isOvertaken = () => revision !== undefined && log.revision !== revision;
      return this.#staged(async (made) => {
        if (isOvertaken()) return false;
        // A purge may come while the manifest is written: the import still comes after it.
        while (!(await log.exchange({ made }, log.generation, () => this.#counts())))
          if (isOvertaken()) return false;
        return true;
      });
    });
  }

  async replace(change: Replacement): Promise<boolean> {
    const { lifecycle } = this.#log;
    lifecycle.keeping++;
    try {
      return await this.#ending(() =>
        this.#staged(async (made) => {
          const visible = () => this.#counts();
          const isReplaced = await replaceRecords(this.#log, change, { made, visible });
          if (!isReplaced) this.#checkDevice();
          return isReplaced;
        }),
      );
    } finally {
      lifecycle.keeping--;
    }
  }

  /** Commits it as soft-deleted under a name (backup-records.ts). */
  async keep(name: string, state: DeviceState): Promise<void> {
    await this.#ending(async () => {
      const log = this.#log;
      await doing(STORING, () => this.#begin());
      return this.#staged(async (removed) => {
        log.takeState(state);
        const kept = { name, purge: null, moved: [], removed };
        // A purge may come while the manifest is written: what is kept outlives it.
        while (!(await log.exchange({ kept }, log.generation))) this.#checkDevice();
        return true;
      });
    });
  }

  /** Ends it by `work`; where that resolves with false nothing of it is stored. */
  async #ending(work: () => Promise<boolean>): Promise<boolean> {
    const isStored = await this.#work.run(async () => {
      this.#checkOpen();
      await this.#packer.end();
      if (!(await work())) return false;
      this.#end();
      return true;
    });
    if (!isStored) await this.abort();
    return isStored;
  }

  /** Calls `name` in the device's turn, with the segments as they arrive then. */
  async #staged(name: (made: readonly SegmentMeta[]) => Promise<boolean>): Promise<boolean> {
    const log = this.#log;
    const isStored = await doing(STORING, async () => {
      this.#made.push(...(await this.#writer.finish()));
      return log.work.run(async () => {
        await log.flushNow();
        this.#checkDevice();
        const made = this.#made.map((meta) => ({ ...meta, age: log.newOrigin().age }));
        this.#mayBeNamed = true;
        return name(made);
      });
    });
    // A device that gets nothing but imports has no other occasion.
    log.maintain();
    return isStored;
  }

  /** The manifest names the segments: they are the device's. */
  #counts(): void {
    this.#isVisible = true;
    this.#keys.settle(true);
  }

  abort(): Promise<void> {
    return this.#work.run(() => this.#discard());
  }

  retire(reason: StoreError): Promise<void> {
    this.#retired.abort(reason);
    return this.abort();
  }

  async #discard(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    try {
      // Which manifest is on disk is not known after a failed sync: the next start keeps the files that it names.
      if (this.#isVisible || (this.#mayBeNamed && this.#log.common.poison.reason !== null)) return;
      await this.#writer.discard();
      await this.#log.discard(this.#made);
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#over = true;
    this.#keys.settle(false);
    this.#log.writers.delete(this);
    if (this.#isBegun) this.#log.lifecycle.endImport(this.#drops);
    this.#isBegun = false;
  }

  /** Adds a block; one that begins before the end of the last one begins another segment. */
  async #write(block: Block): Promise<void> {
    await doing(STORING, async () => {
      await this.#begin();
      if (block.first < this.#last) {
        this.#made.push(...(await this.#writer.finish()));
        this.#writer = this.#newWriter();
      }
      await this.#writer.block(block);
      this.#last = block.last;
    });
  }

  async #begin(): Promise<void> {
    if (this.#isBegun) return;
    this.#checkDevice();
    await this.#log.lifecycle.beginImport();
    this.#isBegun = true;
  }

  #newWriter(): SortedWriter {
    const { common, folder } = this.#log;
    return new SortedWriter({
      files: common.files,
      folder: folder.path,
      origin: () => {
        // At the last moment before a file is made: a folder that is being removed takes no more of them.
        this.#checkDevice();
        return this.#log.newOrigin();
      },
      segmentRows: common.limits.segmentRows,
    });
  }

  #checkDevice(): void {
    this.signal.throwIfAborted();
    if (this.#log.lifecycle.drops !== this.#drops)
      throw new StoreError(
        'closed',
        'The device was removed, or restored from a snapshot, while records were imported into it.',
      );
  }

  #checkOpen(): void {
    this.signal.throwIfAborted();
    if (this.#over) throw new StoreError('closed', 'The import has ended; start another one.');
  }
}
