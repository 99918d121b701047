import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../../store.ts';
import { readBlocks, readRows } from '../../blocks/block/record-bytes.ts';
import { ByteReader, type ByteWriter } from '../../blocks/codec/bytes.ts';
import { DIGEST_WORDS, type Digest } from './receipt-digest.ts';

/*
 * What one entry of the write-ahead log says (docs/storage-format.md, "Write-ahead log"): rows as they came, whole
 * blocks, either with a receipt, that a device was purged or dropped, or that records of it were deleted by their time.
 */

export const ROWS = 1;
export const BLOCKS = 2;
export const PURGE = 3;
export const DROP = 4;
/** Entry without records: files of the log may hold deleted ones. */
export const ERASE = 5;
/** As ROWS and BLOCKS, behind the digest of the receipt that they were stored with. */
export const ROWS_ONCE = 6;
export const BLOCKS_ONCE = 7;

/** Compaction: a device's records once more, in place of its earlier entries (carried.ts). */
export const CARRIED = 8;

/**
 * Restore of a snapshot: its segments take the place of everything that was there, then the rows that were in no segment. Either
 * refers to the snapshot.
 */
export const RESTORED = 9;
export const RESTORED_ROWS = 10;

/** Whether the log may hold text that is to be erased when it holds such an entry. */
export function isDeletion(kind: number): boolean {
  return kind === PURGE || kind === DROP || kind === ERASE || kind === RESTORED;
}

/** Whether such an entry takes away all segments that a device has. */
export const removesFiles = (kind: number): boolean => kind === PURGE || kind === DROP || kind === RESTORED;

/** One entry, as it was found: what it says is taken out when asked for. */
export class WalEntry {
  readonly sequence: number;
  readonly device: string;
  readonly kind: number;
  readonly #place: Place;

  constructor(sequence: number, device: string, kind: number, place: Place) {
    this.sequence = sequence;
    this.device = device;
    this.kind = kind;
    this.#place = place;
  }

  /** Reads the payload. */
  reader(): ByteReader {
    const { bytes, view, from, to } = this.#place;
    return new ByteReader(bytes, from, to, view);
  }

  get length(): number {
    return this.#place.to - this.#place.from;
  }
}

/** Where a payload is: the bytes [from, to) of a file of the log. */
export interface Place {
  readonly bytes: Buffer;
  /** Of the same bytes. */
  readonly view: DataView;
  readonly from: number;
  readonly to: number;
}

/** Upload: records of a device in one entry. */
export interface Upload {
  readonly records:
    | { readonly rows: readonly StoredRecord[] }
    | { readonly blocks: readonly Buffer<ArrayBuffer>[] };
  readonly receipt: Digest | null;
}

/** Payload of an entry, with its kind. */
export type Payload = Pick<WalEntry, 'kind' | 'reader'>;

/** Null where the entry is of another kind. */
export function readUpload(entry: Payload): Upload | null {
  const { kind } = entry;
  const isRows = kind === ROWS || kind === ROWS_ONCE;
  if (!isRows && kind !== BLOCKS && kind !== BLOCKS_ONCE) return null;
  const reader = entry.reader();
  const isOnce = kind === ROWS_ONCE || kind === BLOCKS_ONCE;
  const receipt = isOnce ? Uint32Array.from({ length: DIGEST_WORDS }, () => reader.u32()) : null;
  return { records: isRows ? { rows: readRows(reader) } : { blocks: readBlocks(reader) }, receipt };
}

export function writeDigest(digest: Digest, out: ByteWriter): void {
  for (const word of digest) out.u32(word);
}

export function writePurge(at: Micros, out: ByteWriter): void {
  out.f64(at);
}

export function readPurge(reader: ByteReader): Micros {
  return reader.f64();
}

/** Reference to a device in a snapshot. */
interface SnapshotReference {
  readonly snapshot: string;
  /** Of the device there. */
  readonly device: string;
  /** Names the restore. */
  readonly mark: string;
  /** Whether nothing was ever stored of it: the device leaves no folder then, which would say that the entry is not needed. */
  readonly isEmpty: boolean;
}

export function writeReference(
  { snapshot, device, mark, isEmpty }: SnapshotReference,
  out: ByteWriter,
): void {
  for (const each of [snapshot, device, mark]) out.text(each);
  out.u8(isEmpty ? 1 : 0);
}

export function readReference(reader: ByteReader): SnapshotReference {
  const [snapshot, device, mark] = [reader.text(), reader.text(), reader.text()];
  return { snapshot, device, mark, isEmpty: reader.u8() === 1 };
}
