import { StoreError } from '../../../errors.ts';
import type { Micros } from '#shared/time.ts';
import type { StoredRecord, Value } from '../../store.ts';
import type { Block } from '../../blocks/block/block.ts';
import { ByteReader, malformed, type ByteWriter } from '../../blocks/codec/bytes.ts';
import { DIGEST_WORDS, type Digest } from './receipt-digest.ts';

/*
 * What one entry of the write-ahead log says (docs/storage-format.md, "Write-ahead log"): rows as they came, whole
 * blocks, either with a receipt, that a device was purged or dropped, or that records of it were deleted by their time.
 */

export const ROWS = 1;
export const BLOCKS = 2;
export const PURGE = 3;
export const DROP = 4;
/** Says nothing of the records; only that files of the log may hold some that were deleted. */
export const ERASE = 5;
/** As ROWS and BLOCKS, behind the digest of the receipt that they were stored with. */
export const ROWS_ONCE = 6;
export const BLOCKS_ONCE = 7;

/** What a device has in the log, once more, in place of everything that was in it before: carried.ts. */
export const CARRIED = 8;

/** Whether the log may hold text that is to be erased when it holds such an entry. */
export function isDeletion(kind: number): boolean {
  return kind === PURGE || kind === DROP || kind === ERASE;
}

const FLOAT = 1;
const TRUE = 2;
const FALSE = 3;
const STRING = 4;

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

/** What a device stored, by one entry. */
export interface Upload {
  readonly records:
    { readonly rows: readonly StoredRecord[] } | { readonly blocks: readonly Buffer<ArrayBuffer>[] };
  readonly receipt: Digest | null;
}

/** Null where the entry is of another kind. */
export function readUpload(entry: WalEntry): Upload | null {
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

/** Record by record; keys are written again only where they differ from those of the record before. */
export function writeRows(records: readonly StoredRecord[], out: ByteWriter): void {
  out.varint(records.length);
  let before: readonly string[] = [];
  for (const { timestamp, received, keys, values } of records) {
    out.f64(timestamp);
    out.f64(received);
    if (sameKeys(keys, before)) {
      out.u8(1);
    } else {
      out.u8(0);
      out.varint(keys.length);
      for (const key of keys) out.text(key);
      before = keys;
    }
    for (let i = 0; i < values.length; i++) writeValue(values[i]!, out);
  }
}

function readRows(reader: ByteReader): StoredRecord[] {
  const records: StoredRecord[] = [];
  let keys: readonly string[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    const timestamp = reader.f64();
    const received = reader.f64();
    if (reader.u8() === 0) keys = readKeys(reader);
    // Of its full length from the start: an array that grows makes room for sixteen more.
    const values = keys.map(() => readValue(reader));
    records.push({ timestamp, received, keys, values });
  }
  return records;
}

/** The keys read last, as written: the next entry mostly has the same, and need not make texts of them. */
let keysBefore: { readonly written: Buffer; readonly keys: readonly string[] } | null = null;
const KEPT_BYTES = 4096;

function readKeys(reader: ByteReader): readonly string[] {
  if (keysBefore !== null && reader.skipIfEqual(keysBefore.written)) return keysBefore.keys;
  const from = reader.at;
  const keys: string[] = [];
  for (let left = reader.varint(); left > 0; left--) keys.push(reader.text());
  if (reader.at - from <= KEPT_BYTES)
    keysBefore = { written: Buffer.from(reader.bytes.subarray(from, reader.at)), keys };
  return keys;
}

export function writeBlocks(blocks: readonly Block[], out: ByteWriter): void {
  out.varint(blocks.length);
  for (const { bytes } of blocks) {
    out.varint(bytes.length);
    out.raw(bytes);
  }
}

/** Copies of the blocks, each at an address that its reader accepts. */
export function readBlocks(reader: ByteReader): Buffer<ArrayBuffer>[] {
  return Array.from({ length: reader.varint() }, () => {
    const bytes = reader.raw(reader.varint());
    return Buffer.from(new Uint8Array(bytes).buffer);
  });
}

export function writePurge(at: Micros, out: ByteWriter): void {
  out.f64(at);
}

export function readPurge(reader: ByteReader): Micros {
  return reader.f64();
}

function writeValue(value: Value, out: ByteWriter): void {
  if (typeof value === 'number') {
    out.u8(FLOAT);
    out.f64(value);
  } else if (typeof value === 'boolean') {
    out.u8(value ? TRUE : FALSE);
  } else {
    out.u8(STRING);
    out.text(value);
  }
}

function readValue(reader: ByteReader): Value {
  switch (reader.u8()) {
    case FLOAT:
      return reader.f64();
    case TRUE:
      return true;
    case FALSE:
      return false;
    case STRING:
      return reader.text();
    default:
      throw malformed();
  }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Refuses a record that breaks the promises of StoredRecord before any of its batch is written. */
export function checkRecords(records: readonly StoredRecord[]): void {
  for (let i = 0; i < records.length; i++) {
    const { timestamp, received, keys, values } = records[i]!;
    if (!Number.isSafeInteger(timestamp) || !Number.isSafeInteger(received) || keys.length !== values.length)
      throw new StoreError(
        'io',
        `Record ${i} has no whole times or not one value a key, so it cannot be stored.`,
      );
  }
}
