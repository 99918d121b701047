import type { Columnar, PackRecords, RecordPacker, StoredRecord } from '../../store.ts';
import { Block, lengthOf } from './block.ts';
import { encodeBlock } from './block-writer.ts';
import { Pace } from '../../../turns/pace.ts';
import { RowBuffer } from './row-buffer.ts';
import { partsOf } from './rows-to-blocks.ts';
import { sortRows } from './sort-rows.ts';
import { SpareBuffers } from './spare-buffers.ts';

/** Records sorted at once; a file whose times run backwards makes a segment of each so many. */
const CHUNK_RECORDS = 1 << 15;
/** Fewer where they are large: as cells they take about this much. */
const CHUNK_WEIGHT = 1 << 26;
/** Room that a chunk begins with; most files are small. */
const FIRST_ROWS = 1 << 10;
/** Rows taken before the time is looked at. */
const GLANCE_ROWS = 256;

const spares = new SpareBuffers(() => new RowBuffer(FIRST_ROWS, { sorting: false }), {
  buffers: 4,
  rows: FIRST_ROWS,
  columns: 32,
});

type Take = (block: Buffer<ArrayBuffer>) => Promise<void>;

/**
 * Packs records into blocks that follow one another within a chunk; in slices of time. Records become columns at once:
 * to keep tens of thousands of objects would stop the thread for tens of ms each time that memory is cleaned up.
 */
export class Packer implements RecordPacker {
  readonly #take: Take;
  readonly #pace = new Pace();
  #chunk: RowBuffer | null = null;

  constructor(take: Take) {
    this.#take = take;
  }

  async add(records: readonly StoredRecord[]): Promise<void> {
    for (const record of records) {
      const chunk = (this.#chunk ??= spares.take());
      chunk.add(record);
      if (isFull(chunk)) await this.#pack(chunk);
      else if (chunk.size % GLANCE_ROWS === 0) await this.#pace.pause();
    }
  }

  async addColumns(records: Columnar): Promise<void> {
    for (let from = 0; from < records.size;) {
      const chunk = (this.#chunk ??= spares.take());
      const to = Math.min(records.size, from + GLANCE_ROWS, from + CHUNK_RECORDS - chunk.size);
      chunk.addRows(records, from, to);
      from = to;
      if (isFull(chunk)) await this.#pack(chunk);
      else await this.#pace.pause();
    }
  }

  async end(): Promise<void> {
    const chunk = this.#chunk;
    if (chunk === null) return;
    this.#chunk = null;
    if (chunk.size > 0) await this.#pack(chunk);
    spares.giveBack(chunk);
  }

  /** Empties the chunk, whose memory serves the next one. */
  async #pack(chunk: RowBuffer): Promise<void> {
    await sortRows(chunk, this.#pace);
    for (const { from, to } of partsOf(chunk)) {
      await this.#take(encodeBlock(chunk, from, to));
      await this.#pace.pause();
    }
    chunk.reset();
  }
}

const isFull = ({ size, weight }: RowBuffer) => size >= CHUNK_RECORDS || weight >= CHUNK_WEIGHT;

/** The blocks of packed records, which packers wrote one behind the other. */
export function* packedBlocks(packed: Buffer): Generator<Block> {
  for (let at = 0; at < packed.length;) {
    const end = at + lengthOf(packed, at);
    yield new Block(packed.subarray(at, end));
    at = end;
  }
}

export const packRecords: PackRecords = (take) => new Packer(take);
