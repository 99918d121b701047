import { StoreError } from '#core/errors.ts';
import type { Batch, StoredRecord } from '../store.ts';
import { Block } from './block.ts';
import type { DeviceLog } from './device-log.ts';
import { storeError } from './failures.ts';
import { blocksOf } from './memtable.ts';
import type { SegmentMeta } from './segment-writer.ts';
import { SortedWriter } from './sorted-writer.ts';

/** Records sorted at once; a file whose times run backwards makes a segment of each so many. */
const CHUNK_RECORDS = 1 << 15;

/**
 * An import: segments that no manifest names, until all are named at once. A crash before leaves stray files, which
 * the next start removes.
 */
export class StagedBatch implements Batch {
  readonly #log: DeviceLog;
  readonly #drops: number;
  #chunk: StoredRecord[] = [];
  #writer: SortedWriter;
  #last = -Infinity;
  readonly #made: SegmentMeta[] = [];
  #over = false;

  constructor(log: DeviceLog) {
    this.#log = log;
    this.#drops = log.drops;
    this.#writer = this.#newWriter();
  }

  async add(records: readonly StoredRecord[]): Promise<void> {
    this.#checkOpen();
    for (const record of records) {
      this.#chunk.push(record);
      if (this.#chunk.length >= CHUNK_RECORDS) await this.#write();
    }
  }

  async commit(): Promise<void> {
    this.#checkOpen();
    await this.#write();
    const log = this.#log;
    try {
      this.#made.push(...(await this.#writer.finish()));
      await log.work.run(async () => {
        await log.flushNow();
        if (log.drops !== this.#drops)
          throw new StoreError('closed', 'The device was removed while records were imported into it.');
        const made = this.#made.map((meta) => ({ ...meta, age: log.newOrigin().age }));
        // A purge may come while the manifest is written: the import still comes after it.
        while (!(await log.commit(made, [], 0, log.generation)));
      });
    } catch (error) {
      throw storeError(error, 'storing imported records');
    }
    this.#over = true;
  }

  async abort(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#chunk = [];
    await this.#writer.discard();
    await this.#log.folder.discard(this.#made);
  }

  async #write(): Promise<void> {
    const chunk = this.#chunk;
    this.#chunk = [];
    if (chunk.length === 0) return;
    try {
      const blocks = blocksOf(chunk, -Infinity).map((bytes) => new Block(bytes));
      if (blocks[0]!.first < this.#last) {
        this.#made.push(...(await this.#writer.finish()));
        this.#writer = this.#newWriter();
      }
      for (const block of blocks) await this.#writer.block(block);
      this.#last = blocks.at(-1)!.last;
    } catch (error) {
      throw storeError(error, 'storing imported records');
    }
  }

  #newWriter(): SortedWriter {
    const { shared, folder } = this.#log;
    return new SortedWriter({
      files: shared.files,
      folder: folder.path,
      origin: () => this.#log.newOrigin(),
      segmentRows: shared.limits.segmentRows,
    });
  }

  #checkOpen(): void {
    if (this.#over) throw new StoreError('closed', 'The import has ended; start another one.');
  }
}
