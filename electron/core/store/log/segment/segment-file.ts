import { crc32 } from 'node:zlib';
import { StoreError } from '../../../base/errors.ts';
import { allocate, ByteReader, malformed } from '../../blocks/codec/bytes.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTable } from '../../blocks/block/key-table.ts';
import { diskError } from '../../../disk/errors.ts';
import { newerFormat, READING } from '../../store-errors.ts';
import type { Files, OpenFile } from '../../../disk/files.ts';
import {
  readOrigin,
  SEGMENT_MAGIC,
  SEGMENT_VERSION,
  TRAILER_BYTES,
  type FoundOrigin,
} from './segment-writer.ts';

/** Index entry of a key, with the place of its summaries. */
export interface KeyEntry {
  readonly key: string;
  readonly cells: number;
  readonly numeric: number;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** Of a block in the table, and of a key with its place in the map. */
const TABLE_BYTES = 64;
const ENTRY_BYTES = 256;

export class OpenSegment {
  readonly file: OpenFile;
  /** Null where the index was lost. */
  readonly origin: FoundOrigin | null;
  table: BlockTable;
  readonly keys: ReadonlyMap<string, KeyEntry>;
  /** Bytes of memory that table and keys take, about. */
  readonly indexBytes: number;
  /** Reads under way. */
  pins = 0;
  #released = false;

  constructor(
    file: OpenFile,
    origin: FoundOrigin | null,
    table: BlockTable,
    keys: ReadonlyMap<string, KeyEntry>,
  ) {
    this.file = file;
    this.origin = origin;
    this.table = table;
    this.keys = keys;
    this.indexBytes = table.count * TABLE_BYTES + keys.size * ENTRY_BYTES;
  }

  /** Closes the file as soon as nothing reads it. */
  release(): void {
    this.#released = true;
    this.closeWhenUnused();
  }

  closeWhenUnused(): void {
    if (this.#released && this.pins === 0) this.file.close();
  }
}

/** Opens a segment and reads its index. Throws `damaged` when trailer or index are not whole, and `newer-format`. */
export function openSegment(files: Files, path: string): OpenSegment {
  let file: OpenFile;
  try {
    file = files.openForReading(path);
  } catch (error) {
    throw diskError(error, READING);
  }
  try {
    return readIndex(file);
  } catch (error) {
    file.close();
    throw error instanceof StoreError ? error : diskError(error, READING);
  }
}

function readIndex(file: OpenFile): OpenSegment {
  const { size } = file;
  const trailer = allocate(TRAILER_BYTES);
  if (size < TRAILER_BYTES || !readNow(file, trailer, size - TRAILER_BYTES)) throw malformed();
  if (trailer.readUInt32LE(24) !== crc32(trailer.subarray(0, 24))) throw malformed();
  if (trailer.readUInt32LE(28) !== SEGMENT_MAGIC) throw malformed();
  const version = trailer.readUInt32LE(20);
  if (version > SEGMENT_VERSION) throw newerFormat('A file of records', version, SEGMENT_VERSION);
  const bytes = allocate(trailer.readDoubleLE(8));
  if (!readNow(file, bytes, trailer.readDoubleLE(0)) || crc32(bytes) !== trailer.readUInt32LE(16))
    throw malformed();
  const reader = new ByteReader(bytes);
  const origin = readOrigin(reader, version);
  const table = BlockTable.read(reader);
  const keys = new Map<string, KeyEntry>();
  for (let left = reader.varint(); left > 0; left--) {
    const key = reader.text();
    keys.set(key, {
      key,
      cells: reader.varint(),
      numeric: reader.varint(),
      offset: reader.varint(),
      length: reader.varint(),
      crc: reader.u32(),
    });
  }
  return new OpenSegment(file, origin, table, keys);
}

/** The summaries of one key; null when they are damaged. */
export function readKeyTable({ file, table }: OpenSegment, entry: KeyEntry): KeyTable | null {
  const bytes = allocate(entry.length);
  if (!readNow(file, bytes, entry.offset) || crc32(bytes) !== entry.crc) return null;
  return KeyTable.read(new ByteReader(bytes), table);
}

/**
 * False when the bytes are not all there. A disk that fails to read says nothing of what is on it: that error is not
 * taken for damage.
 */
export function readNow(file: OpenFile, into: Buffer, position: number): boolean {
  return file.readNow(into, position) === into.length;
}
