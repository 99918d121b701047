import { crc32 } from 'node:zlib';
import type { Micros } from '#shared/values/time.ts';
import { allocate, ByteWriter, type ByteReader } from '../../blocks/codec/bytes.ts';
import { BLOCK_ALIGNMENT } from '../../blocks/block/block-writer.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTables } from '../../blocks/block/key-table.ts';
import type { Files, OpenFile } from '../../../disk/files.ts';
import { Pace } from '../../../turns/pace.ts';
import type { BlockStats } from '../../blocks/block/block-stats.ts';

/*
 * A segment: blocks one after the other, then what the index needs (docs/storage-format.md, "Segments"). It is written
 * once under a number that nothing refers to, and belongs to the device once its manifest names it.
 */

export const SEGMENT_MAGIC = 0x47534246;
/** Version 1 did not say when its device was last seen; version 2 had no blocks with columns of hexadecimal texts. */
export const SEGMENT_VERSION = 3;
/** Magic and version, a u32 each, then zeros. */
export const SEGMENT_HEADER_BYTES = 16;
/** Offset and length of the index (f64 each), its CRC, version, the trailer's own CRC and magic (u32 each). */
export const TRAILER_BYTES = 32;

const WRITE_BYTES = 1 << 18;

/** Where a segment comes from; enough to rebuild a lost manifest. */
export interface SegmentOrigin {
  readonly id: number;
  /** Place in order of arrival: its own number, or the age of the youngest segment it was made of. */
  readonly age: number;
  /** The manifest's `flushed` that goes with it. */
  readonly flushed: number;
  /** Numbers of the segments it takes the place of. */
  readonly replaces: readonly number[];
  /** When something last came from the device itself, as known when the segment was made. */
  readonly seen: Micros | null;
}

/** Origin in a segment of any version. */
export type FoundOrigin = Omit<SegmentOrigin, 'seen'> & Partial<Pick<SegmentOrigin, 'seen'>>;

/** Manifest entry of a segment. */
export interface SegmentMeta {
  readonly id: number;
  readonly age: number;
  readonly rows: number;
  readonly first: Micros;
  readonly last: Micros;
  readonly received: Micros;
  readonly bytes: number;
  /** Distinct keys; a manifest from before they were counted lacks it. */
  readonly keys?: number;
}

export class SegmentWriter {
  readonly origin: SegmentOrigin;
  readonly path: string;
  readonly table = new BlockTable();
  readonly #keys = new KeyTables();
  readonly #files: Files;
  readonly #file: OpenFile;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #written = 0;
  #received = -Infinity;

  constructor(files: Files, path: string, origin: SegmentOrigin) {
    this.#files = files;
    this.path = path;
    this.origin = origin;
    this.#file = files.openForWriting(path, true);
    const header = allocate(SEGMENT_HEADER_BYTES);
    header.writeUInt32LE(SEGMENT_MAGIC, 0);
    header.writeUInt32LE(SEGMENT_VERSION, 4);
    this.#push(header);
  }

  get rows(): number {
    return this.table.rows;
  }

  get bytes(): number {
    return this.#written + this.#pendingBytes;
  }

  /** Adds an encoded block that starts where the last one ended, or later. */
  async add(block: Uint8Array, summary: BlockStats): Promise<void> {
    this.#keys.add(this.table.count, summary);
    this.table.add(this.bytes, block.length, summary);
    if (summary.received > this.#received) this.#received = summary.received;
    this.#push(block);
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
  }

  /** Writes the index and makes all of it durable, but for its name. At least one block was added. */
  async finish(): Promise<SegmentMeta> {
    const index = new ByteWriter(4096);
    const stats = new ByteWriter(4096);
    writeOrigin(this.origin, index);
    this.table.write(index);
    index.varint(this.#keys.byKey.size);
    const pace = new Pace();
    for (const [key, keyTable] of this.#keys.byKey) {
      stats.length = 0;
      keyTable.write(stats, this.table);
      stats.align(BLOCK_ALIGNMENT);
      index.text(key);
      index.varint(keyTable.cells);
      index.varint(keyTable.numeric);
      index.varint(this.bytes);
      index.varint(stats.length);
      index.u32(crc32(stats.written()));
      this.#push(stats.copy());
      await pace.pause();
    }
    index.align(BLOCK_ALIGNMENT);
    const trailer = allocate(TRAILER_BYTES);
    trailer.writeDoubleLE(this.bytes, 0);
    trailer.writeDoubleLE(index.length, 8);
    trailer.writeUInt32LE(crc32(index.written()), 16);
    trailer.writeUInt32LE(SEGMENT_VERSION, 20);
    trailer.writeUInt32LE(crc32(trailer.subarray(0, 24)), 24);
    trailer.writeUInt32LE(SEGMENT_MAGIC, 28);
    this.#push(index.written());
    this.#push(trailer);
    await this.#flush();
    await this.#file.sync();
    this.#file.close();
    const { table } = this;
    return {
      id: this.origin.id,
      age: this.origin.age,
      rows: table.rows,
      first: table.firstOf(0),
      last: table.lastOf(table.count - 1),
      received: this.#received,
      bytes: this.bytes,
      keys: this.#keys.byKey.size,
    };
  }

  /** Gives up an unfinished segment. */
  async discard(): Promise<void> {
    this.#file.close();
    await this.#files.remove(this.path);
  }

  #push(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending, this.#pendingBytes);
    const at = this.#written;
    this.#pending = [];
    this.#written += this.#pendingBytes;
    this.#pendingBytes = 0;
    await this.#file.write(bytes, at);
  }
}

function writeOrigin({ id, age, flushed, replaces, seen }: SegmentOrigin, out: ByteWriter): void {
  out.varint(id);
  out.varint(age);
  out.varint(flushed);
  out.varint(replaces.length);
  for (const replaced of replaces) out.varint(replaced);
  out.u8(seen === null ? 0 : 1);
  if (seen !== null) out.f64(seen);
}

/** `seen` is undefined where the segment does not say: then its records count as the device's own. */
export function readOrigin(reader: ByteReader, version: number): FoundOrigin {
  return {
    id: reader.varint(),
    age: reader.varint(),
    flushed: reader.varint(),
    replaces: Array.from({ length: reader.varint() }, () => reader.varint()),
    ...(version > 1 && { seen: reader.u8() === 0 ? null : reader.f64() }),
  };
}
