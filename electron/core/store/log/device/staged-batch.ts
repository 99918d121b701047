import { StoreError } from '../../../errors.ts';
import type { PackedBatch, PackedRecords, StoredRecord } from '../../store.ts';
import { Block } from '../../blocks/block/block.ts';
import type { DeviceLog } from './device-log.ts';
import { diskError } from '../../../disk/errors.ts';
import { Packer } from '../../blocks/block/packer.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { SortedWriter } from '../segment/sorted-writer.ts';

/**
 * An import: segments that no manifest names, until all are named at once. A crash before leaves stray files, which
 * the next start removes.
 */
export class StagedBatch implements PackedBatch {
  readonly #log: DeviceLog;
  readonly #drops: number;
  readonly #packer = new Packer((block) => this.#write(block));
  #writer: SortedWriter;
  #last = -Infinity;
  readonly #made: SegmentMeta[] = [];
  /** Whether a manifest that names the segments may be on disk. */
  #mayBeNamed = false;
  #over = false;

  /** `drops`: what `Presence.beginImport` answered. */
  constructor(log: DeviceLog, drops: number) {
    this.#log = log;
    this.#drops = drops;
    this.#writer = this.#newWriter();
  }

  async add(records: readonly StoredRecord[]): Promise<void> {
    this.#checkOpen();
    await this.#packer.add(records);
  }

  async addPacked(packed: PackedRecords): Promise<void> {
    this.#checkOpen();
    // What came as records before it arrived before it.
    await this.#packer.end();
    await this.#write(Buffer.from(packed.buffer));
  }

  async commit(): Promise<void> {
    this.#checkOpen();
    await this.#packer.end();
    const log = this.#log;
    try {
      this.#made.push(...(await this.#writer.finish()));
      await log.work.run(async () => {
        await log.flushNow();
        this.#checkDevice();
        const made = this.#made.map((meta) => ({ ...meta, age: log.newOrigin().age }));
        this.#mayBeNamed = true;
        // A purge may come while the manifest is written: the import still comes after it.
        while (!(await log.commit(made, [], 0, log.generation)));
      });
    } catch (error) {
      throw diskError(error, 'storing imported records');
    }
    this.#end();
  }

  async abort(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    try {
      // Which manifest is on disk is not known after a failed sync: the next start keeps the files that it names.
      if (this.#mayBeNamed && this.#log.common.poison.reason !== null) return;
      await this.#writer.discard();
      await this.#log.discard(this.#made);
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#over = true;
    this.#log.presence.endImport(this.#drops);
  }

  /** Adds a block; one that begins before the end of the last one begins another segment. */
  async #write(bytes: Buffer): Promise<void> {
    try {
      const block = new Block(bytes);
      if (block.first < this.#last) {
        this.#made.push(...(await this.#writer.finish()));
        this.#writer = this.#newWriter();
      }
      await this.#writer.block(block);
      this.#last = block.last;
    } catch (error) {
      throw diskError(error, 'storing imported records');
    }
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
    if (this.#log.presence.drops !== this.#drops)
      throw new StoreError('closed', 'The device was removed while records were imported into it.');
  }

  #checkOpen(): void {
    if (this.#over) throw new StoreError('closed', 'The import has ended; start another one.');
  }
}
