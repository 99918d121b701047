import type { Micros } from '#shared/values/time.ts';
import type { Block } from '../../blocks/block/block.ts';
import { ByteReader, type ByteWriter } from '../../blocks/codec/bytes.ts';
import { DIGEST_BYTES, DIGEST_WORDS, type Digest } from './receipt-digest.ts';
import { readBlocks, skipBlocks, writeBlocks } from '../../blocks/block/record-bytes.ts';

/*
 * An entry that takes the place of all entries of a device before it which no segment holds, so that their files can be
 * used again: a device with few records is written on in the log rather than to files of its own.
 */

interface Contents {
  /** The last entry whose place it takes. Where segments hold that one, they hold all of this. */
  readonly covers: number;
  readonly lastSeen: Micros | null;
  /** Receipts that are in no file yet, oldest first. */
  readonly receipts: readonly Digest[];
}

/** Compacted entry to write. */
export interface Carried extends Contents {
  /** In order of arrival. */
  readonly blocks: readonly Block[];
}

/** Compacted entry as read. */
export interface FoundCarried extends Contents {
  readonly blocks: readonly Buffer<ArrayBuffer>[];
}

export function writeCarried({ covers, lastSeen, receipts, blocks }: Carried, out: ByteWriter): void {
  out.varint(covers);
  out.u8(lastSeen === null ? 0 : 1);
  if (lastSeen !== null) out.f64(lastSeen);
  out.varint(receipts.length);
  for (const digest of receipts) for (const word of digest) out.u32(word);
  writeBlocks(blocks, out);
}

/** Returns the last contact alone, skipping the rest. Throws `damaged`, as `readCarried` does. */
export function lastSeenOfCarried(reader: ByteReader): Micros | null {
  reader.varint();
  const lastSeen = readLastSeen(reader);
  reader.skip(reader.varint() * DIGEST_BYTES);
  skipBlocks(reader);
  return lastSeen;
}

const readLastSeen = (reader: ByteReader) => (reader.u8() === 0 ? null : reader.f64());

/** Throws `damaged`. */
export function readCarried(reader: ByteReader): FoundCarried {
  const covers = reader.varint();
  const lastSeen = readLastSeen(reader);
  const receipts = Array.from({ length: reader.varint() }, () => {
    const words = new ByteReader(reader.raw(DIGEST_BYTES));
    return Uint32Array.from({ length: DIGEST_WORDS }, () => words.u32());
  });
  return { covers, lastSeen, receipts, blocks: readBlocks(reader) };
}
