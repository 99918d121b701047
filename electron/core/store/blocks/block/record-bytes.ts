import { StoreError } from '../../../base/errors.ts';
import type { StoredRecord, Value } from '../../store.ts';
import { malformed, type ByteReader, type ByteWriter } from '../codec/bytes.ts';
import type { Block } from './block.ts';

/* Records as they came, and whole blocks, as bytes: what waits to become a segment (docs/storage-format.md, "Write-ahead log"). */

const FLOAT = 1;
const TRUE = 2;
const FALSE = 3;
const STRING = 4;

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

export function readRows(reader: ByteReader): StoredRecord[] {
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

/** Passes over the blocks. Throws `damaged` where there are fewer. */
export function skipBlocks(reader: ByteReader): void {
  for (let left = reader.varint(); left > 0; left--) reader.skip(reader.varint());
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
