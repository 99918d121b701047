import { StoreError } from '../../../errors.ts';
import type { Micros } from '#shared/time.ts';
import type { StoredRecord, Value } from '../../store.ts';
import type { Block } from '../../blocks/block/block.ts';
import { ByteReader, malformed, type ByteWriter } from '../../blocks/codec/bytes.ts';
import { DIGEST_BYTES, DIGEST_WORDS, type Digest } from './receipt-digest.ts';

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

export interface WalEntry {
  readonly sequence: number;
  readonly device: string;
  readonly kind: number;
  readonly payload: Buffer;
}

/** What a device stored, by one entry. */
export interface Upload {
  readonly records:
    { readonly rows: readonly StoredRecord[] } | { readonly blocks: readonly Buffer<ArrayBuffer>[] };
  readonly receipt: Digest | null;
}

/** Null where the entry is of another kind. */
export function readUpload({ kind, payload }: WalEntry): Upload | null {
  if (kind === ROWS) return { records: { rows: readRows(payload) }, receipt: null };
  if (kind === BLOCKS) return { records: { blocks: readBlocks(payload) }, receipt: null };
  if (kind !== ROWS_ONCE && kind !== BLOCKS_ONCE) return null;
  const reader = new ByteReader(payload);
  const receipt = Uint32Array.from({ length: DIGEST_WORDS }, () => reader.u32());
  const rest = payload.subarray(DIGEST_BYTES);
  return {
    records: kind === ROWS_ONCE ? { rows: readRows(rest) } : { blocks: readBlocks(rest) },
    receipt,
  };
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

function readRows(payload: Buffer): StoredRecord[] {
  const reader = new ByteReader(payload);
  const records: StoredRecord[] = [];
  let keys: readonly string[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    const timestamp = reader.f64();
    const received = reader.f64();
    if (reader.u8() === 0) keys = Array.from({ length: reader.varint() }, () => reader.text());
    records.push({ timestamp, received, keys, values: keys.map(() => readValue(reader)) });
  }
  return records;
}

export function writeBlocks(blocks: readonly Block[], out: ByteWriter): void {
  out.varint(blocks.length);
  for (const { bytes } of blocks) {
    out.varint(bytes.length);
    out.raw(bytes);
  }
}

/** Copies of the blocks, each at an address that its reader accepts. */
export function readBlocks(payload: Buffer): Buffer<ArrayBuffer>[] {
  const reader = new ByteReader(payload);
  return Array.from({ length: reader.varint() }, () => {
    const bytes = reader.raw(reader.varint());
    return Buffer.from(new Uint8Array(bytes).buffer);
  });
}

export function writePurge(at: Micros, out: ByteWriter): void {
  out.f64(at);
}

export function readPurge(payload: Buffer): Micros {
  return new ByteReader(payload).f64();
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
